"""Do two statements hold together? What they claim, compared: pure, by rules, with a reason.

`phrasing` says a text plainly, `claims` reads it, `measuring` and `apartness` lay numbers and subjects of two side by
side and `compare` the rest, `rules` weighs what differs by hand and `learned` by weights fitted to labelled pairs;
`structured` compares two facts of one slot by value alone. All numbers and units are read by `amounts`, all word
lists by `words`. `kept` says what a shorter text lost of a longer one; every scan needs it, so nothing is imported
here before it is asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.judge.rules import RulesJudge

__all__ = ["RulesJudge"]


def __getattr__(name: str) -> object:
    """The judge by rules, loaded when it is first asked for."""
    if name == "RulesJudge":
        from companion.judge.rules import RulesJudge

        return RulesJudge
    raise AttributeError(name)
