"""Which blocks of lines only moved."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from companion.evidence.moves import MOVED_BYTES, TakenOut

LONG = b"x" * MOVED_BYTES
LINES = st.dictionaries(st.integers(0, 30), st.sampled_from([b"", b"}", b"short", LONG, LONG + b"y"]), max_size=12)


def test_the_longest_block_is_found_and_a_short_one_is_not() -> None:
    taken = TakenOut([{0: LONG, 1: b"a", 7: b"}"}, {4: LONG, 5: b"b", 6: b"", 7: b"c"}])
    put = {10: b"new", 11: LONG, 12: b"b", 13: b"", 14: b"c", 20: b"}"}
    assert list(taken.put_back(put)) == [(11, 1, 4, 4)]


@given(st.lists(LINES, max_size=3), LINES)
def test_a_block_is_the_same_here_and_there_and_no_line_comes_from_two(files, put) -> None:
    put = dict(sorted(put.items()))
    seen: set[int] = set()
    for line, number, at, count in TakenOut(files).put_back(put):
        texts = [put[line + n] for n in range(count)]
        assert texts == [files[number][at + n] for n in range(count)]
        assert sum(map(len, texts)) >= MOVED_BYTES
        assert not seen & set(range(line, line + count))
        seen |= set(range(line, line + count))
