"""What is saved, moved, checked out or committed is known at once, and only what changed is read."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from repos import WHY_TAXED, Repo

from app.conftest import Desk
from companion import syntax
from companion.api import Note, Order
from companion.app.consolidation import opposing
from companion.app.local import LocalCompanion
from companion.app.verbs.code.scans import settle_down, waits
from companion.errors import UsageError
from companion.records import Format, Profile, SearchQuery, Signals
from companion.signals.paths import shown_path
from companion.store import projects
from companion.syntax import pool


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The paths of every file that is parsed from now on, in this process."""
    seen: list[str] = []
    real = pool.parse

    def counted(path: str, data: bytes, content_hash: str):
        seen.append(path)
        return real(path, data, content_hash)

    monkeypatch.setattr(pool, "parse", counted)
    return seen


def context(companion: LocalCompanion, path: str) -> str:
    signals = Signals(current_file=path)
    return companion.assemble(4_000, signals, Format.MARKDOWN, Order.PEOPLE, count_use=False).text


def files_that_speak_of(companion: LocalCompanion, text: str) -> list[str]:
    return [match.path for match in companion.library().match_files(text, 5)]


def said(companion: LocalCompanion, attribute: str) -> list[str]:
    hits = companion.search(SearchQuery(text=attribute.replace("_", " "), limit=30, profile=Profile.MEMORY))
    return [hit.memory.draft.value for hit in hits if hit.memory.draft.attribute == attribute]


def test_a_created_file_is_found_by_its_names_and_linked(live: LocalCompanion, shop: Repo, parsed: list[str]):
    shop.write(
        "shop/discount.py",
        "from shop.price import total\n\n\ndef christmas_rebate(items):\n    return total(items) // 2\n",
    )
    done = live.refresh(["shop/discount.py"])
    assert (done.files_changed, done.files_gone, parsed) == (1, 0, ["shop/discount.py"])
    assert files_that_speak_of(live, "christmas rebate")[0] == "shop/discount.py"
    assert "shop/discount.py" in context(live, "shop/price.py")
    assert ("shop/discount.py", "shop/price.py") in {
        (link.source, link.target) for link in live.library().links(["shop/price.py"])
    }


def test_an_edit_is_seen_in_the_file_and_in_what_refers_to_it(live: LocalCompanion, shop: Repo):
    shop.write("shop/price.py", "def grand_sum(items):\n    return sum(items)\n")
    live.refresh(["shop/price.py"])
    assert "grand_sum" in live.library().paths()["shop/price.py"].outline
    assert files_that_speak_of(live, "price_step_3") != ["shop/price.py"]
    names = {
        name for link in live.library().links(["shop/cart.py"]) if link.target == "shop/price.py" for name in link.names
    }
    assert "total" not in names


def test_a_renamed_folder_is_taken_in_by_both_its_names(live: LocalCompanion, shop: Repo, parsed: list[str]):
    (shop.root / "shop").rename(shop.root / "store")
    done = live.refresh(["shop", "store"])
    assert (done.files_changed, done.files_gone) == (3, 3)
    assert sorted(parsed) == ["store/__init__.py", "store/cart.py", "store/price.py"]
    assert not [path for path in live.library().paths() if path.startswith("shop/")]
    shown = context(live, "store/cart.py")
    assert "store/cart.py" in shown
    assert "shop/cart.py" not in shown
    assert "`shop/price.py`" not in shown


def test_a_deleted_file_takes_its_code_and_facts_along(live: LocalCompanion, shop: Repo):
    assert said(live, "line_length") == ["100"]
    (shop.root / "pyproject.toml").unlink()
    (shop.root / "shop/price.py").unlink()
    done = live.refresh(["pyproject.toml", "shop/price.py"])
    assert done.files_gone == 2
    assert said(live, "line_length") == []
    assert "shop/price.py" not in live.library().paths()
    assert not [link for link in live.library().links(["shop/cart.py"]) if link.target == "shop/price.py"]


def test_a_saved_manifest_changes_the_fact_it_declares(live: LocalCompanion, shop: Repo):
    shop.write("pyproject.toml", (shop.root / "pyproject.toml").read_text().replace("100", "88"))
    assert live.refresh(["pyproject.toml"]).changed == 1
    assert said(live, "line_length") == ["88"]


def test_a_save_that_changes_nothing_is_not_parsed(live: LocalCompanion, shop: Repo, parsed: list[str]):
    same = (shop.root / "shop/cart.py").read_bytes()
    shop.write("shop/cart.py", same)
    done = live.refresh(["shop/cart.py"])
    assert (done.files_changed, parsed, done.notes) == (0, [], ())


def test_a_commit_teaches_its_episode_without_reading_code(live: LocalCompanion, shop: Repo, parsed: list[str]):
    shop.write(
        "shop/price.py", (shop.root / "shop/price.py").read_text() + "\n\ndef rounded(cents):\n    return cents\n"
    )
    live.refresh(["shop/price.py"])
    parsed.clear()
    made = shop.commit(
        "Fix totals that lost a cent\n\nHalf cents were cut off, because integers divide downwards, "
        "so that no total was right unless its cents were even. It was seen when the books of a month were closed, and "
        "the shop paid back to everybody what was missing in each of these months.\n\nFixes #77"
    )
    done = live.refresh(())
    assert (done.commits_new, parsed) == (1, [])
    hits = live.search(SearchQuery(text="half cents were cut off", profile=Profile.MEMORY))
    assert made in {evidence.ref for hit in hits for evidence in hit.memory.draft.evidence}


def test_a_checkout_is_the_other_branchs_code_facts_and_memories_and_back_again(live: LocalCompanion, shop: Repo):
    shop.git("checkout", "-q", "-b", "vat")
    shop.write("shop/vat.py", "def vat(cents):\n    return cents // 5\n")
    shop.write("pyproject.toml", (shop.root / "pyproject.toml").read_text().replace("100", "72"))
    made = shop.commit(f"Add value added tax to prices\n\n{WHY_TAXED}\n\nFixes #20")
    live.refresh(None)

    def knows_tax() -> bool:
        hits = live.search(SearchQuery(text="value added tax prices", profile=Profile.MEMORY))
        return made in {evidence.ref for hit in hits for evidence in hit.memory.draft.evidence}

    assert (live.state.branch, said(live, "line_length"), knows_tax()) == ("vat", ["72"], True)
    assert "shop/vat.py" in live.library().paths()
    shop.git("checkout", "-q", "main")
    live.refresh(["shop/vat.py", "pyproject.toml"])
    assert (live.state.branch, said(live, "line_length"), knows_tax()) == ("main", ["100"], False)
    assert "shop/vat.py" not in live.library().paths()
    shop.git("merge", "-q", "--ff-only", "vat")
    live.refresh(None)
    assert (said(live, "line_length"), knows_tax()) == (["72"], True)


def test_a_revert_brings_code_and_facts_back_and_is_known_as_one(live: LocalCompanion, shop: Repo):
    shop.write("pyproject.toml", (shop.root / "pyproject.toml").read_text().replace("100", "60"))
    shop.commit("Narrow the lines so that two files fit beside each other\n\nScreens are narrow (#30).")
    live.refresh(["pyproject.toml"])
    assert said(live, "line_length") == ["60"]
    shop.minute += 1
    shop.git("revert", "--no-edit", "HEAD")
    live.refresh(["pyproject.toml"])
    assert said(live, "line_length") == ["100"]
    assert live.runtime.store.history.seq_count(live.project) == 7


def test_a_restart_reads_nothing_that_did_not_change(desk: Desk, shop: Repo, parsed: list[str]):
    desk.scan(shop.root)
    assert len(parsed) == 6
    parsed.clear()
    companion = desk.open(shop.root)
    assert companion.refresh(None).files_changed == 0
    companion.close()
    shop.write("shop/price.py", "def total(items):\n    return 1\n")
    companion = desk.open(shop.root)
    assert companion.refresh(None).files_changed == 1
    companion.close()
    assert parsed == ["shop/price.py"]


def test_ignored_and_secret_files_are_passed_over_and_so_is_what_lies_outside(
    live: LocalCompanion, shop: Repo, parsed: list[str]
):
    shop.write(".gitignore", "*.mine.py\n")
    live.refresh([".gitignore"])
    parsed.clear()
    shop.write("shop/made.mine.py", "def made():\n    return 1\n")
    shop.write(".env", "TOKEN=hunter2\n")
    done = live.refresh(["shop/made.mine.py", ".env", "../elsewhere.py", "/etc/passwd", ".git/config"])
    assert (done.files_changed, parsed) == (0, [])
    assert [row.path for row in projects.skipped(live.runtime.store.database, live.checkout)] == [".env"]
    shop.write(".gitignore", "")
    live.refresh([".gitignore"])
    assert "shop/made.mine.py" in live.library().paths()


def test_what_looks_at_the_whole_waits_is_said_and_comes_when_nobody_works(live: LocalCompanion, shop: Repo):
    assert not waits(live)
    shop.write("shop/price.py", "def total(items):\n    return 2\n")
    assert any("nobody is working" in note for note in live.refresh(["shop/price.py"]).notes)
    assert waits(live)
    settle_down(live, lambda: True)
    assert waits(live)
    settle_down(live)
    assert not waits(live)
    assert live.refresh(None).notes == ()


def test_what_a_busy_machine_did_not_compare_is_compared_in_a_quiet_moment(
    live: LocalCompanion, monkeypatch: pytest.MonkeyPatch
):
    settle_down(live)
    live.remember(Note("The job server runs Python 3.11"))
    with monkeypatch.context() as hurry:
        hurry.setattr(opposing, "ARRIVED_S", -1.0)
        live.remember(Note("The job server runs Python 3.12 and never 3.11"))
    assert (live.contradictions(), waits(live)) == ((), True)
    settle_down(live, lambda: True)
    assert waits(live)
    assert settle_down(live).changed == 1
    assert (len(live.contradictions()), waits(live)) == (1, False)


def test_what_waits_survives_a_restart(desk: Desk, shop: Repo):
    desk.scan(shop.root)
    companion = desk.open(shop.root)
    shop.write("shop/price.py", "def total(items):\n    return 2\n")
    shop.commit("Make totals two")
    companion.refresh(None)
    companion.close()
    companion = desk.open(shop.root)
    assert waits(companion)
    settle_down(companion)
    assert not waits(companion)
    companion.close()


def test_links_that_were_cut_off_are_made_by_the_next_look(
    live: LocalCompanion, shop: Repo, monkeypatch: pytest.MonkeyPatch
):
    def cut_off(*_: object) -> None:
        raise KeyboardInterrupt

    shop.write("shop/discount.py", "from shop.price import total\n\n\ndef rebate(items):\n    return total(items)\n")
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(syntax, "link", cut_off)
        live.refresh(["shop/discount.py"])
    assert not live.library().links(["shop/discount.py"])
    live.refresh(())
    assert {link.target for link in live.library().links(["shop/discount.py"])} == {"shop/price.py"}


def test_a_checkout_that_was_never_read_is_refused(desk: Desk, shop: Repo):
    companion = desk.open(shop.root)
    with pytest.raises(UsageError, match="not been read"):
        companion.refresh(None)
    companion.close()


def test_names_that_are_no_plain_text_are_taken_in(live: LocalCompanion, shop: Repo):
    odd = shop.root / "shop" / "a\nb \\x41 ü[1].py"
    odd.write_text("def oddly_named():\n    return 1\n")
    told = f"shop/{shown_path(os.fsencode(odd.name))}"
    done = live.refresh([told])
    assert done.files_changed == 1
    assert files_that_speak_of(live, "oddly named")
    odd.unlink()
    assert live.refresh([told]).files_gone == 1


def test_worktrees_are_refreshed_each_for_itself(desk: Desk, shop: Repo, tmp_path: Path, new_repo: Callable[..., Repo]):
    desk.scan(shop.root)
    shop.git("worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    desk.scan(tmp_path / "side")
    (tmp_path / "side/shop/price.py").write_text("def only_here():\n    return 1\n")
    companion = desk.open(tmp_path / "side")
    companion.refresh(["shop/price.py"])
    assert "only_here" in companion.library().paths()["shop/price.py"].outline
    companion.close()
    companion = desk.open(shop.root)
    assert companion.refresh(None).files_changed == 0
    assert "only_here" not in companion.library().paths()["shop/price.py"].outline
    companion.close()
    shutil.rmtree(tmp_path / "side")


def test_a_fact_of_two_files_is_one_memory_and_stays_while_one_of_them_says_it(live: LocalCompanion, shop: Repo):
    def sources() -> list[list[str]]:
        found = live.search(SearchQuery(text="line length", limit=30, profile=Profile.MEMORY))
        memories = [hit.memory for hit in found if hit.memory.draft.attribute == "line_length"]
        return [sorted(proof.ref for proof in memory.draft.evidence) for memory in memories]

    shop.write(".flake8", "[flake8]\nmax-line-length = 100\n")
    live.refresh([".flake8"])
    assert sources() == [[".flake8", "pyproject.toml"]]
    shop.write("pyproject.toml", '[project]\nname = "shop"\nrequires-python = ">=3.11"\n')
    live.refresh(["pyproject.toml"])
    assert sources() == [[".flake8"]]
    shop.write("pyproject.toml", '[project]\nname = "shop"\n\n[tool.ruff]\nline-length = 100\n')
    live.refresh(["pyproject.toml"])
    (shop.root / "pyproject.toml").unlink()
    live.refresh(["pyproject.toml"])
    assert sources() == [[".flake8"]]
