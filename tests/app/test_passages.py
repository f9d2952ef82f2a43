"""What a project says is found as it stands, cut once, whatever happens to the index or to who fills it."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from repos import Repo

from app.conftest import Desk
from companion.api import Order
from companion.app.local import LocalCompanion
from companion.app.scanning import passages as stage
from companion.app.verbs.code.scans import settle_down
from companion.ports import NoProgress
from companion.records import Format, PassageKind, SearchQuery, Signals
from companion.store.library import NO_MODEL, NOT_INDEXED
from companion.store.passages.index import FOLDER
from companion.store.text.documents import commit_space, file_space
from companion.store.text.space import Space

TESTS = Path(__file__).resolve().parent.parent


@pytest.fixture
def cut(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The paths and commits that are cut from now on."""
    seen: list[str] = []

    def counted(real: Callable[..., object], name: Callable[..., str]) -> Callable[..., object]:
        def wrapped(*given: object) -> object:
            seen.append(name(*given))
            return real(*given)

        return wrapped

    monkeypatch.setattr(stage, "cut_file", counted(stage.cut_file, lambda path, *_: path))
    monkeypatch.setattr(stage, "cut_commit", counted(stage.cut_commit, lambda commit: commit.subject))
    return seen


def found(companion: LocalCompanion, text: str, *paths: str) -> list[str]:
    """Where the passages stand that are found; a commit by its subject."""
    hits = companion.library(Signals()).passages(text, tuple(PassageKind), 20, paths=paths)
    return [hit.passage.path or hit.passage.title for hit in hits]


def everything(companion: LocalCompanion) -> dict[str, list[object]]:
    """All passages by source."""
    index, held = companion.store.passages, {}
    for space in (file_space(companion.checkout), commit_space(companion.project)):
        for source in index.states(space):
            for one in index.of_source(space, source):
                held[source] = [one.state, sorted(map(repr, one.passages))]
    return held


def test_files_and_commits_are_found_by_what_they_say(live: LocalCompanion):
    assert found(live, "floats lose cents")[0] == "docs/adr/0001-money.md"
    assert found(live, "total items sum prices")[0] == "shop/price.py"
    assert found(live, "Add the cart")[0] == "Add the cart"
    assert found(live, "sum", "shop/cart.py") == ["shop/cart.py"]
    assert not found(live, "zeppelin")


def test_pieces_of_other_files_are_found_by_what_a_file_says(live: LocalCompanion, shop: Repo):
    shop.write("shop/ledger.py", "def booked(rows):\n    return [row.amount for row in rows]\n")
    shop.write("shop/report.py", "def printed(rows):\n    return [row.amount for row in rows if row.vat]\n")
    shop.write("shop/clock.py", "def hour(moment):\n    return moment.hour\n")
    live.refresh(None)

    def alike(path: str, *among: str) -> list[str]:
        hits = live.library(Signals()).alike([path], [PassageKind.CHUNK], 9, among=among)
        return [hit.passage.path for hit in hits]

    assert alike("shop/ledger.py", "shop/report.py", "shop/clock.py")[0] == "shop/report.py"
    assert alike("shop/ledger.py", "shop/clock.py") in ([], ["shop/clock.py"])
    assert alike("shop/ledger.py") == []
    assert alike("no/such.py", "shop/report.py") == []


def test_a_refresh_leaves_what_a_fresh_scan_would_and_cuts_nothing_else(
    live: LocalCompanion, shop: Repo, cut: list[str]
):
    shop.write("shop/discount.py", "def rebate(items):\n    return 1\n")
    shop.write("shop/price.py", 'def total(items):\n    """Adds up all amounts."""\n    return sum(items)\n')
    (shop.root / "tests/test_cart.py").unlink()
    shop.commit("Give a rebate")
    live.refresh(["shop/discount.py", "shop/price.py", "tests/test_cart.py"])
    assert sorted(cut) == ["Give a rebate", "shop/discount.py", "shop/price.py"]
    assert "shop/discount.py" in found(live, "rebate")
    assert "tests/test_cart.py" not in found(live, "test sum cart")
    refreshed = everything(live)
    live.runtime.store.passages.rebuild()
    live.scan(NoProgress())
    assert everything(live) == refreshed


def test_a_file_that_only_moved_is_not_cut_again(live: LocalCompanion, shop: Repo, cut: list[str]):
    shop.git("mv", "docs/adr/0001-money.md", "docs/adr/0001-cents.md")
    live.refresh(None)
    assert not cut
    assert found(live, "floats lose cents")[0] == "docs/adr/0001-cents.md"


def test_a_second_scan_cuts_nothing(live: LocalCompanion, cut: list[str]):
    live.scan(NoProgress())
    settle_down(live)
    assert not cut


def test_commits_that_are_gone_or_merged_are_known_as_such(live: LocalCompanion, shop: Repo, cut: list[str]):
    shop.git("checkout", "-q", "-b", "feature")
    shop.write("shop/voucher.py", "x = 1\n")
    shop.commit("Vouchers for everybody")
    live.refresh(None)
    assert "Vouchers for everybody" in found(live, "vouchers for everybody")
    assert "Vouchers for everybody" not in [
        hit.passage.title for hit in live.library(Signals(branch="main")).passages("vouchers", (PassageKind.COMMIT,), 9)
    ]
    shop.git("checkout", "-q", "main")
    shop.git("merge", "-q", "--ff-only", "feature")
    live.refresh(None)
    assert "Vouchers for everybody" in found(live, "vouchers for everybody")
    shop.git("branch", "-q", "-d", "feature")
    shop.commit("Other words", "--amend")
    live.refresh(None)
    assert "Vouchers for everybody" not in found(live, "vouchers for everybody")
    assert cut.count("Vouchers for everybody") == 1


def test_what_is_ignored_or_secret_is_not_in_it(desk: Desk, shop: Repo):
    shop.write(".gitignore", "private/\n")
    shop.write("private/notes.md", "# Plans\n\nThe zeppelin flies at dawn.\n")
    shop.write(".env", "ZEPPELIN_KEY=abcdef\n")
    shop.write("deploy.md", "# Deploy\n\nThe token is ghp_" + "a1B2" * 9 + "\n")
    companion = desk.open(shop.root)
    companion.scan(NoProgress())
    assert not found(companion, "zeppelin")
    hits = companion.library(Signals()).passages("Deploy", (PassageKind.DOCUMENT,), 3)
    assert hits
    assert not any("a1B2a1B2" in hit.passage.text for hit in hits)
    companion.close()
    assert b"a1B2a1B2" not in b"".join(path.read_bytes() for path in (desk.home / FOLDER).iterdir() if path.is_file())


@pytest.mark.parametrize("harm", ["gone", "cut short", "changed", "other format"])
def test_an_index_that_is_harmed_is_made_anew(desk: Desk, shop: Repo, harm: str):
    desk.scan(shop.root)
    folder = desk.home / FOLDER
    if harm == "gone":
        shutil.rmtree(folder)
    elif harm == "other format":
        (folder / "format").write_text("0")
    else:
        for path in [*folder.glob("*.term"), *folder.glob("*.store")]:
            content = path.read_bytes()
            path.write_bytes(content[:20] if harm == "cut short" else b"\0" * 40 + content[40:])
    companion = desk.open(shop.root)
    assert not found(companion, "floats lose cents")
    assert companion.store.passages.verify() or not companion.store.passages.states(file_space(companion.checkout))
    companion.scan(NoProgress())
    assert found(companion, "floats lose cents")[0] == "docs/adr/0001-money.md"
    assert not companion.store.passages.verify()
    companion.close()


def test_where_the_disk_takes_nothing_what_is_there_is_found_and_said(
    live: LocalCompanion, shop: Repo, monkeypatch: pytest.MonkeyPatch
):
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(Space, "writer", full)
        shop.write("shop/discount.py", "def rebate(items):\n    return 1\n")
        live.refresh(None)
        assert "No space left" in " ".join(live.library().missing())
        assert found(live, "floats lose cents")[0] == "docs/adr/0001-money.md"
        assert not found(live, "rebate")
    settle_down(live)
    assert found(live, "rebate")[0] == "shop/discount.py"
    assert not live.library().missing()[:1] or "passages" not in " ".join(live.library().missing())


KILLED = """
import os, sys
from pathlib import Path
from fakes import FakeClock
from app.conftest import Desk
from companion.ports import NoProgress
from companion.app.scanning import passages as stage

home, root, left = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
stage.FILES_AT_ONCE = 1
real = stage.cut_file

def counted(*given):
    global left
    left -= 1
    if left < 0:
        os.kill(os.getpid(), 9)
    return real(*given)

stage.cut_file = counted
Desk(home, FakeClock()).open(root).scan(NoProgress())
"""


@pytest.mark.parametrize("cut_before", [0, 3])
def test_killed_in_the_middle_it_is_taken_up_by_the_next_scan(desk: Desk, shop: Repo, cut_before: int, cut: list[str]):
    done = subprocess.run(
        [sys.executable, "-c", KILLED, str(desk.home), str(shop.root), str(cut_before)],
        cwd=TESTS,
        check=False,
        capture_output=True,
    )
    assert done.returncode == -9, done.stderr
    companion = desk.open(shop.root)
    before = everything(companion)
    companion.scan(NoProgress())
    files = companion.store.code.known(companion.checkout)
    assert len([path for path in cut if path in files]) == len(files) - cut_before
    taken_up = everything(companion)
    assert before.items() <= taken_up.items()
    companion.store.passages.rebuild()
    companion.scan(NoProgress())
    assert everything(companion) == taken_up
    companion.close()


def test_an_index_of_another_version_is_told_until_it_is_made_anew(desk: Desk, shop: Repo):
    desk.scan(shop.root)
    (desk.home / FOLDER / "format").write_text("1.1", "utf-8")
    companion = desk.open(shop.root)
    assert companion.search(SearchQuery("add a price to the cart")) is not None
    assert any("companion init" in one for one in companion.notices())
    context = companion.assemble(1_000, Signals(query="add a price"), Format.MARKDOWN, Order.PEOPLE)
    assert any(NOT_INDEXED in one for one in context.missing)
    companion.scan(NoProgress())
    companion.notices()
    assert companion.assemble(1_000, Signals(query="add a price"), Format.MARKDOWN, Order.PEOPLE).missing == (NO_MODEL,)
    companion.close()
