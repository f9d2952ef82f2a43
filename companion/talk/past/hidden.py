"""Reasoning that an assistant does for itself is not part of what was said: it goes before anything is stored."""

from __future__ import annotations

import re

_NAMES = "think|thinking|thought|thoughts|reasoning|reflection|scratchpad|inner_monologue|redacted_thinking"
_BLOCK = re.compile(
    rf"^[ \t]*<({_NAMES})(?:\s[^<>\n]*)?>.*?</\1\s*>[ \t]*\n?", re.DOTALL | re.IGNORECASE | re.MULTILINE
)
_LONE_END = re.compile(rf"\A(?:(?!<(?:{_NAMES})\b).)*?</(?:{_NAMES})\s*>\s*", re.DOTALL | re.IGNORECASE)
"""Templates of some models hand out the end of the block alone: the beginning stood in the prompt."""
_CUT_OFF = re.compile(rf"^[ \t]*<(?:{_NAMES})(?:\s[^<>\n]*)?>.*\Z", re.DOTALL | re.IGNORECASE | re.MULTILINE)
_CHANNEL = re.compile(
    r"<\|start\|>assistant(?=<\|channel\|>)|<\|channel\|>(?:analysis|commentary)\b.*?(?:<\|end\|>|(?=<\|channel\|>)|\Z)"
    r"|<\|channel\|>final\b[^<]*<\|message\|>|<\|(?:return|end)\|>\s*\Z",
    re.DOTALL,
)
_SIGNED = re.compile(r"◁think▷.*?(?:◁/think▷\s*|\Z)|\[THINK\].*?(?:\[/THINK\]\s*|\Z)", re.DOTALL)
_FENCE = re.compile(r"^[ \t]*(`{3,}|~{3,})[^\n]*\n.*?(?:^[ \t]*\1[ \t]*$|\Z)", re.DOTALL | re.MULTILINE)
_KEPT = "\x00{}\x00"


def without_reasoning(text: str) -> str:
    """An assistant's words without blocks of hidden reasoning, whole or cut off; code in fences stays as it is."""
    if not any(sign in text for sign in ("<", "◁", "[THINK]")):
        return text
    fences: list[str] = []

    def put_away(fence: re.Match[str]) -> str:
        fences.append(fence.group())
        return _KEPT.format(len(fences) - 1)

    plain = _FENCE.sub(put_away, text.replace("\x00", ""))
    plain = _SIGNED.sub("", _CHANNEL.sub("", plain))
    plain = _CUT_OFF.sub("", _BLOCK.sub("", plain))
    plain = _LONE_END.sub("", plain) if "</" in plain else plain
    for number, fence in enumerate(fences):
        plain = plain.replace(_KEPT.format(number), fence)
    return plain if plain == text else plain.strip("\n")
