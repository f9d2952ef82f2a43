"""The names in a file, as a task is told of them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from companion.engine.packing.outlines import outline_for, words_of
from companion.records import CodeForms, FileRole, Symbol, SymbolKind

TASK = "a flag with a default ignores its envvar"


class Characters:
    name = "characters"

    def count(self, text: str) -> int:
        return len(text)


def file_of(outline: str, *qualnames: str) -> CodeForms:
    """A file of these definitions; what has a capital is a class."""
    symbols = tuple(
        Symbol(name, one, _kind(one), line, line, "", public=not name.startswith("_"))
        for line, one in enumerate(qualnames)
        for name in [one.rpartition(".")[2]]
    )
    return CodeForms("tests/test_a.py", "python", FileRole.TEST, "h", 9, "", 0, outline, len(outline), symbols)


def _kind(qualname: str) -> SymbolKind:
    return SymbolKind.CLASS if qualname.rpartition(".")[2][0].isupper() else SymbolKind.FUNCTION


def told(code: CodeForms, task: str = TASK) -> str:
    text = outline_for(code, words_of(task), Characters())
    assert len(text) <= code.outline_tokens
    return text


def test_names_that_a_task_speaks_of_come_first_and_take_no_more_room() -> None:
    every = ("Sentinel", "Letter", "test_usage", "test_init", "test_help", "test_flag_default", "test_envvar")
    code = file_of("Sentinel, Letter, test_usage, test_init, … 3 more", *every)
    assert told(code) == "test_flag_default, test_envvar, … 5 more"


def test_where_all_names_are_shown_only_their_order_changes() -> None:
    code = file_of("Sentinel (use), hello, flag_value", "Sentinel", "Sentinel.use", "hello", "flag_value")
    assert told(code) == "flag_value, Sentinel (use), hello"


def test_members_that_a_task_speaks_of_are_named_behind_their_class() -> None:
    members = [f"Option.member_{number}" for number in range(9)]
    code = file_of(
        "Context (invoke, …), Option (member_0, member_1, …), … 1 more",
        *("Context", "Context.invoke", "Option", *members, "Option.value_from_envvar", "other"),
    )
    assert told(code).startswith("Option (value_from_envvar), Context (invoke, …)")


def test_a_word_that_many_names_have_brings_none_of_them_to_the_front() -> None:
    code = file_of("Letter, test_a, test_b, test_c", "Letter", "test_a", "test_b", "test_c")
    assert told(code, "the test fails") == code.outline


def test_what_lies_in_a_function_is_not_named() -> None:
    code = file_of("Letter, test_a, … 2 more", "Letter", "test_a", "test_a.flag", "test_b", "test_c")
    assert told(code) == code.outline


@given(
    st.lists(st.text("abflagdefault_ABs", min_size=3, max_size=24), min_size=1, max_size=30, unique=True),
    st.integers(1, 8),
    st.text("abflagdefault AB", max_size=60),
)
def test_an_outline_for_a_task_is_never_longer_and_counts_every_name(names: list[str], shown: int, task: str) -> None:
    left = len(names) - shown
    outline = ", ".join(names[:shown]) + (f", … {left} more" if left > 0 else "")
    text = told(file_of(outline, *names), task)
    *seen, last = text.split(", ")
    more = int(last.split()[1]) if last.startswith("… ") else 0
    assert len(seen) + (more or 1) == len(names) or text == outline
    assert len(text) <= len(outline)
