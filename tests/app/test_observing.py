"""What is observed is written down, taken in, and completes what is asked with nothing said."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

import pytest
from msgspec.structs import replace
from repos import Repo

from app.conftest import Desk
from companion.api import Order
from companion.app.local import LocalCompanion
from companion.app.scanning.arriving import note_changes
from companion.errors import UsageError
from companion.records import (
    Activity,
    Context,
    Diagnosed,
    Diagnostic,
    Format,
    Happening,
    Ran,
    Severity,
    Signals,
    Touch,
    Touched,
)
from companion.store.working import events

CART, PRICE, TEST = "shop/cart.py", "shop/price.py", "tests/test_cart.py"


@pytest.fixture
def companion(desk: Desk, shop: Repo) -> Iterator[LocalCompanion]:
    desk.scan(shop.root)
    opened = desk.open(shop.root)
    yield opened
    opened.close()


def ask(companion: LocalCompanion, signals: Signals | None = None, **options: bool) -> Context:
    return companion.assemble(2_000, signals or Signals(), Format.MARKDOWN, Order.PEOPLE, **options)


def opened(*paths: str) -> list[Touched]:
    return [Touched(path, Touch.OPENED) for path in paths]


def noted(companion: LocalCompanion) -> list[tuple[str, str]]:
    return [
        (event.what.value, event.path)
        for event in events.newest(companion.store.database, companion.checkout, 99)
        if event.what is not Happening.BRANCH
    ]


def test_what_was_observed_is_known_after_a_restart(desk: Desk, shop: Repo) -> None:
    desk.scan(shop.root)
    first = desk.open(shop.root)
    first.observe([*opened(CART, PRICE), Touched(PRICE, Touch.EDITED, "total", 1)])
    before, answer = first.at_work(), ask(first, count_use=False)
    first.close()
    again = desk.open(shop.root)
    try:
        assert again.at_work() == before
        assert ask(again, count_use=False) == answer
    finally:
        again.close()


def test_an_ask_that_says_nothing_is_answered_for_what_one_is_at(companion: LocalCompanion) -> None:
    companion.observe([*opened(TEST, PRICE, CART), Touched(CART, Touch.EDITED, "Cart.sum", 7)])
    answer = ask(companion)
    assert answer.text == ask(companion, Signals(current_file=CART)).text
    assert CART in answer.text.split("##")[0]
    assert answer.inferred["current_file"] == "edited once, opened once; last edited"
    assert "opened" in answer.inferred
    assert companion.at_work().current_file == CART


def test_what_is_given_wins_over_what_is_inferred(companion: LocalCompanion) -> None:
    companion.observe(opened(CART))
    answer = ask(companion, Signals(current_file=PRICE, activity=Activity.REVIEW))
    assert answer.activity is Activity.REVIEW
    assert "current_file" not in answer.inferred
    assert "activity" not in answer.inferred


def test_a_question_about_another_moment_is_left_as_it_is(companion: LocalCompanion) -> None:
    companion.observe(opened(CART))
    assert "current_file" not in ask(companion, Signals(at=companion.now())).inferred


def test_the_same_store_signals_and_clock_give_the_same_bytes(companion: LocalCompanion) -> None:
    companion.observe([*opened(CART, PRICE), Touched(CART, Touch.EDITED)])
    assert ask(companion).text == ask(companion).text == ask(companion, count_use=False).text


def test_paths_may_be_absolute_and_strange_files_are_left_out(companion: LocalCompanion, shop: Repo) -> None:
    (shop.root / "new.py").write_text("x = 1\n")
    companion.observe(
        [
            *opened(str(shop.root / CART), "/etc/hostname", "nowhere.py", ".git/HEAD", "shop", "new.py", "../up.py"),
            Touched("gone.py", Touch.CLOSED),
        ]
    )
    assert noted(companion) == [("opened", CART), ("opened", "new.py"), ("closed", "gone.py")]


def test_a_file_the_index_does_not_know_is_noted_as_new(companion: LocalCompanion, shop: Repo) -> None:
    (shop.root / "shop/pay.py").write_text("x = 1\n")
    companion.observe([Touched("shop/pay.py", Touch.EDITED)])
    at_work = companion.at_work()
    assert (at_work.activity, at_work.why_activity) == ("new-feature", "shop/pay.py is new")


def test_no_secret_and_no_content_is_written_down(companion: LocalCompanion) -> None:
    token = "ghp_" + "a1B2" * 9
    companion.observe(
        [
            Touched(CART, Touch.SELECTED, symbol=f"Cart.{token}"),
            Diagnosed(CART, (Diagnostic(1, f"undefined name {token}"),)),
        ]
    )
    rows = events.newest(companion.store.database, companion.checkout, 99)
    assert token not in repr(rows)
    assert [(row.errors, row.warnings) for row in rows if row.what is Happening.DIAGNOSED] == [(1, 0)]


def test_diagnostics_are_counted_and_told_only_when_they_change(companion: LocalCompanion) -> None:
    two = (Diagnostic(1, "bad"), Diagnostic(2, "hm", Severity.WARNING))
    companion.observe([Diagnosed(CART, two)])
    companion.observe([Diagnosed(CART, two)])
    companion.observe([Diagnosed(CART)])
    rows = events.newest(companion.store.database, companion.checkout, 99)
    assert [(row.errors, row.warnings) for row in rows if row.what is Happening.DIAGNOSED] == [(1, 1), (0, 0)]


def test_a_storm_of_the_same_touch_is_written_down_a_few_times(companion: LocalCompanion) -> None:
    for _ in range(40):
        companion.observe([Touched(CART, Touch.EDITED)] * 5)
    assert len(noted(companion)) < 10


def test_a_failing_command_makes_it_debugging_and_a_passing_one_ends_it(companion: LocalCompanion) -> None:
    command = Ran("pytest -q", companion.state.root, 1, 2.0, companion.now())
    companion.observe([*opened(CART), command])
    assert companion.at_work().activity == "debugging"
    assert companion.at_work().why_activity == "the last command failed"
    companion.runtime.adapters.clock.advance(minutes=1)  # type: ignore[attr-defined]
    companion.observe([replace(command, exit_code=0, started_at=companion.now())])
    assert companion.at_work().activity == "exploring"


def test_an_error_of_the_last_minutes_completes_the_ask(companion: LocalCompanion) -> None:
    output = (
        "Traceback (most recent call last):\n"
        '  File "shop/price.py", line 3, in total\n    return sum(items)\n'
        "TypeError: unsupported operand type(s)\n"
    )
    companion.observe([*opened(CART), Ran("pytest -q", companion.state.root, 1, 2.0, companion.now(), output)])
    answer = ask(companion)
    assert answer.activity is Activity.DEBUGGING
    assert answer.inferred["errors"] == "seen in the last minutes and not gone since"
    companion.runtime.adapters.clock.advance(hours=2)  # type: ignore[attr-defined]
    assert "errors" not in ask(companion).inferred


def test_a_branch_that_is_checked_out_is_noted_and_says_what_the_work_is(
    desk: Desk, shop: Repo, companion: LocalCompanion
) -> None:
    companion.observe(opened(CART))
    companion.close()
    shop.git("checkout", "-q", "-b", "fix/rounding-of-prices")
    again = desk.open(shop.root)
    try:
        again.observe(opened(PRICE))
        branches = [
            event.branch
            for event in events.newest(again.runtime.store.database, again.checkout, 99)
            if event.what is Happening.BRANCH
        ]
        assert branches == ["main", "fix/rounding-of-prices"]
        answer = ask(again)
        assert answer.inferred["branch"] == "it is checked out"
        assert answer.activity is Activity.DEBUGGING
        assert answer.inferred["activity"] == "the branch name says “fix”"
    finally:
        again.close()


def test_people_whose_commits_came_in_are_there(companion: LocalCompanion, shop: Repo) -> None:
    shop.git("config", "user.email", "ann@example.com")
    shop.write("notes.md", "hello\n")
    shop.commit("Note it\n\nCo-authored-by: Cy <cy@example.com>", GIT_AUTHOR_NAME="Bea", GIT_AUTHOR_EMAIL="bea@x.org")
    shop.commit("Mine")
    note_changes(companion, commits=shop.commits()[-2:])
    companion.observe(opened(CART))
    assert companion.session().at_hand().people == ("Bea", "Cy")
    assert ask(companion).inferred["collaborators"] == "their commits arrived recently"


def test_a_file_saved_by_an_editor_that_tells_nothing_is_at_the_centre(companion: LocalCompanion) -> None:
    note_changes(companion, [PRICE])
    assert companion.at_work().current_file == PRICE


def test_a_checkout_of_many_files_is_nobodys_work(companion: LocalCompanion) -> None:
    note_changes(companion, [f"f{n}.py" for n in range(40)])
    assert companion.at_work().current_file == ""


def test_what_an_editor_told_is_not_counted_twice(companion: LocalCompanion) -> None:
    companion.observe([Touched(PRICE, Touch.SAVED)])
    note_changes(companion, [PRICE])
    assert noted(companion) == [("saved", PRICE)]


def test_a_checkout_that_was_never_read_observes_nothing(desk: Desk, shop: Repo) -> None:
    companion = desk.open(shop.root)
    try:
        with pytest.raises(UsageError, match="companion init"):
            companion.observe(opened(CART))
        note_changes(companion, [CART])
        assert noted(companion) == []
    finally:
        companion.close()


def test_a_memory_is_cited_when_a_file_it_is_about_is_edited_next(companion: LocalCompanion) -> None:
    companion.observe(opened(CART))
    answer = ask(companion)
    about = {
        item.id for tier in answer.tiers[:2] for item in tier.items if item.id.startswith("m1") and PRICE in item.files
    }
    assert about
    companion.observe([Touched(PRICE, Touch.EDITED)])
    found = {memory.id: memory.usage for memory in companion.store.memories.get(sorted(about))}
    assert {usage.cited for usage in found.values()} == {1}
    companion.observe([Touched(PRICE, Touch.SAVED)])
    assert companion.stats().cited == len(about)


def test_threads_that_observe_and_ask_at_once_lose_nothing(companion: LocalCompanion) -> None:
    failed: list[BaseException] = []

    def guarded(work: Callable[[int], None], number: int) -> None:
        try:
            work(number)
        except BaseException as wrong:
            failed.append(wrong)

    def observing(number: int) -> None:
        for path in (CART, PRICE, TEST):
            companion.observe([Touched(path, Touch.SELECTED, f"f{number}")])

    def asking(_: int) -> None:
        for _ in range(3):
            ask(companion)

    threads = [
        threading.Thread(target=guarded, args=(work, number)) for number in range(4) for work in (observing, asking)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert failed == []
    rows = events.newest(companion.store.database, companion.checkout, 99)
    assert [row.number for row in rows] == list(range(1, len(rows) + 1))
    assert len(noted(companion)) == 4 * 3
    assert companion.session().at_hand().events == rows


@pytest.mark.parametrize("code", [2**32, 3_221_225_477, -(2**63)])
def test_a_command_with_an_exit_code_beyond_32_bits_is_kept_as_the_failure_it_is(
    companion: LocalCompanion, desk: Desk, shop: Repo, code: int
) -> None:
    companion.observe([Ran("make test", str(shop.root), code, 1.0, desk.clock.now())])
    (event,) = events.newest(companion.store.database, companion.checkout, 1)
    assert event.exit_code not in (0, None)


def test_a_task_that_names_a_commit_is_answered_for_what_that_did(companion: LocalCompanion) -> None:
    (newest,) = companion.store.history.recent_commits(companion.project, 1)
    answer = ask(companion, Signals(query=f"take back {newest.sha[:12]}"))
    assert answer.inferred["query"] == f"{newest.sha[:10]} is a commit"
    said = ask(companion, Signals(query=f"take back {newest.subject}\n{' '.join(one.path for one in newest.changes)}"))
    assert answer.text == said.text
    unknown = ask(companion, Signals(query="take back 0123456789abcdef"))
    assert "query" not in unknown.inferred
    assert unknown.text == ask(companion, Signals(query="take back")).text
