"""Which commit made a line is known after a scan, goes on with each commit, and is never said of other lines."""

from __future__ import annotations

import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest
from msgspec.structs import replace
from repos import Repo
from waiting import DEADLINE_S

from app.conftest import Desk
from companion.api import Order
from companion.app.local import LocalCompanion
from companion.app.replay import Replay
from companion.app.scanning import line_origins
from companion.app.scanning.apart import WorkerGone, apart
from companion.app.scanning.line_origins import LineOriginStage
from companion.app.verbs.code.scans import refresher, settle_down, waits
from companion.ports import NoProgress
from companion.records import Format, Signals
from companion.signals import git
from companion.store.history.kept_origins import FOLDER, LEFT_BEHIND

TESTS = Path(__file__).resolve().parent.parent
PRICE = "shop/price.py"
TASK = Signals(query="total in shop/price.py sums the items of the cart")


def makers(companion: LocalCompanion, path: str = PRICE, at: datetime | None = None) -> list[str]:
    """The commit that made each line of a file, as far as that is known."""
    library = companion.library(Signals(at=at))
    count = library.paths()[path].lines
    made = library.makers(path, [(n, n) for n in range(1, count + 1)])
    return ["".join(one.sha for one in makers) for makers in made]


def blamed(repo: Repo, path: str = PRICE) -> list[str]:
    told = repo.git("blame", "-s", "-l", "-w", "--root", "--first-parent", "HEAD", "--", path)
    return [line.split()[0] for line in told.splitlines()]


def changed(repo: Repo, message: str = "Round what is added up") -> str:
    place = repo.root / PRICE
    place.write_text(place.read_text() + "\n\ndef rounded(amount):\n    return round(amount, 2)\n")
    return repo.commit(message)


def read() -> list[int]:
    """How many commits were read each time that origins were made."""
    return [one._total for one in LOOKED]


LOOKED: list[LineOriginStage] = []


@pytest.fixture(autouse=True)
def looked() -> Iterator[list[LineOriginStage]]:
    """The stages that have looked for new commits."""
    real = LineOriginStage._made

    def seen(self: LineOriginStage, *given: object, **more: object) -> object:
        LOOKED.append(self)
        return real(self, *given, **more)  # type: ignore[arg-type]

    LOOKED.clear()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(LineOriginStage, "_made", seen)
        yield LOOKED


def test_after_a_scan_each_line_is_of_the_commit_that_blame_names(live: LocalCompanion, shop: Repo):
    assert makers(live) == blamed(shop)
    library = live.library()
    ((one, *_),) = library.makers(PRICE, [(1, library.paths()[PRICE].lines)])
    assert one.lines > 0
    told = library.commit_summary(one.sha)
    assert told is not None
    assert told.title
    assert library.messages(told.title, 5)[one.sha] == pytest.approx(1.0)


def test_lines_that_merges_brought_are_of_the_commits_that_made_them(live: LocalCompanion, shop: Repo):
    place = shop.root / PRICE
    before = place.read_text()
    shop.git("checkout", "-q", "-b", "1.x")
    place.write_text(before + "\n\ndef rounded(amount):\n    return round(amount, 2)\n")
    shop.commit("Round what is added up")
    shop.git("checkout", "-q", "-b", "again")
    place.write_text(place.read_text() + "\n\ndef cents(amount):\n    return int(amount * 100)\n")
    shop.commit("Count in cents")
    shop.git("checkout", "-q", "1.x")
    shop.git("merge", "-q", "--no-ff", "-m", "Merge pull request #7 from shop/again", "-m", "Count in cents", "again")
    shop.git("checkout", "-q", "main")
    place.write_text("# Prices are in euros.\n" + before)
    shop.commit("Say the currency")
    shop.git("merge", "-q", "--no-ff", "--no-commit", "1.x")
    place.write_text(place.read_text() + "# both\n")
    both = shop.commit("Merge branch '1.x'")
    live.refresh(None)
    told = shop.git("blame", "-s", "-l", "-w", "--root", "HEAD", "--", PRICE).splitlines()
    whole = [line.split()[0] for line in told]
    assert makers(live) == whole
    assert whole[-1] == both


def test_what_a_line_of_work_was_brought_from_another_before_is_followed_too(live: LocalCompanion, shop: Repo):
    place = shop.root / PRICE
    shop.git("checkout", "-q", "-b", "1.x")
    changed(shop)
    shop.git("checkout", "-q", "-b", "stable", "main")
    shop.write("shop/other.py", "OTHER = 1\n")
    shop.commit("Something else")
    shop.git("merge", "-q", "--no-ff", "-m", "Merge branch '1.x' into stable", "1.x")
    shop.git("checkout", "-q", "main")
    shop.write("shop/third.py", "THIRD = 1\n")
    shop.commit("Something third")
    shop.git("merge", "-q", "--no-ff", "-m", "Merge branch 'stable'", "stable")
    live.refresh(None)
    told = shop.git("blame", "-s", "-l", "-w", "--root", "HEAD", "--", PRICE).splitlines()
    assert makers(live) == [line.split()[0] for line in told]
    assert place.read_text().endswith("round(amount, 2)\n")


def test_a_new_commit_is_taken_in_alone(live: LocalCompanion, shop: Repo):
    LOOKED.clear()
    sha = changed(shop)
    live.refresh(None)
    assert makers(live) == blamed(shop)
    assert makers(live)[-1] == sha
    assert read() == [1]
    live.refresh(None)
    assert read() == [1]


def test_of_a_file_that_was_edited_nothing_is_said_until_that_is_committed(live: LocalCompanion, shop: Repo):
    place = shop.root / PRICE
    place.write_text("# edited\n" + place.read_text())
    live.refresh([PRICE])
    assert set(makers(live)) == {""}
    assert set(makers(live, "shop/cart.py")) != {""}
    shop.commit("Say so")
    live.refresh(None)
    assert makers(live) == blamed(shop)


def test_going_between_branches_reads_nothing_twice_and_shows_nothing_of_the_other(live: LocalCompanion, shop: Repo):
    shop.git("checkout", "-q", "-b", "side")
    sha = changed(shop)
    live.refresh(None)
    assert sha in makers(live)
    LOOKED.clear()
    shop.git("checkout", "-q", "main")
    live.refresh(None)
    assert makers(live) == blamed(shop)
    assert sha not in makers(live)
    assert read() == []
    shop.git("checkout", "-q", "side")
    live.refresh(None)
    assert makers(live) == blamed(shop)
    assert read() == []


def test_rewritten_history_is_followed_as_it_is_now(live: LocalCompanion, shop: Repo):
    changed(shop)
    live.refresh(None)
    shop.git("commit", "-q", "--amend", "-m", "Round it, in other words")
    live.refresh(None)
    assert makers(live) == blamed(shop)


def test_many_new_commits_wait_for_a_quiet_moment(live: LocalCompanion, shop: Repo, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("companion.app.scanning.refresh.AT_ONCE", 0)
    changed(shop)
    live.refresh(None)
    assert set(makers(live)) == {""}
    assert waits(live)
    settle_down(live)
    assert makers(live) == blamed(shop)
    assert not waits(live)


def test_who_gives_way_goes_on_from_there(live: LocalCompanion, shop: Repo):
    for number in range(3):
        changed(shop, f"Step {number} of many")
    live.state = replace(live.state, head=shop.git("rev-parse", "HEAD").strip())
    origins = refresher(live).stage(LineOriginStage)
    assert not origins.run(give_way=lambda: True)
    assert waits(live)
    later = refresher(live).stage(LineOriginStage)
    assert later.run()
    assert (origins._done, later._total) == (1, 2)
    live.refresh(None)
    assert makers(live) == blamed(shop)


@pytest.mark.parametrize("spoil", ["gone", "cut", "other"])
def test_what_is_damaged_says_nothing_and_is_made_anew_by_the_next_scan(desk: Desk, shop: Repo, spoil: str):
    desk.scan(shop.root)
    (kept,) = (desk.home / FOLDER).glob("*.json")
    if spoil == "gone":
        shutil.rmtree(desk.home / FOLDER)
    elif spoil == "cut":
        kept.write_bytes(kept.read_bytes()[:-9])
    else:
        kept.write_bytes(b"\xff" * 99)
    companion = desk.open(shop.root)
    try:
        assert set(makers(companion)) == {""}
        companion.scan(NoProgress())
        assert makers(companion) == blamed(shop)
    finally:
        companion.close()


KILLED = """
import os, sys
from pathlib import Path
sys.path[:0] = [sys.argv[1]]
import app.conftest as conftest
from fakes import FakeClock
from companion.ports import NoProgress
from companion.store.history import kept_origins

def killed(*_):
    os.kill(os.getpid(), 9)

kept_origins.os.fsync = killed
conftest.Desk(Path(sys.argv[2]), FakeClock()).open(Path(sys.argv[3])).scan(NoProgress())
"""


def test_killed_while_it_is_written_nothing_is_kept_and_the_next_scan_makes_it(desk: Desk, shop: Repo):
    done = subprocess.run([sys.executable, "-c", KILLED, str(TESTS), str(desk.home), str(shop.root)], check=False)
    assert done.returncode == -9
    assert not list((desk.home / FOLDER).glob("*.json"))
    companion = desk.open(shop.root)
    try:
        companion.scan(NoProgress())
        assert makers(companion) == blamed(shop)
    finally:
        companion.close()


def test_on_a_disk_that_takes_nothing_it_is_known_while_the_process_lives(desk: Desk, shop: Repo):
    (desk.home / FOLDER).write_text("in the way")
    companion = desk.open(shop.root)
    try:
        companion.scan(NoProgress())
        assert makers(companion) == blamed(shop)
        assert not refresher(companion).stage(LineOriginStage).waits()
    finally:
        companion.close()


def test_a_scan_that_fails_keeps_nothing_and_leaves_no_thread(desk: Desk, shop: Repo, monkeypatch: pytest.MonkeyPatch):
    companion = desk.open(shop.root)
    try:
        monkeypatch.setattr("companion.app.scanning.scan.Scanner.absorb", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            companion.scan(NoProgress())
        assert not companion.store.line_origins.heads(companion.project)
    finally:
        companion.close()


def test_files_that_may_not_be_read_leave_no_trace(desk: Desk, shop: Repo):
    shop.write(".env", "TOKEN=1\n")
    shop.write("ids/id_rsa", "key\n")
    shop.commit("Add what should not be here")
    desk.scan(shop.root)
    (kept,) = (desk.home / FOLDER).glob("*.json")
    said = kept.read_text()
    assert PRICE in said
    assert ".env" not in said
    assert "id_rsa" not in said


def test_of_an_earlier_moment_nothing_is_said(live: LocalCompanion):
    assert set(makers(live, at=live.now())) == {""}


def test_a_replay_knows_the_makers_of_its_moment_and_none_that_came_later(shop: Repo):
    later = changed(shop)
    replay = Replay(shop.root)
    try:
        commits = replay.commits()
        replay.advance(commits[:-1], commits[-2].sha)
        before = makers(replay.companion())
        replay.advance(commits[-1:], commits[-1].sha)
        assert makers(replay.companion()) == blamed(shop)
        assert set(blamed(shop)) - set(before) == {later}
        assert before == blamed(shop)[: len(before)]
    finally:
        replay.close()


def test_only_the_origins_of_commits_that_are_used_stay(live: LocalCompanion, shop: Repo):
    for number in range(LEFT_BEHIND + 3):
        changed(shop, f"Step {number} of many")
        live.refresh(None)
    kept = live.runtime.store.home / FOLDER
    now_and_before = 2  # what was checked out before is noted until the commit is learned from
    assert len(list(kept.glob("*.json"))) == LEFT_BEHIND + now_and_before
    live.rebuild(NoProgress())
    assert len(list(kept.glob("*.json"))) == 1
    assert makers(live) == blamed(shop)


def test_a_shallow_history_that_was_completed_is_looked_at_anew(desk: Desk, shop: Repo, tmp_path: Path):
    shop.git("clone", "-q", "--depth=2", shop.root.as_uri(), str(tmp_path / "shallow"))
    shallow = Repo(tmp_path / "shallow")
    companion = desk.open(shallow.root)
    try:
        companion.scan(NoProgress())
        before = [one for path in companion.library().paths() for one in makers(companion, path) if one]
        assert set(before) <= {shallow.git("rev-parse", "HEAD")}
        shallow.git("fetch", "-q", "--unshallow")
        companion.state = git.open_repository(shallow.root)
        companion.scan(NoProgress())
        head, blob = companion.state.head, shallow.git("rev-parse", f"HEAD:{PRICE}")
        origins = companion.store.line_origins.of(companion.project, head)
        lines = [origins.makers(PRICE, blob, (n, n)) for n in range(1, len(blamed(shallow)) + 1)]
        assert [sha for made in lines for sha, _ in made] == blamed(shallow)
    finally:
        companion.close()


def test_behind_a_commit_whose_contents_are_lost_the_makers_are_known(desk: Desk, shop: Repo):
    for text in ("lost = 1\n", "lost = 2\nfound = 3\n"):
        (shop.root / "gap.py").write_text(text)
        shop.commit(f"Write {text!r}")
    blob = shop.git("rev-parse", "HEAD~1:gap.py")
    later = changed(shop)
    (shop.root / ".git/objects" / blob[:2] / blob[2:]).unlink()
    companion = desk.open(shop.root)
    try:
        companion.scan(NoProgress())
        made = makers(companion)
        assert (made[-1], set(made)) == (later, {"", later})
        assert set(makers(companion, "gap.py")) == {""}
    finally:
        companion.close()


@pytest.mark.parametrize(
    ("message", "title"),
    [
        ("Round prices in all shops", "Round prices in all shops"),
        ("Merge pull request #7 from ann/round\n\nRound prices", "Round prices"),
        ("Merge branch 'round'", "Round what is added up"),
        ("Merge branch 'round'\n\nConflicts:\n\tshop/price.py", "Round what is added up"),
    ],
)
def test_a_merge_is_told_by_what_somebody_wrote_of_it(desk: Desk, shop: Repo, message: str, title: str):
    shop.git("checkout", "-q", "-b", "round")
    brought = changed(shop)
    shop.git("checkout", "-q", "-")
    shop.git("merge", "-q", "--no-ff", "--no-commit", "round")
    place = shop.root / PRICE
    place.write_text(place.read_text() + "# both\n")
    shop.commit(message, "--cleanup=whitespace")
    companion = desk.open(shop.root)
    try:
        companion.scan(NoProgress())
        library = companion.library()
        ((maker,),) = library.makers(PRICE, [(library.paths()[PRICE].lines,) * 2])
        told = library.commit_summary(maker.sha)
        assert told is not None
        assert (told.sha, told.title, told.branch) == (shop.git("rev-parse", "HEAD"), title, (brought,))
    finally:
        companion.close()


@pytest.mark.parametrize(
    ("below", "reason"),
    [
        ("Merge pull request 7345", ""),
        ("Merge pull request 7 first, it adds the shops.", "Merge pull request 7 first, it adds the shops."),
        ("## Summary\n\n<!-- What is it\n\nfor? -->\nTaxes come later.\n\n## Test plan", "Taxes come later."),
        ("**Why:**\n\nTaxes **come** later.", "Taxes **come** later."),
    ],
)
def test_what_a_program_or_a_form_put_below_a_subject_is_no_reason(desk: Desk, shop: Repo, below: str, reason: str):
    (shop.root / PRICE).write_text("one = 1\n")
    sha = shop.commit(f"Round prices\n\n{below}", "--cleanup=whitespace")
    companion = desk.open(shop.root)
    try:
        companion.scan(NoProgress())
        told = companion.library().commit_summary(sha)
        assert told is not None
        assert told.reason == reason
    finally:
        companion.close()


def test_without_a_commit_there_is_nothing_to_know(desk: Desk, new_repo):
    empty = new_repo("empty")
    empty.write("a.py", "one = 1\n")
    companion = desk.open(empty.root)
    try:
        companion.scan(NoProgress())
        assert set(makers(companion, "a.py")) == {""}
        assert not waits(companion)
    finally:
        companion.close()


def test_a_context_tells_the_commit_that_made_a_place_and_its_id_opens(live: LocalCompanion, shop: Repo):
    place = shop.root / PRICE
    place.write_text(place.read_text() + "\n\ndef discount(items):\n    return sum(items) * 0.9\n")
    sha = shop.commit("Give a discount to those who come back\n\nThey said that they would stay away otherwise.")
    live.refresh(None)
    settle_down(live)
    wanted = Signals(query="discount of the items is not given to those who come back")
    context = live.assemble(2_000, wanted, Format.MARKDOWN, Order.PEOPLE)
    assert context.text.count(sha[:10]) == 1
    (item,) = [item for tier in context.tiers for item in tier.items if sha in {one.ref for one in item.evidence}]
    assert item.path is None
    assert live.expand(f"made:{sha}").text


@pytest.mark.parametrize("gone", [False, True], ids=["as it should", "where no process starts"])
def test_a_process_beside_a_scan_makes_the_same(
    desk: Desk, shop: Repo, monkeypatch: pytest.MonkeyPatch, *, gone: bool
) -> None:
    tried = []

    def seen(*given: object, **more: object) -> object:
        tried.append(given[0])
        if gone:
            raise WorkerGone("no memory")
        return apart(*given, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(line_origins, "APART_FROM", 0)
    monkeypatch.setattr(line_origins, "apart", seen)
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    companion = desk.open(shop.root)
    companion.scan(NoProgress())
    assert makers(companion) == blamed(shop)
    assert tried == [line_origins.traced]
    companion.close()


def test_no_thread_goes_on_where_what_ran_beside_it_was_stopped(
    live: LocalCompanion, shop: Repo, monkeypatch: pytest.MonkeyPatch
):
    """What a thread still holds when a program ends makes DuckDB's binding complain over forty lines."""
    changed(shop)
    begun, let_on = threading.Event(), threading.Event()
    real = git.line_changes

    def slow(*given: object) -> Iterator[object]:
        begun.set()
        let_on.wait(DEADLINE_S)
        yield from real(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(git, "line_changes", slow)
    before = set(threading.enumerate())
    state = git.open_repository(shop.root)
    stage = LineOriginStage(live.runtime, state, live.project, live.checkout, NoProgress(), live.now())
    with pytest.raises(KeyboardInterrupt), stage.beside():
        begun.wait(DEADLINE_S)
        threading.Timer(0.05, let_on.set).start()
        raise KeyboardInterrupt
    assert not [one for one in threading.enumerate() if one not in before and one.daemon]


def test_a_fix_of_a_weakness_that_says_nothing_is_told_by_its_tests_as_soon_as_it_arrives(desk, shop):
    desk.scan(shop.root)
    companion = desk.open(shop.root)
    shop.write(
        "shop/cart.py", (shop.root / "shop/cart.py").read_text() + "\n\ndef sealed(cart):\n    return tuple(cart)\n"
    )
    shop.write("tests/test_sealed.py", "def test_a_sealed_cart_takes_nothing_more():\n    assert True\n")
    fix = shop.commit("Merge commit from fork")
    companion.refresh(None)
    (told,) = (one for one in companion.store.memories.iterate(companion.project) if fix in one.draft.origin)
    assert "Tests that came with it: test_a_sealed_cart_takes_nothing_more." in told.draft.levels.full
    companion.close()
