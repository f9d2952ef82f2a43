"""What was promoted of history is held against today by each scan and each run, whether commits are new or not."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from repos import WHY_WHOLE_CENTS

from companion.api import RunOrder, RunReport
from companion.app.local import LocalCompanion
from companion.app.verbs.code.scans import settle_down, waits
from companion.kinds.history.episodes import Episodes
from companion.ports import NoProgress
from companion.records import Memory, Outdate, Revive, Status
from companion.store.memories.reconcile import OUTDATED, SUPERSEDED

CHECK = RunOrder(passes=("check",))
PARCEL = "shop/parcel.py"
GONE = "weigh_parcel is not in the code any more"


@pytest.fixture
def companion(desk, shop):
    shop.write(PARCEL, "def weigh_parcel(one):\n    return one.grams\n\n\ndef send(one):\n    return one\n")
    shop.commit("Add parcels")
    shop.write(PARCEL, (shop.root / PARCEL).read_text() + "\n\ndef measure(one):\n    return one.size\n")
    shop.commit(f"Deprecate `weigh_parcel` in favour of `measure`\n\n{WHY_WHOLE_CENTS}")
    desk.scan(shop.root)
    opened = desk.open(shop.root)
    yield opened
    opened.close()


def decided(companion: LocalCompanion) -> Memory:
    """The decision about parcels, as it stands."""
    kept = companion.store.memories.iterate(companion.project, archived=True)
    (found,) = [one for one in kept if one.draft.type == "decision" and one.draft.subject == "weigh_parcel"]
    return found


def run(companion: LocalCompanion, order: RunOrder = CHECK) -> RunReport:
    return companion.consolidate(order, NoProgress())


def ends(companion: LocalCompanion, told: RunReport) -> list[str]:
    """Why this run ended the decision."""
    id_ = decided(companion).id
    return [one.change.reason for one in told.changes if isinstance(one.change, Outdate) and one.change.id == id_]


def scan(companion: LocalCompanion) -> None:
    companion.scan(NoProgress())


def scan_fully(companion: LocalCompanion) -> None:
    companion.scan(NoProgress(), full=True)


def save(companion: LocalCompanion) -> None:
    """What the background service does of a saved file, and in the quiet moment after it."""
    before = decided(companion)
    companion.refresh([PARCEL])
    assert decided(companion) == before, "who saves a file does not wait for the check"
    settle_down(companion)
    assert not waits(companion)


@pytest.mark.parametrize("look", [scan, scan_fully, save, run])
def test_without_new_commits_what_holds_no_longer_ends_with_the_reason_and_comes_back_again_and_again(
    companion, shop, look: Callable[[LocalCompanion], object]
):
    before, text = decided(companion), (shop.root / PARCEL).read_text()
    for _ in range(2):
        (shop.root / PARCEL).unlink()
        look(companion)
        after = decided(companion)
        assert (after.id, after.archived_reason) == (before.id, f"{OUTDATED}: {GONE}")
        assert after.draft.valid_to == companion.now()
        assert companion.store.memories.asked_for([after.id], companion.now()) == ()
        shop.write(PARCEL, text)
        look(companion)
        assert decided(companion) == before


def test_a_scan_tells_how_much_it_ended_and_brought_back_and_leaves_a_run_nothing_to_do(companion, shop):
    text = (shop.root / PARCEL).read_text()
    (shop.root / PARCEL).unlink()
    assert companion.scan(NoProgress()).retired == 2, "the decision and the episode of its commit"
    assert run(companion).changes_total == 0
    shop.write(PARCEL, text)
    assert companion.scan(NoProgress()).added == 2
    assert run(companion).changes_total == 0


def test_what_a_person_brought_back_is_not_ended_again(companion, shop):
    (shop.root / PARCEL).unlink()
    scan(companion)
    companion.revive(decided(companion).id)
    shop.write("shop/other.py", "def other():\n    return 1\n")
    scan(companion)
    assert decided(companion).status is Status.ACTIVE
    assert ends(companion, run(companion)) == []


def test_what_ended_for_its_lines_stays_so_while_it_is_not_known_which_are_left(companion, shop, monkeypatch):
    text = (shop.root / PARCEL).read_text()
    (shop.root / PARCEL).unlink()
    scan(companion)
    shop.write(PARCEL, text)
    with monkeypatch.context() as unknown:
        unknown.setattr(companion.store.line_origins, "of", lambda project, head: None)
        assert run(companion).changes_total == 0
    assert run(companion).changes_total == 2


def test_a_decision_that_a_later_commit_makes_anew_is_superseded_by_that_one(companion, shop):
    before = decided(companion)
    shop.write(PARCEL, (shop.root / PARCEL).read_text() + "\n\ndef gauge(one):\n    return one.size\n")
    sha = shop.commit(f"Deprecate `weigh_parcel` in favour of `gauge`\n\n{WHY_WHOLE_CENTS}")
    companion.state = shop.state
    scan(companion)
    (after,) = companion.store.memories.get([before.id])
    (heir,) = companion.store.memories.get([after.superseded_by])
    assert (after.archived_reason, heir.draft.origin) == (SUPERSEDED, f"commit:{sha}")
    assert after.draft.valid_to == heir.draft.valid_from


def test_a_decision_whose_file_is_gone_is_over_listed_with_its_reason_and_comes_back_by_undo(companion, shop):
    assert run(companion).changes_total == 0
    before = decided(companion)
    (shop.root / PARCEL).unlink()
    told = run(companion)
    after = decided(companion)
    assert (after.archived_reason, after.draft.valid_to) == (f"{OUTDATED}: {GONE}", companion.now())
    assert ends(companion, told) == [GONE]
    assert told.superseded == told.changes_total
    assert companion.store.memories.asked_for([after.id], companion.now()) == ()
    companion.undo(told.run)
    assert decided(companion) == before
    assert run(companion).changes_total == 0, "what a person took back is not done again"


def test_a_second_run_does_nothing_and_what_is_there_again_comes_back(companion, shop):
    before, text = decided(companion), (shop.root / PARCEL).read_text()
    (shop.root / PARCEL).unlink()
    assert ends(companion, run(companion))
    assert run(companion).changes_total == 0
    shop.write(PARCEL, text)
    told = run(companion)
    assert Revive(before.id, "what it is about is there again") in [one.change for one in told.changes]
    assert decided(companion) == before


def test_a_file_that_only_moved_takes_nothing_with_it(companion, shop):
    (shop.root / "shop/goods").mkdir()
    (shop.root / PARCEL).rename(shop.root / "shop/goods/parcel.py")
    assert run(companion).changes_total == 0


def test_a_later_commit_ends_a_decision_even_where_a_scan_learned_nothing_from_it(companion, shop, monkeypatch):
    sha = shop.commit("Undeprecate `weigh_parcel`")
    companion.state = shop.state
    with monkeypatch.context() as broken:
        broken.setattr(Episodes, "learn", lambda self, world: 1 / 0)
        scan(companion)
    assert decided(companion).archived_reason == f"{OUTDATED}: {sha[:9]} reverted it: Undeprecate `weigh_parcel`"


def test_what_is_pinned_is_left_alone(companion, shop):
    companion.pin(decided(companion).id, on=True)
    (shop.root / PARCEL).unlink()
    assert ends(companion, run(companion)) == []
    assert companion.report("").refused == 0


def test_while_a_merge_is_in_progress_nothing_is_held_against_the_tree(companion, shop):
    (shop.root / PARCEL).unlink()
    (shop.root / ".git/MERGE_HEAD").write_text(shop.git("rev-parse", "HEAD") + "\n")
    companion.state = shop.state
    assert run(companion).changes_total == 0
    (shop.root / ".git/MERGE_HEAD").unlink()
    companion.state = shop.state
    assert ends(companion, run(companion))


def test_an_episode_whose_lines_were_all_written_anew_is_over(companion, shop):
    lines = "".join(f"    total += one.weight_{n}\n" for n in range(20))
    shop.write("shop/post.py", f"def post(one):\n    total = 0\n{lines}    return total\n")
    shop.commit(f"Add up the weights of a post\n\n{WHY_WHOLE_CENTS}")
    companion.state = shop.state
    companion.scan(NoProgress())
    kept = [one for one in companion.store.memories.iterate(companion.project) if "weights" in one.draft.subject]
    assert len(kept) == 1
    assert run(companion).changes_total == 0
    shop.write("shop/post.py", "def post(one):\n    return sum(one.weights)\n")
    shop.commit("Add them up in one line")
    companion.state = shop.state
    companion.scan(NoProgress())
    run(companion)
    after = [one for one in companion.store.memories.iterate(companion.project) if "weights" in one.draft.subject]
    assert after == []


def test_a_linked_guide_is_remembered_no_longer_than_a_guide_links_to_it(companion, shop):
    def rules() -> list[str]:
        kept = companion.store.memories.iterate(companion.project)
        return [one.draft.levels.full for one in kept if one.draft.origin == "docs/REQUESTS.md"]

    shop.write("docs/REQUESTS.md", "# Tests\n\nA change should include tests.\n")
    shop.write("CONTRIBUTING.md", "Read [this](docs/REQUESTS.md).\n")
    companion.refresh(None)
    assert rules() == ["Tests: A change should include tests."]
    shop.write("docs/REQUESTS.md", "# Tests\n\nA change must have tests.\n")
    companion.refresh(None)
    assert rules() == ["Tests: A change must have tests."]
    shop.write("CONTRIBUTING.md", "Read nothing.\n")
    companion.refresh(None)
    assert rules() == []


def test_what_the_first_scan_remembers_of_files_that_were_renamed_since_holds(desk, shop):
    shop.write(PARCEL, "def weigh_parcel(one):\n    return one.grams\n")
    shop.commit("Add parcels")
    shop.write(PARCEL, "def weigh_parcel(one):\n    return one.grams or 0\n")
    told = shop.commit("Fix a deadlock while parcels are weighed\n\nNobody let go of the scale.")
    (shop.root / "depot").mkdir()
    shop.git("mv", PARCEL, "depot/scale.py")
    shop.commit("Give the depot a folder of its own")
    desk.scan(shop.root)
    opened = desk.open(shop.root)
    (kept,) = (one for one in opened.store.memories.iterate(opened.project, archived=True) if told in one.draft.origin)
    assert (kept.status, kept.archived_reason) == (Status.ACTIVE, "")
    assert "file:depot/scale.py" in kept.draft.entities
    opened.close()
