"""A law of preambles: another one is written when a note says something else, after a gap, and never besides."""

from __future__ import annotations

from datetime import datetime, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.app.preambles import GAP, KEPT_MOST, Preambles
from companion.records.notes import NotePage, NoteSort, Preamble

NOON = datetime(2026, 1, 5, 12, 0)
STEPS = st.lists(
    st.tuples(
        st.sampled_from(["ask", "save", "change"]),
        st.integers(-90, 90).map(lambda minutes: timedelta(minutes=minutes)),
    ),
    max_size=12,
)


@settings(max_examples=80, deadline=None)
@given(steps=STEPS)
def test_another_is_written_upon_a_change_or_a_gap_and_never_besides(steps: list[tuple[str, timedelta]]):
    kept, now, asked_at, words, saved, number = Preambles(), NOON, NOON, 0, 0, 0

    def ask() -> Preamble:
        page = NotePage("journal", NoteSort.JOURNAL, "/j", str(words), NOON + timedelta(seconds=saved))

        def write(pages: tuple[NotePage, ...]) -> Preamble:
            nonlocal number
            number += 1
            return Preamble(f"{number}: {pages[0].text}", 1, 1, now, "")

        return kept.of("shop", [("/j", saved)], now, lambda: (page,), write)

    before, said = ask(), words
    for what, passed in steps:
        now += passed
        saved += what != "ask"
        words += what == "change"
        after = ask()
        assert (after != before) == (words != said or now - asked_at >= GAP)
        before, said, asked_at = after, words, now


def test_only_the_last_desks_are_kept():
    kept, written = Preambles(), []

    def ask(desk: str) -> None:
        def write(_: tuple[NotePage, ...]) -> Preamble:
            written.append(desk)
            return Preamble("", 0, 0, NOON, "")

        kept.of(desk, [], NOON, tuple, write)

    for number in range(KEPT_MOST + 1):
        ask(str(number))
    ask(str(KEPT_MOST))
    ask("0")
    assert written == [*(str(number) for number in range(KEPT_MOST + 1)), "0"]
