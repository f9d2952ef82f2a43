"""Text cut to so many tokens, counted as they will be counted when it is shown."""

from __future__ import annotations

from collections.abc import Callable

from companion.ports import TokenCounter

SIGN = " […]"
"""Says that something was cut off."""
CHARS_PER_TOKEN = 4
"""Characters of a token in plain English: where the search for the cut begins."""
CHARS_PER_TOKEN_MOST = 16
"""More of them are in no ordinary text; rows of spaces or dashes may have, and are cut a little early."""
TRIES = 6
"""Looks for the cut: each a count of some kilobytes. The best of them is within a few tokens of the limit."""


def cut(text: str, most_tokens: int, counter: TokenCounter, shown: Callable[[str], str] = str) -> str:
    """The beginning of a text of at most so many tokens once it is `shown` (escaped), with a sign where it was cut.

    The text itself where it fits; empty where not even the sign does.
    """
    if most_tokens <= 0:
        return ""
    if len(text) <= most_tokens * CHARS_PER_TOKEN_MOST and counter.count(shown(text)) <= most_tokens:
        return text
    fits, over = 0, min(len(text), most_tokens * CHARS_PER_TOKEN_MOST) + 1
    guess = min(over - 1, most_tokens * CHARS_PER_TOKEN)
    best = ""
    for _ in range(TRIES):
        tried = text[:guess].rstrip() + SIGN
        tokens = counter.count(shown(tried))
        if tokens <= most_tokens:
            fits, best = guess, tried
        else:
            over = guess
        if over - fits <= 1:
            break
        guess = max(fits + 1, min(over - 1, guess * most_tokens // max(1, tokens)))
        guess = guess if guess not in (fits, over) else (fits + over) // 2
    return best
