"""An error is followed from the command that shows it to the change that ends it, and told when it comes back."""

from __future__ import annotations

import random
import string
from collections.abc import Iterator
from datetime import timedelta

import pytest
from repos import Repo

from app.conftest import Desk
from companion.api import Order
from companion.app.local import LocalCompanion
from companion.app.working.commands import note_ran
from companion.app.working.failures import note_diagnosed
from companion.records import (
    Context,
    Diagnosed,
    Diagnostic,
    Failure,
    Format,
    Memory,
    Ran,
    Severity,
    Signals,
    Tier,
    Visibility,
)

TRACEBACK = """Traceback (most recent call last):
  File "{root}/shop/cart.py", line 8, in sum
    return total([])
  File "{root}/shop/price.py", line 3, in total
    return sum(item)
NameError: name 'item' is not defined. Did you mean: 'items'?
"""


@pytest.fixture
def companion(desk: Desk, shop: Repo) -> Iterator[LocalCompanion]:
    desk.scan(shop.root)
    opened = desk.open(shop.root)
    yield opened
    opened.close()


class Typist:
    """Runs commands as the companion hears of them, a minute apart."""

    def __init__(self, desk: Desk, shop: Repo, companion: LocalCompanion) -> None:
        self.desk, self.shop, self.companion = desk, shop, companion

    def run(self, command: str, exit_code: int = 0, output: str = "", **passed: float) -> None:
        self.desk.clock.advance(**(passed or {"minutes": 1}))
        output = output.format(root=self.shop.root)
        note_ran(self.companion, Ran(command, str(self.shop.root), exit_code, 2.0, self.desk.clock.now(), output))

    def fails(self, command: str = "pytest -q", **passed: float) -> None:
        self.run(command, 1, TRACEBACK, **passed)

    def errors(self) -> list[Memory]:
        found = self.companion.store.memories.iterate(self.companion.project)
        return [m for m in found if isinstance(m.draft.body, Failure) and m.draft.origin.startswith("error:")]

    def failure(self) -> tuple[Memory, Failure]:
        (memory,) = self.errors()
        assert isinstance(memory.draft.body, Failure)
        return memory, memory.draft.body

    def critical(self, **signals: object) -> list[str]:
        context: Context = self.companion.assemble(
            8000,
            Signals(**signals),  # type: ignore[arg-type]
            Format.MARKDOWN,
            Order.PEOPLE,
        )
        (tier,) = (tier for tier in context.tiers if tier.tier is Tier.CRITICAL)
        return [item.text for item in tier.items]


@pytest.fixture
def typist(desk: Desk, shop: Repo, companion: LocalCompanion) -> Typist:
    return Typist(desk, shop, companion)


def test_a_failing_command_is_an_error_episode_of_its_user_with_place_and_command(typist: Typist):
    typist.fails()
    memory, failure = typist.failure()
    assert memory.draft.type == "error"
    assert memory.draft.visibility is Visibility.USER_PRIVATE
    assert failure.error_type == "NameError"
    assert (failure.fix, failure.verified) == ("", False)
    assert "shop/price.py:3 in total" in memory.draft.levels.full
    assert "`pytest -q`" in memory.draft.levels.full
    assert "file:shop/price.py" in memory.draft.entities


def test_the_same_command_passing_after_a_commit_links_the_error_to_it_as_verified(typist: Typist, shop: Repo):
    typist.fails()
    shop.write("shop/price.py", "def total(items):\n    return sum(items)\n")
    sha = shop.commit("Sum the items, not the item")
    typist.run("pytest -q")
    memory, failure = typist.failure()
    assert failure.fix == f"Sum the items, not the item (commit {sha[:10]})"
    assert failure.fix_commit == sha
    assert failure.verified
    assert "verified (`pytest -q` failed before and passed after)" in memory.draft.levels.full


def test_an_edit_that_is_not_committed_is_the_fix_too_and_its_lines_are_shown(typist: Typist, shop: Repo):
    typist.fails()
    before = (shop.root / "shop/price.py").read_text()
    shop.write("shop/price.py", before.replace("return sum(items)", "return sum(list(items))"))
    typist.run("pytest -q")
    memory, failure = typist.failure()
    assert failure.fix == "edited shop/price.py"
    assert failure.verified
    assert "+    return sum(list(items))" in memory.draft.levels.full


def test_what_was_dirty_before_and_did_not_change_is_no_fix(typist: Typist, shop: Repo):
    shop.write("shop/cart.py", "print('in the middle of something')\n")
    typist.fails()
    shop.write("shop/price.py", "def total(items):\n    return 0\n")
    typist.run("pytest -q")
    assert typist.failure()[1].fix == "edited shop/price.py"


def test_committing_what_was_already_there_changes_nothing(typist: Typist, shop: Repo):
    shop.write("shop/cart.py", "print('in the middle of something')\n")
    typist.fails()
    shop.commit("Keep it")
    typist.run("pytest -q")
    assert not typist.failure()[1].verified
    assert "nothing was changed" in typist.failure()[1].fix


def test_an_error_that_passes_without_a_change_is_flaky_and_never_verified(typist: Typist, shop: Repo):
    typist.fails()
    typist.run("pytest -q")
    memory, failure = typist.failure()
    assert not failure.verified
    assert "flaky" in failure.fix
    assert "not verified" in memory.draft.levels.full
    typist.fails()
    shop.write("shop/price.py", "def total(items):\n    return 0\n")
    typist.run("pytest -q")
    memory, failure = typist.failure()
    assert failure.fix == "edited shop/price.py"
    assert not failure.verified
    assert "it has also gone away with nothing changed" in memory.draft.levels.full


def test_another_command_passing_says_nothing(typist: Typist, shop: Repo):
    typist.fails()
    shop.write("shop/price.py", "def total(items):\n    return 0\n")
    typist.run("ruff check")
    assert typist.failure()[1].fix == ""


def test_the_same_error_later_brings_the_verified_fix_into_the_critical_tier(typist: Typist, shop: Repo):
    typist.fails()
    shop.write("shop/price.py", "def total(items):\n    return sum(items)\n")
    shop.commit("Sum the items, not the item")
    typist.run("pytest -q")
    typist.run("true", days=40)
    told = "\n".join(typist.critical(errors=(TRACEBACK.format(root=shop.root),)))
    assert "Sum the items, not the item" in told
    assert "verified" in told
    assert "not verified" not in told
    typist.fails(days=1)
    memory, failure = typist.failure()
    assert "It is back" in memory.draft.levels.full
    assert failure.fix.startswith("Sum the items")
    assert any("Sum the items" in text for text in typist.critical(current_file="shop/price.py"))


def test_an_error_of_the_last_day_is_critical_with_its_unverified_fix_said_to_be_so(typist: Typist):
    typist.fails()
    typist.run("pytest -q")
    assert any("not verified" in text for text in typist.critical(current_file="shop/price.py"))
    typist.desk.clock.advance(days=2)
    assert not any("not verified" in text for text in typist.critical(current_file="pyproject.toml"))


def test_an_error_is_one_memory_however_often_it_is_seen(typist: Typist):
    for _ in range(4):
        typist.fails()
    memory, _ = typist.failure()
    assert "seen 4 times" in memory.draft.levels.full
    assert len(typist.companion.store.memories.versions(memory.id)) == 1


def test_looking_around_and_ctrl_c_leave_no_errors(typist: Typist):
    typist.run("ls nowhere", 2, "ls: cannot access 'nowhere': No such file or directory\n")
    typist.run("grep x y", 2, "grep: error: y: No such file\n")
    typist.run("pytest -q", 130, TRACEBACK)
    assert typist.errors() == []


def diagnosed(*messages: str) -> Diagnosed:
    return Diagnosed("shop/price.py", tuple(Diagnostic(3, text, Severity.ERROR, "pyright") for text in messages))


def test_a_diagnostic_that_stood_and_went_away_with_an_edit_is_linked_to_it_but_not_verified(
    typist: Typist, shop: Repo
):
    note_diagnosed(typist.companion, diagnosed('"item" is not defined'))
    assert typist.errors() == []
    typist.desk.clock.advance(minutes=5)
    shop.write("shop/price.py", "def total(items):\n    return 0\n")
    note_diagnosed(typist.companion, diagnosed())
    memory, failure = typist.failure()
    assert failure.fix == "edited shop/price.py"
    assert not failure.verified
    assert "no command has shown it gone" in memory.draft.levels.full


def test_a_half_typed_line_leaves_nothing(typist: Typist, shop: Repo):
    note_diagnosed(typist.companion, diagnosed("Expected expression"))
    typist.desk.clock.advance(seconds=3)
    shop.write("shop/price.py", "def total(items):\n    return 0\n")
    note_diagnosed(typist.companion, diagnosed())
    assert typist.errors() == []


def test_a_closed_file_is_not_a_mended_one(typist: Typist):
    note_diagnosed(typist.companion, diagnosed('"item" is not defined'))
    typist.desk.clock.advance(minutes=5)
    note_diagnosed(typist.companion, diagnosed())
    assert typist.errors() == []
    typist.desk.clock.advance(minutes=5)
    note_diagnosed(typist.companion, diagnosed('"item" is not defined'))
    _, failure = typist.failure()
    assert failure.fix == ""


def test_secrets_in_commands_output_and_diagnostics_never_reach_the_store(typist: Typist, desk: Desk):
    token = "ghp_" + "".join(random.Random(7).choices(string.ascii_letters + string.digits, k=36))
    typist.run(f"SERVICE_KEY={token} ./deploy.sh --token {token}", 1, f"ValueError: bad token {token}\n")
    typist.run(f"curl -H 'Authorization: token {token}' x", 1, f"error: {token} was refused\n")
    note_diagnosed(typist.companion, diagnosed(f"bad literal '{token}'"))
    typist.companion.store.database.checkpoint()
    for file in desk.home.rglob("*"):
        if file.is_file():
            assert token.encode() not in file.read_bytes(), file


def test_a_checkout_that_nobody_had_read_keeps_no_commands(desk: Desk, shop: Repo):
    companion = desk.open(shop.root)
    typist = Typist(desk, shop, companion)
    typist.fails()
    with companion.store.database.read() as connection:
        assert connection.execute("select count(*) from commands").fetchall() == [(0,)]
    assert typist.errors() == []
    companion.close()


def test_the_same_report_twice_is_one_command(typist: Typist, shop: Repo):
    ran = Ran("make", str(shop.root), 0, 1.0, typist.desk.clock.now() - timedelta(minutes=1))
    note_ran(typist.companion, ran)
    note_ran(typist.companion, ran)
    with typist.companion.store.database.read() as connection:
        assert connection.execute("select command, directory, exit_code from commands").fetchall() == [("make", "", 0)]
