"""Where work on a project stopped: what fails, is in no commit, proposed, decided, rejected, and came last."""

from __future__ import annotations

import random
import string
from collections.abc import Iterator

import pytest
from repos import Repo

from app.conftest import Desk
from companion.adapters.tokens import QuickTokens
from companion.api import Greeting, Note, Todo, Trace, TraceSort
from companion.app.local import LocalCompanion
from companion.app.verbs.conversation.open_ends import TEXT_TOKENS
from companion.engine.telling.greeting import NOTHING, in_words
from companion.records import Outcome, Ran, Scope

TODAY = {"GIT_AUTHOR_DATE": "2026-01-05T08:00:00 +0000", "GIT_COMMITTER_DATE": "2026-01-05T08:00:00 +0000"}
FAILED = """
tests/test_cart.py:5: in test_sum
    assert Cart().sum() == 0
E   AssertionError: assert 1 == 0
FAILED tests/test_cart.py::test_sum - AssertionError: assert 1 == 0
"""


@pytest.fixture
def companion(desk: Desk, shop: Repo) -> Iterator[LocalCompanion]:
    """A companion that has read the shop, of which the last commit is two years old."""
    desk.scan(shop.root)
    one = desk.open(shop.root)
    yield one
    one.close()


def read_again(desk: Desk, companion: LocalCompanion, shop: Repo) -> LocalCompanion:
    """The companion after what changed was taken in, as a request finds it."""
    companion.refresh(None)
    companion.close()
    return desk.open(shop.root)


def told(companion: LocalCompanion, sort: TraceSort) -> list[str]:
    return [one.says for one in companion.greeting().traces if one.sort is sort]


def test_nothing_is_told_of_work_that_ended_long_ago(companion: LocalCompanion):
    assert companion.greeting() == Greeting(project="shop")


def test_what_is_in_no_commit_is_named_with_its_lines_and_definitions(
    desk: Desk, companion: LocalCompanion, shop: Repo
):
    text = (shop.root / "shop/cart.py").read_text()
    shop.write("shop/cart.py", text.replace("return total([])", "return total([1])").replace("return 3", "return 4"))
    shop.write("shop/new.py", "def added():\n    return 1\n")
    (shop.root / "tests/test_cart.py").unlink()
    companion = read_again(desk, companion, shop)
    found = {one.path: one for one in companion.greeting().traces}
    assert found["shop/cart.py"].spans == ((8, 8), (24, 24))
    assert found["shop/cart.py"].says == "shop/cart.py:8, 24 (Cart.sum, cart_step_3)"
    assert found["shop/new.py"].says == "shop/new.py (new)"
    assert found["tests/test_cart.py"].says == "tests/test_cart.py (gone)"
    assert "- shop/cart.py:8, 24 (Cart.sum, cart_step_3) [" in companion.greeting().text
    shop.git("stash", "-u", "-q")
    assert told(read_again(desk, companion, shop), TraceSort.UNCOMMITTED) == []


def test_a_command_is_told_until_it_passes(desk: Desk, companion: LocalCompanion, shop: Repo):
    def run(exit_code: int, output: str = "") -> None:
        desk.clock.advance(seconds=60)
        companion.observe([Ran("pytest -q", str(shop.root), exit_code, 1.0, desk.clock.now(), output)])

    run(1, FAILED)
    (failing,) = companion.greeting().traces
    assert (failing.sort, failing.path, failing.source) == (TraceSort.FAILING, "tests/test_cart.py", "shell")
    assert failing.says == "`pytest -q`: AssertionError: assert 1 == 0 (tests/test_cart.py:5)"
    run(0)
    assert companion.greeting().traces == ()
    run(130)
    assert companion.greeting().traces == ()


def test_what_waits_for_an_answer_and_what_was_decided_tried_and_given_up_are_told_apart(
    desk: Desk, companion: LocalCompanion, shop: Repo
):
    shop.git("checkout", "-q", "-b", "try-decimals")
    shop.write("shop/money.py", "def money():\n    return 1\n")
    shop.commit("Try decimals", **TODAY)
    shop.git("checkout", "-q", "main")
    shop.write("shop/price.py", (shop.root / "shop/price.py").read_text() + "\n\ndef added():\n    return 1\n")
    shop.commit("Add a price", **TODAY)
    shop.git("revert", "--no-edit", "HEAD", **TODAY)
    companion = read_again(desk, companion, shop)
    companion.remember(Note("We decided to show gross prices, because the law says so"))
    answer = companion.verify("rewrite the cart in Rust", "make the cart faster")
    companion.record_outcome(answer.id, Outcome.REJECTED, "too much at once")
    assert told(companion, TraceSort.PROPOSED) == ["not merged: Try decimals"]
    (decided,) = told(companion, TraceSort.DECIDED)
    assert "gross prices" in decided
    assert told(companion, TraceSort.REJECTED) == [
        "Add a price",
        "rewrite the cart in Rust: too much at once",
    ]
    assert told(companion, TraceSort.COMMITTED)[-1].startswith("Add a price: shop/price.py")
    text = companion.greeting().text
    order = ["Waiting for an answer:", "Decided this week", "Tried and rejected:", "Last commits:"]
    assert [text.index(name) for name in order] == sorted(text.index(name) for name in order)
    shop.git("revert", "--no-edit", "HEAD", **TODAY)
    companion = read_again(desk, companion, shop)
    assert told(companion, TraceSort.REJECTED) == ["rewrite the cart in Rust: too much at once"], "it stands again"
    desk.clock.advance(days=40)
    assert read_again(desk, companion, shop).greeting().traces == ()


def test_where_nothing_waits_the_last_commits_are_told_and_that_nothing_does(
    desk: Desk, companion: LocalCompanion, shop: Repo
):
    shop.write("shop/price.py", (shop.root / "shop/price.py").read_text() + "\n\ndef added():\n    return 1\n")
    sha = shop.commit("Add a price", **TODAY)
    companion = read_again(desk, companion, shop)
    assert companion.greeting().text == (
        f"{NOTHING}\n\nLast commits:\n- Add a price: shop/price.py (added) [commit {sha[:10]}, 2026-01-05]"
    )


def test_a_rule_that_binds_what_is_uncommitted_is_told_with_it(desk: Desk, companion: LocalCompanion, shop: Repo):
    kept = companion.remember(Note("Never import floats here.", scope=Scope(path="shop")))
    assert (kept.became, kept.is_now) == ("rule", "a rule for shop")
    assert companion.greeting().traces == ()
    shop.write("shop/new.py", "def added():\n    return 1\n")
    companion = read_again(desk, companion, shop)
    assert told(companion, TraceSort.BINDING) == ["Never import floats here."]


def test_what_is_to_be_done_is_told_though_no_day_is_set(companion: LocalCompanion):
    kept = companion.add_todo(Todo("Ask Mara for the rates"))
    assert [one.id for one in companion.greeting().todos] == [kept.id]
    assert "To do:\n- " in companion.greeting().text


def test_a_conversation_that_waits_hides_no_trace(desk: Desk, companion: LocalCompanion, shop: Repo):
    shop.write("shop/new.py", "def added():\n    return 1\n")
    companion = read_again(desk, companion, shop)
    begun = companion.start_conversation("Rounding")
    found = companion.greeting()
    assert found.waiting_talk == begun
    assert [one.path for one in found.traces] == ["shop/new.py"]
    assert found.text.index("Rounding") < found.text.index("shop/new.py")


def test_a_secret_in_the_name_of_a_file_or_branch_is_not_told(desk: Desk, companion: LocalCompanion, shop: Repo):
    secret = "ghp_" + "".join(random.Random(13).choices(string.ascii_letters + string.digits, k=36))
    shop.git("checkout", "-q", "-b", f"try/{secret}")
    shop.commit("Try", **TODAY)
    shop.git("checkout", "-q", "main")
    shop.write(f"shop/{secret}.txt", "one\n")
    assert secret not in repr(read_again(desk, companion, shop).greeting())


def test_however_much_there_is_it_is_told_in_few_tokens_and_no_group_hides_another(companion: LocalCompanion):
    now = companion.now()
    traces = tuple(
        Trace(
            sort,
            f"{sort.value} number {n} of very many things that somebody left {'x' * 300}",
            now,
            "commit 1234567890",
        )
        for sort in TraceSort
        for n in range(40)
    )
    text = in_words(Greeting(traces=traces, long_overdue=3), QuickTokens().count, TEXT_TOKENS)
    assert QuickTokens().count(text) <= TEXT_TOKENS
    for sort in TraceSort:
        assert f"{sort.value} number 0" in text
    assert "and 3" in text
    assert in_words(Greeting(traces=traces), QuickTokens().count, 0) == ""
    assert in_words(Greeting(), QuickTokens().count, TEXT_TOKENS) == ""


def test_what_git_said_is_asked_again_once_it_is_old(desk: Desk, companion: LocalCompanion, shop: Repo):
    assert companion.greeting().traces == ()
    shop.write("shop/later.py")
    assert companion.greeting().traces == ()
    desk.clock.advance(minutes=11)
    assert [one.path for one in companion.greeting().traces] == ["shop/later.py"]
