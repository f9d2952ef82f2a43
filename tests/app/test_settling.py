"""A person settles a contradiction: one side wins, each holds in its own scope, or one text replaces both."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

import pytest
from fakes import ScriptedModel
from msgspec.structs import replace
from repos import Repo

from app.conftest import Desk
from companion.api import Note, Order, Verdict
from companion.app.local import LocalCompanion
from companion.errors import ModelUnavailable, UsageError
from companion.judge.parting import parting_of
from companion.kinds.by_hand import draft_from_note
from companion.ports import NoProgress
from companion.records import (
    Contradiction,
    Evidence,
    EvidenceKind,
    Format,
    Kind,
    Memory,
    Resolution,
    Scope,
    SearchQuery,
    Signals,
    Source,
    Status,
    Tier,
    Visibility,
)

NOW = datetime(2026, 1, 5, 9, 0)


@pytest.fixture
def companion(desk: Desk, shop: Repo) -> Iterator[LocalCompanion]:
    shop.write(".editorconfig", "root = true\n\n[*.py]\nmax_line_length = 79\n")
    desk.scan(shop.root)
    opened = desk.open(shop.root)
    yield opened
    opened.close()


@pytest.fixture
def one(companion: LocalCompanion) -> Contradiction:
    found = companion.contradictions()
    assert found
    return found[0]


def now_is(companion: LocalCompanion, memory: Memory) -> Memory:
    return companion.store.memories.get([memory.id])[0]


def test_who_loses_is_superseded_by_who_wins_and_is_still_there(companion: LocalCompanion, one: Contradiction):
    settled = companion.settle(one.id[:12], Verdict(Resolution.A_WINS, "the team said so"))
    assert (settled.resolution, settled.note) == (Resolution.A_WINS, "the team said so")
    loser = now_is(companion, one.b)
    assert (loser.status, loser.superseded_by) == (Status.ARCHIVED, one.a.id)
    assert one.id not in [other.id for other in companion.contradictions()]
    assert one.id in [other.id for other in companion.contradictions(settled=True)]


def test_settling_again_lets_the_loser_stand_again(companion: LocalCompanion, one: Contradiction):
    companion.settle(one.id, Verdict(Resolution.A_WINS))
    companion.settle(one.id, Verdict(Resolution.B_WINS))
    assert (now_is(companion, one.b).status, now_is(companion, one.b).superseded_by) == (Status.ACTIVE, "")
    assert now_is(companion, one.a).superseded_by == one.b.id


def test_both_are_valid_each_in_its_scope_and_a_scan_brings_nothing_back(companion: LocalCompanion, one: Contradiction):
    companion.settle(one.id, Verdict(Resolution.BOTH_VALID, scope_a=Scope(path="shop"), scope_b=Scope(path="tests")))
    stands = {}
    for side in (one.a, one.b):
        old = now_is(companion, side)
        assert old.status is Status.ARCHIVED
        (new,) = companion.store.memories.get([old.superseded_by])
        assert (new.draft.source, new.draft.value) == (Source.BY_HAND, side.draft.value)
        stands[new.draft.scope.path] = new
    assert set(stands) == {"shop", "tests"}
    companion.scan(NoProgress(), full=True)
    assert companion.contradictions() == ()
    assert all(now_is(companion, side).status is Status.ARCHIVED for side in (one.a, one.b))


def test_scopes_that_separate_nothing_are_refused(companion: LocalCompanion, one: Contradiction):
    with pytest.raises(UsageError, match="separates nothing"):
        companion.settle(one.id, Verdict(Resolution.BOTH_VALID, scope_a=Scope(path="shop"), scope_b=Scope(path="shop")))
    with pytest.raises(UsageError, match="only given where both"):
        companion.settle(one.id, Verdict(Resolution.A_WINS, scope_a=Scope(path="shop")))


def test_merged_is_one_memory_by_hand_that_supersedes_both(companion: LocalCompanion, one: Contradiction):
    companion.pin(one.a.id, on=True)
    companion.settle(one.id, Verdict(Resolution.MERGED, merged="100 for code, 79 for docstrings"))
    new = {now_is(companion, side).superseded_by for side in (one.a, one.b)}
    (memory,) = companion.store.memories.get(sorted(new))
    assert memory.draft.value == "100 for code, 79 for docstrings"
    assert memory.draft.source is Source.BY_HAND
    assert memory.draft.pinned
    assert set(one.a.draft.evidence + one.b.draft.evidence) == set(memory.draft.evidence)
    companion.scan(NoProgress(), full=True)
    assert companion.contradictions() == ()


def test_merging_without_a_text_is_refused(companion: LocalCompanion, one: Contradiction):
    with pytest.raises(UsageError, match="needs the text"):
        companion.settle(one.id, Verdict(Resolution.MERGED))


def test_a_secret_in_a_note_or_text_is_not_kept(companion: LocalCompanion, one: Contradiction):
    key = "AKIA" + "J7QZ4WX2NBVL5RTP"
    settled = companion.settle(one.id, Verdict(Resolution.MERGED, f"see {key}", merged=f"use {key} there"))
    (memory,) = companion.store.memories.get([now_is(companion, one.a).superseded_by])
    assert key not in settled.note + memory.draft.value + memory.draft.levels.full


def test_what_a_note_contradicts_is_open_at_once_with_who_says_so_and_how_sure(companion: LocalCompanion):
    before = {found.id for found in companion.contradictions()}
    for text in ("The payment client never retries failed calls", "Prices are integers"):
        companion.remember(Note(text))
    assert {found.id for found in companion.contradictions()} == before
    companion.remember(Note("The payment client retries failed calls"))
    (opened,) = [found for found in companion.contradictions() if found.id not in before]
    assert {side.draft.value.split()[3] for side in (opened.a, opened.b)} == {"never", "retries"}
    assert opened.judge.startswith("rules")
    assert 0.5 < opened.confidence <= 1
    assert (
        "payment" in companion.assemble(4_000, Signals(query="the payment client"), Format.MARKDOWN, Order.PEOPLE).text
    )


def test_a_note_that_denies_what_a_file_declares_is_told_so_at_once_and_wherever_it_is_found(desk: Desk, shop: Repo):
    desk.scan(shop.root)
    companion = desk.open(shop.root)
    noted = companion.remember(Note("The minimum Python version is 3.8."))
    (against,) = noted.contradicts
    (declared,) = [side for side in against.members if side.id != noted.id]
    assert declared.draft.evidence[0].label() == "pyproject.toml:3"
    (hit,) = [hit for hit in companion.search(SearchQuery("minimum python version")) if hit.id == noted.id]
    assert "pyproject.toml:3 says otherwise: “Python 3.11 or newer" in hit.reasons[-1].says
    shown = companion.assemble(4_000, Signals(query="raise the minimum python version"), Format.MARKDOWN, Order.PEOPLE)
    (critical,) = [tier for tier in shown.tiers if tier.tier is Tier.CRITICAL]
    assert against.id in {item.id for item in critical.items}
    companion.close()


def test_a_file_that_comes_to_say_otherwise_than_a_note_is_found_by_the_scan(desk: Desk, shop: Repo):
    desk.scan(shop.root)
    companion = desk.open(shop.root)
    noted = companion.remember(Note("Python 3.11 or newer is required."))
    assert noted.contradicts == ()
    manifest = shop.root / "pyproject.toml"
    manifest.write_text(manifest.read_text("utf-8").replace("3.11", "3.12"), "utf-8")
    assert companion.scan(NoProgress()).contradictions == 1
    assert noted.id in {side.id for side in companion.contradictions()[0].members}
    companion.forget(noted.id)
    manifest.write_text(manifest.read_text("utf-8").replace("3.12", "3.13"), "utf-8")
    companion.scan(NoProgress())
    found = companion.search(SearchQuery("Python 3.13 or newer is required"))
    assert {hit.sort for hit in found if "Python 3.13" in hit.text} == {"declared"}, "nothing speaks against it now"
    companion.close()


def test_what_was_forgotten_of_a_file_is_not_remembered_again_for_the_note_that_denied_it(desk: Desk, shop: Repo):
    desk.scan(shop.root)
    companion = desk.open(shop.root)
    noted = companion.remember(Note("The minimum Python version is 3.8."))
    (declared,) = [side for side in noted.contradicts[0].members if side.id != noted.id]
    companion.forget(declared.id)
    manifest = shop.root / "pyproject.toml"
    manifest.write_text(manifest.read_text("utf-8") + "\n", "utf-8")
    assert companion.scan(NoProgress()).contradictions == 0
    assert companion.remember(Note("The minimum Python version is 3.9 for now.")).draft.levels.full
    companion.close()


def test_a_note_of_another_folder_denies_nothing_that_a_file_declares(desk: Desk, shop: Repo):
    shop.write("web/index.js", "let total = 1;\n")
    shop.write("api/pyproject.toml", '[project]\nname = "api"\nrequires-python = ">=3.12"\n')
    shop.commit("Add web and api")
    desk.scan(shop.root)
    companion = desk.open(shop.root)
    noted = companion.remember(Note("Python 3.8 or newer is required.", scope=Scope(path="web")))
    sides = {side.draft.origin for one in noted.contradicts for side in one.members}
    assert "api/pyproject.toml" not in sides
    companion.close()


def test_a_document_that_lags_behind_the_manifest_is_found_by_the_scan_with_both_lines(desk: Desk, shop: Repo):
    shop.write("README.md", "# Shop\n\nShop requires Python 3.9+.\n")
    assert desk.scan(shop.root).contradictions >= 1
    companion = desk.open(shop.root)
    (one,) = [one for one in companion.contradictions() if one.a.draft.attribute == "min_python"]
    assert {side.draft.evidence[0].label() for side in (one.a, one.b)} == {"pyproject.toml:3", "README.md:3"}
    companion.close()


def test_a_document_that_says_what_the_manifest_says_is_no_contradiction(desk: Desk, shop: Repo):
    shop.write("README.md", "# Shop\n\nShop requires Python 3.11 or later.\n")
    desk.scan(shop.root)
    companion = desk.open(shop.root)
    assert companion.contradictions() == ()
    companion.close()


def test_the_judges_are_asked_again_and_nothing_is_changed(companion: LocalCompanion, one: Contradiction):
    ruling = companion.judge_again(one.id[:12])
    assert ruling.contradict
    assert ruling.judge.startswith("rules")
    assert companion.contradictions()[0] == one
    with pytest.raises(UsageError, match="No contradiction"):
        companion.judge_again("x1nothing")


def test_a_model_that_is_configured_is_asked_too_and_one_that_fails_leaves_it_to_the_rules(
    companion: LocalCompanion, one: Contradiction
):
    companion.runtime.adapters.make_language_model = lambda: ScriptedModel([ModelUnavailable("late")])
    assert companion.judge_again(one.id).contradict


def test_what_a_note_takes_the_place_of_is_told_at_once_and_happens_in_a_run(companion: LocalCompanion):
    clock = companion.runtime.adapters.clock
    before = companion.remember(Note("Every listener listens on port 2019."))
    clock.advance(days=1)  # type: ignore[attr-defined]
    after = companion.remember(Note("Every listener listens on port 2020."))
    assert [one.id for one in after.replaces] == [before.id]
    assert (before.replaces, after.contradicts) == ((), ())


def test_that_both_are_rules_does_not_make_two_notes_speak_of_one_thing(companion: LocalCompanion):
    companion.remember(Note("Never use System.out in tests."))
    assert companion.remember(Note("Always run integration tests with CGO disabled.")).contradicts == ()


def test_what_a_newer_version_replaced_is_listed_as_superseded_and_not_as_a_contradiction(desk: Desk, shop: Repo):
    shop.write("pyproject.toml", "[tool.ruff]\nline-length = 100\n")
    desk.scan(shop.root)
    desk.clock.advance(days=1)
    shop.write("pyproject.toml", "[tool.ruff]\nline-length = 120\n")
    desk.scan(shop.root)
    companion = desk.open(shop.root)
    (found,) = [one for one in companion.superseded() if one.old.draft.attribute == "line_length"]
    assert (found.old.draft.value, found.new.draft.value) == ("100", "120")
    assert found.reason
    assert companion.contradictions() == ()
    with pytest.raises(UsageError, match="cannot be listed"):
        companion.superseded(0)
    companion.close()


def side(text: str, path: str = "a.md", scope: Scope = Scope()) -> Memory:  # noqa: B008 - frozen
    draft = replace(draft_from_note(text, Kind.FACT, scope, Visibility.USER_PRIVATE, False, "", NOW), scope=scope)
    draft = replace(draft, evidence=(Evidence(EvidenceKind.FILE, path, 1),))
    return Memory(text, "p", "u", "k", draft, NOW, (1, 1, 1, 1))


@pytest.mark.parametrize(
    ("a", "b", "field", "values"),
    [
        (side("In production three replicas run"), side("Locally one replica runs"), "environment", ("production", "development")),
        (side("Python code has lines of 88"), side("TypeScript code has lines of 120"), "language", ("python", "typescript")),
        (side("`crates/net` forbids unsafe code"), side("`crates/ffi` may be unsafe"), "path", ("crates/net", "crates/ffi")),
        (side("Tabs are used", "server/README.md"), side("Spaces are used", "web/README.md"), "path", ("server", "web")),
    ],
)  # fmt: skip
def test_scopes_are_proposed_where_the_words_or_sources_name_them(a, b, field, values):
    found = parting_of(a, b)
    assert found is not None
    assert (getattr(found.scope_a, field), getattr(found.scope_b, field)) == values
    assert all(value in found.merged for value in values)


def test_nothing_is_proposed_where_nothing_separates_the_two():
    assert parting_of(side("Use tabs"), side("Use four spaces")) is None
    assert parting_of(side("In production use tabs"), side("Use four spaces in production")) is None


def test_what_is_proposed_settles_it(companion: LocalCompanion):
    shown = replace(companion.contradictions()[0], scope_a=Scope(environment="ci"), scope_b=Scope(path="shop"))
    companion.settle(shown.id, Verdict(Resolution.BOTH_VALID, scope_a=shown.scope_a, scope_b=shown.scope_b))
    assert companion.contradictions() == ()


def test_a_pinned_memory_cannot_lose(companion: LocalCompanion, one: Contradiction):
    companion.pin(one.b.id, on=True)
    with pytest.raises(UsageError, match="pinned"):
        companion.settle(one.id, Verdict(Resolution.A_WINS))
    assert now_is(companion, one.b).status is Status.ACTIVE


@pytest.mark.parametrize("resolution", [Resolution.A_WINS, Resolution.B_WINS])
def test_taking_a_settlement_back_lets_both_sides_stand_again(
    companion: LocalCompanion, one: Contradiction, resolution: Resolution
):
    companion.settle(one.id, Verdict(resolution, "too soon"))
    back = companion.unsettle(one.id[:12])
    assert (back.resolution, back.resolved_at, back.note) == (None, None, "")
    assert [now_is(companion, side).status for side in (one.a, one.b)] == [Status.ACTIVE] * 2
    assert [now_is(companion, side).superseded_by for side in (one.a, one.b)] == ["", ""]
    assert [found.id for found in companion.contradictions()].count(one.id) == 1
    assert companion.unsettle(one.id) == companion.contradictions(settled=True)[0], "twice is once"
    companion.settle(one.id, Verdict(resolution))


@pytest.mark.parametrize(
    "verdict",
    [
        Verdict(Resolution.MERGED, merged="Lines have at most 90 characters."),
        Verdict(Resolution.BOTH_VALID, scope_a=Scope(path="shop"), scope_b=Scope(path="tests")),
    ],
)
def test_what_was_said_in_a_sides_place_is_archived_when_that_is_taken_back(
    companion: LocalCompanion, one: Contradiction, verdict: Verdict
):
    before = {memory.id for memory in companion.store.memories.iterate(companion.project)}
    companion.settle(one.id, verdict)
    instead = {memory.id for memory in companion.store.memories.iterate(companion.project)} - before
    assert instead
    companion.unsettle(one.id)
    assert {memory.id for memory in companion.store.memories.iterate(companion.project)} == before
    assert all(memory.status is Status.ARCHIVED for memory in companion.store.memories.get(sorted(instead)))
    companion.expand(next(iter(instead)))
    assert {memory.id for memory in companion.store.memories.iterate(companion.project)} == before, "it stays away"


@pytest.mark.parametrize(
    "verdict",
    [
        Verdict(Resolution.MERGED, merged="Lines have at most 90 characters."),
        Verdict(Resolution.BOTH_VALID, scope_a=Scope(path="shop"), scope_b=Scope(path="tests")),
    ],
)
def test_a_pin_that_went_over_to_what_took_its_place_goes_back_with_it(
    companion: LocalCompanion, one: Contradiction, verdict: Verdict
):
    before = companion.pin(one.b.id, on=True)
    settled = companion.settle(one.id, verdict)
    instead = now_is(companion, settled.b).superseded_by
    assert companion.store.memories.get([instead])[0].draft.pinned
    companion.unsettle(one.id)
    assert [now_is(companion, side).draft.pinned for side in (one.a, one.b)] == [False, True]
    assert now_is(companion, one.b).draft.importance == before.draft.importance
    assert not companion.store.memories.get([instead])[0].draft.pinned
    companion.pin(one.b.id, on=False)
    assert now_is(companion, one.b).draft.importance == one.b.draft.importance, "what it was worth is not lost"


def test_what_was_closed_by_itself_is_not_for_a_person_to_open(companion: LocalCompanion, one: Contradiction):
    companion.forget(one.a.id)
    with pytest.raises(UsageError) as told:
        companion.unsettle(one.id)
    assert "no longer holds" in str(told.value)
    with pytest.raises(UsageError):
        companion.unsettle("x1nothing")
