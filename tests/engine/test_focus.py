"""What signals mean: files at hand, words, errors, activity - and why."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.engine.attending.focus import CURRENT_WEIGHT, FRAME_WEIGHT, branch_words, focus, identifiers
from companion.records import Activity, ErrorReport, Frame, Signals

FILES = ("src/app.py", "src/db.py", "tests/test_app.py")


def error(*paths: str, symbols: tuple[str, ...] = (), inside: bool = True) -> ErrorReport:
    frames = tuple(Frame(path, line, "serve", inside) for line, path in enumerate(paths, start=1))
    return ErrorReport("python", "KeyError", "'user_id' is missing", "f1", frames, symbols)


def test_the_file_in_front_weighs_most_then_edited_then_opened() -> None:
    meant = focus(Signals(current_file="src/app.py", edited=("src/db.py",), opened=("tests/test_app.py",)), ())
    assert list(meant.files) == ["src/app.py", "src/db.py", "tests/test_app.py"]
    assert list(meant.files.values()) == sorted(meant.files.values(), reverse=True)
    assert meant.at_hand == set(FILES)


def test_a_file_given_twice_keeps_its_greatest_weight() -> None:
    meant = focus(Signals(current_file="src/app.py", opened=("src/app.py",)), ())
    assert dict(meant.files) == {"src/app.py": CURRENT_WEIGHT}


def test_files_of_an_error_matter_without_being_at_hand() -> None:
    meant = focus(Signals(), [error("src/app.py", "src/db.py")])
    assert set(meant.files) == {"src/app.py", "src/db.py"}
    assert max(meant.files.values()) == FRAME_WEIGHT
    assert not meant.at_hand


def test_both_ends_of_a_stack_weigh_most_for_languages_disagree_on_which_is_innermost() -> None:
    meant = focus(Signals(), [error("a.py", "b.py", "c.py", "d.py", "e.py")])
    assert meant.error_files["a.py"] == meant.error_files["e.py"] == 1.0
    assert meant.error_files["b.py"] > meant.error_files["c.py"]


def test_frames_outside_the_repository_are_not_followed() -> None:
    assert not focus(Signals(), [error("/usr/lib/python3/json.py", inside=False)]).files


def test_a_file_nobody_knows_is_kept_and_named() -> None:
    meant = focus(Signals(current_file="src/new.py"), ())
    assert "src/new.py" in meant.files


def test_query_error_and_branch_together_are_the_task_in_words() -> None:
    signals = Signals(query="why is the session lost", branch="fix/512-login_loop")
    text = focus(signals, [error()]).text
    assert text.splitlines() == ["why is the session lost", "KeyError 'user_id' is missing", "fix login loop"]


def test_names_come_from_the_words_and_from_the_errors() -> None:
    meant = focus(Signals(query="does `make_app` leak?"), [error("src/db.py", symbols=("Pool.take",))])
    assert {"make_app", "KeyError", "user_id", "Pool", "take", "serve"} <= set(meant.names)


@pytest.mark.parametrize(
    ("branch", "words"),
    [
        ("main", ""),
        ("release/2024", ""),
        ("fix/1234-login-loop", "fix login loop"),
        ("feature/json_tag.v2", "feature json tag v2"),
        ("", ""),
        ("123", ""),
    ],
)
def test_a_branch_speaks_in_words_unless_it_is_a_trunk(branch: str, words: str) -> None:
    assert branch_words(branch) == words


@pytest.mark.parametrize(
    ("signals", "activity"),
    [
        (Signals(query="add json tags for dates"), Activity.NEW_FEATURE),
        (Signals(query="the new parser crashes on empty input"), Activity.DEBUGGING),
        (Signals(query="review the session changes"), Activity.REVIEW),
        (Signals(query="Add an error page for exceptions that were not caught"), Activity.NEW_FEATURE),
        (Signals(query="setErrorHandler should throw an error with a code of its own"), Activity.NEW_FEATURE),
        (Signals(query="The executor deadlocks when a continuation runs inline"), Activity.DEBUGGING),
        (Signals(query="Clean up broken links in the docs"), Activity.REFACTORING),
        (Signals(query="Inline the helper of the pool"), Activity.REFACTORING),
        (Signals(query="routes should answer 404 but they crash"), Activity.DEBUGGING),
        (Signals(query="feat(cli)!: print errors in colour"), Activity.NEW_FEATURE),
        (Signals(query="Build fails on Windows"), Activity.DEBUGGING),
        (Signals(query="parse raises ValueError for an empty string"), Activity.DEBUGGING),
        (Signals(query="Explain redirects in debug mode"), Activity.NEW_FEATURE),
        (Signals(query="Debug mode prints nothing wanted"), Activity.NEW_FEATURE),
        (Signals(query="debug the login"), Activity.DEBUGGING),
        (Signals(query="document the error codes and fixed widths"), Activity.NEW_FEATURE),
        (Signals(query="there are errors in the log"), Activity.DEBUGGING),
        (Signals(query="rename Pool to ConnectionPool"), Activity.REFACTORING),
        (Signals(branch="bugfix/empty-input"), Activity.DEBUGGING),
        (Signals(branch="refactor/session"), Activity.REFACTORING),
        (Signals(branch="feat/tags"), Activity.NEW_FEATURE),
        (Signals(query="how does routing work"), Activity.NEW_FEATURE),
        (Signals(query="   "), Activity.EXPLORING),
        (Signals(current_file="src/app.py"), Activity.EXPLORING),
        (Signals(errors=("something odd",)), Activity.DEBUGGING),
        (Signals(query="fix it", activity=Activity.REVIEW), Activity.REVIEW),
    ],
)
def test_the_activity_is_what_was_given_or_what_the_words_say(signals: Signals, activity: Activity) -> None:
    meant = focus(signals, ())
    assert meant.activity is activity
    assert meant.why_activity


def test_words_of_prose_are_no_identifiers() -> None:
    assert identifiers("Show cache age instead of the update date, e.g. daily") == ()
    assert identifiers("call make_app(), Flask.route and HTTPError but also run(") == (
        "make_app",
        "Flask",
        "route",
        "HTTPError",
        "run",
    )


def test_a_word_that_is_marked_as_code_is_an_identifier_and_its_look_alike_is_not() -> None:
    assert identifiers("Add an option to @Spy, let `close` wait, `open(path)` too") == ("Spy", "close", "open")
    assert identifiers("mail ann@example about the 'close' button, and `git add all` of it") == ()


@given(
    st.builds(
        Signals,
        current_file=st.text(max_size=20),
        query=st.text(max_size=80),
        branch=st.text(max_size=30),
        opened=st.lists(st.text(max_size=10), max_size=4).map(tuple),
        edited=st.lists(st.sampled_from(FILES), max_size=4).map(tuple),
    )
)
def test_any_signals_have_a_meaning_and_always_the_same(signals: Signals) -> None:
    meant = focus(signals, ())
    assert meant == focus(signals, ())
    assert "" not in meant.files
    assert set(meant.files) == meant.at_hand
