"""The commits that a reader of the log would name are told, those that only pass through are not."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from msgspec.structs import replace

from companion.kinds.history.story import STEPS_MOST, story_of, with_making
from companion.records import ChangeStatus, Commit, FileChange, LineChange, Person, StoryStep

BEGIN = datetime(2024, 5, 1)
OLD = ("    total = sum(price for price in prices)", "    return total")
NEW = ("    total = sum(price.cents for price in prices if price)", "    return round(total, 2) or default")


def change(
    subject: str,
    taken: Sequence[str] = OLD,
    put: Sequence[str] = NEW,
    *,
    body: str = "",
    files: int = 1,
    came_from: str = "",
    reverts: str = "",
) -> LineChange:
    changes = tuple(FileChange(ChangeStatus.MODIFIED, f"f{n}.py") for n in range(files))
    commit = Commit(subject, (), Person("Ann", "a@x"), BEGIN, BEGIN, subject, body, changes, reverts=reverts)
    return LineChange(commit, "a.py", (1, 9), tuple(taken), tuple(put), came_from=came_from)


def story(*changes: LineChange) -> tuple[StoryStep, ...]:
    """The steps of changes that are given from the oldest on; the first one made the definition."""
    dated = [
        replace(one, first=not number, commit=replace(one.commit, committed_at=BEGIN + timedelta(days=number)))
        for number, one in enumerate(changes)
    ]
    return story_of(list(reversed(dated)), "total", {})


def named(*changes: LineChange) -> list[str]:
    return [step.sha for step in story(*changes)]


MADE = change("Add the total", (), [*OLD, "x"])
FIX = change("Fix rounding of the total")
FEATURE = change("Support prices without cents")


def test_what_made_fixed_and_changed_it_is_told_from_the_oldest_on():
    assert named(MADE, FIX, FEATURE) == ["Add the total", "Fix rounding of the total", "Support prices without cents"]
    assert [step.did for step in story(MADE, FIX, FEATURE)] == ["made", "fixed", "changed"]


def test_what_only_formats_is_not_told():
    spaces = change("Tidy up", OLD, [f"  {line}" for line in OLD])
    style = change(
        "Stick to the standard", ["a;", "b;", "c;", "if 1 == x:", "d;", "e;"], ["a", "b", "c", "if x == 1:", "d", "e"]
    )
    quotes = change(
        "Use black", ["x = ['a']", "y = f(b)"], ['x = ["a",]', "y = (", "    f(", "        b,", "    )", ")"]
    )
    assert named(MADE, spaces, FIX, quotes, style) == ["Add the total", "Fix rounding of the total"]


def test_an_empty_text_a_call_and_an_empty_list_are_more_than_dress():
    for before, after in (("return", "return ''"), ("x = make", "x = make()"), ("def f(a, b):", "def f(a=[], b={}):")):
        assert len(named(MADE, change("Return a string in any case", [before], [after]))) == 2


def test_a_few_that_weigh_most_are_told_of_many():
    small = [change(f"Adjust number {n}", ["x = 1"], ["x = 2"]) for n in range(20)]
    told = named(MADE, *small[:10], FIX, *small[10:], FEATURE)
    assert len(told) <= STEPS_MOST
    assert {"Add the total", "Fix rounding of the total", "Support prices without cents"} <= set(told)


def test_a_sweep_through_many_files_a_licence_and_a_version_stand_behind_what_was_meant_for_it():
    sweep = change("Rename Price to Money", files=200)
    licence = change("Update copyright headers", ["# Copyright 2023"], ["# Copyright 2024"])
    version = change("Bump version to 2.0", ["VERSION = 1"], ["VERSION = 2"])
    real = [FIX, FEATURE, change("Return the default for an empty cart"), change("Fix a crash without prices")]
    told = named(MADE, sweep, licence, version, *real)
    assert told == [MADE.commit.subject, *(one.commit.subject for one in real)]


def test_what_was_taken_back_and_its_revert_tell_nothing_beside_what_stayed():
    tried = change("Use floats for the total")
    revert = change('Revert "Use floats for the total"', NEW, OLD, reverts=tried.commit.sha)
    others = [FIX, FEATURE, change("Return the default for an empty cart"), change("Fix a crash without prices")]
    assert named(MADE, tried, revert, *others) == [MADE.commit.subject, *(one.commit.subject for one in others)]
    assert revert.commit.sha in named(MADE, tried, revert), "unless nothing else happened"


def test_each_step_says_what_it_did_and_gives_the_reason_of_its_message():
    moved = change("Split the module", came_from="shop.py")
    renamed = change("Better names", ["def sum_up(prices):"], ["def total(prices):"])
    reason = change(
        "fix(cart): do not round twice (#12)",
        body="Rounding twice lost a cent because half cents went down both times.",
    )
    made, moved_, renamed_, fixed = story(MADE, moved, renamed, reason)
    assert made.text == "Add the total (made total, 3 lines)"
    assert (moved_.text, moved_.did) == ("Split the module (moved here from shop.py)", "moved")
    assert (renamed_.text, renamed_.did) == ("Better names (renamed from sum_up)", "renamed")
    assert (fixed.text, fixed.did) == ("Do not round twice (+2 -2 lines)", "fixed")
    *_, grown = story(MADE, change("Say what it is for", [], ["# Of one cart."]))
    assert grown.text == "Say what it is for (+1 line)", "of what was not taken away nothing is said"
    assert fixed.detail == "Rounding twice lost a cent because half cents went down both times."


def test_of_two_alike_the_one_whose_lines_are_there_yet_is_told():
    many = [change(f"Support another sort of price, number {n}") for n in range(8)]
    stayed = dict.fromkeys((one.commit.sha for one in many[1::2]), 3)
    dated = [replace(one, first=not n) for n, one in enumerate([MADE, *many])]
    told = story_of(list(reversed(dated)), "total", {"Add the total": 3, **stayed})
    assert {step.sha for step in told} == {"Add the total", *stayed}


def test_of_many_those_are_told_of_whose_lines_most_are_left_whatever_their_title_says():
    many = [change(f"Support another sort of price, number {n}") for n in range(8)]
    merged, tests = change("merge", OLD * 9, NEW * 9), change("Added tests of big prices", OLD * 9, NEW * 9)
    dated = [replace(one, first=not n) for n, one in enumerate([MADE, *many[:4], merged, tests, *many[4:]])]
    left = {"Add the total": 3, **dict.fromkeys((one.commit.sha for one in many), 1), "merge": 9, tests.commit.sha: 9}
    told = [step.sha for step in story_of(list(reversed(dated)), "total", left)]
    assert len(told) == STEPS_MOST
    assert {"Add the total", "merge", tests.commit.sha} <= set(told)


def test_of_two_alike_the_one_is_told_whose_message_says_why():
    many = [change(f"Support another sort of price, number {n}") for n in range(9)]
    why = change("Support vouchers", body="A voucher is no price because it has no currency of its own.")
    assert "Support vouchers" in named(MADE, *many[:4], why, *many[4:])


def test_all_commits_are_told_where_they_are_few_however_little_they_weigh():
    small = change("Added test of big prices", ["x = int(y)"], ["x = long(y)"])
    assert named(MADE, FIX, small, FEATURE) == [one.commit.subject for one in (MADE, FIX, small, FEATURE)]


def test_a_step_is_dated_by_the_day_it_was_written_and_not_by_the_day_it_was_brought_in():
    landed = replace(FIX, commit=replace(FIX.commit, authored_at=BEGIN - timedelta(days=300)))
    assert [step.at for step in story(MADE, landed)] == [BEGIN, BEGIN - timedelta(days=300)]


def test_a_name_of_code_that_begins_a_title_is_left_as_it_is():
    assert story(change("c.total() is slow", (), OLD))[0].text.startswith("c.total() is slow (")


def test_of_nothing_there_is_no_story():
    assert story_of([], "total", {}) == ()


def made(name: str, *changes: LineChange) -> list[str]:
    """The changes, given from the oldest on, that made what is called so."""
    first = [replace(one, first=not number) for number, one in enumerate(changes)]
    return [one.commit.subject for one in with_making(first[::-1], name) if one.first]


BEFORE = change("Begin", (), ["x = 1", "y = 2"])
DRAWN = change("Draw out the total", ["x = 1"], ["def total(prices):", *OLD])


def test_a_commit_made_a_definition_only_if_its_lines_brought_the_name():
    assert made("total", BEFORE, DRAWN, FIX) == ["Draw out the total"]
    assert made("total", DRAWN, FIX) == ["Draw out the total"]
    assert made("shop.total", BEFORE, DRAWN) == ["Draw out the total"]
    assert made("volume", BEFORE, DRAWN) == []


def test_a_name_that_went_and_came_again_was_made_by_what_brought_it_last():
    gone = change("Inline the total", ["def total(prices):", *OLD], ["y = 3"])
    assert made("total", DRAWN, gone, change("Bring it back", ["y = 3"], ["def total(prices):", *NEW])) == [
        "Bring it back"
    ]


def test_what_was_renamed_was_made_under_its_former_name():
    named_else = change("Draw out the sum", ["x = 1"], ["def sum_up(prices):", "    return sum(prices)"])
    renamed = change("Rename and round", ["def sum_up(prices):"], ["def total(prices, digits):", "    digits += 1"])
    assert made("total", BEFORE, named_else, renamed) == ["Draw out the sum"]


def test_what_was_before_a_definition_is_told_only_where_lines_of_it_are_left():
    steps = with_making([DRAWN, replace(BEFORE, first=True)], "total")
    assert [step.did for step in story_of(steps, "total", {"Draw out the total": 3})] == ["made"]
    assert [step.did for step in story_of(steps, "total", {"Draw out the total": 3, "Begin": 1})] == ["changed", "made"]


def test_a_sentence_that_leans_on_the_one_before_is_told_behind_it_or_not_at_all():
    leaning = "Half cents went down. It also lost a cent because of that."
    (alone,) = story(change("Add the total", (), [*OLD], body=f"See the notes below.\n\n{leaning}"))
    assert alone.detail == leaning
    far = f"{'Half cents went down and up again ' * 8}. It also lost a cent because of that."
    assert [one.detail for one in story(change("Add the total", (), [*OLD], body=far))] == [""]
    (listed,) = story(
        change("Add the total", (), [*OLD], body="Note that because of (3) this bug never loses whole cents.")
    )
    assert listed.detail == ""
