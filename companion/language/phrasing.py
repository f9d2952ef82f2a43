"""A statement in plainer words, and cut where a "not" ends: how English says one thing in many ways."""

from __future__ import annotations

import re

from companion.language.wording import opens, parted, places

_BREAK = re.compile(
    r"(?<=[.;!?])\s+|(?<=:)\s+(?=\S+ \S+ \S+)|\s+[-–—]+\s+|[;()]"
    r"|,\s*(?=(?:and|but|or|not|never|which|so|because|since|while|although|no|none|nor|use|then|prefer|with|there|it"
    r"|they|we|index|do|don|is|are|was|has|does)\b)"
    r"|\s+(?=(?:but|because|whereas|while|although|rather than|instead of|in place of|unless"
    r"|(?<!bare )except|until|without|when|if|so that|which|who"
    r"|that (?:are|is|no|can|cannot)|with (?=\S+(?: \S+)? (?:off|disabled|removed)\b)"
    r"|and (?:not|never|no|are|is|will|must|may|has|have|was|were|can|should|rely|commit|the|every|only))\b)",
    re.IGNORECASE,
)
"""Where a "not" ends: at a full stop, at a comma before a new thought, before "because", "and is" and the like."""
_CONTRACTED = re.compile(r"n['’]t\b", re.IGNORECASE)
_REWRITTEN = tuple(
    (re.compile(pattern, re.IGNORECASE), plain)
    for pattern, plain in (
        # What is preferred to another is said against the other.
        (r"\b((?:prefer|favour|favor|choose)\w*\b[^.;]{1,60}?) over ", r"\1 rather than "),
        (r"^([^.;]{1,60}?) (?:is|are) (?:preferred|favou?red) (?:to|over) ", r"\1 rather than "),
        # A move leaves one thing and takes another.
        (r"\b(?:migrated|moved|switched|changed|went) (?:away )?from (.{1,60}?) to ", r"abandoned \1; use "),
        (r"\b(?:has |have )?(?:been |was |were |is |are )?replaced (?:by|with) ", "removed; use "),
        (r"^(\S+(?: \S+)?) (?:has |have )?(?:replaces|replaced) (?!by|with)", r"use \1; removed "),
        (r"\bin favou?r of ", "; use "),
        (r"\b(?:left|abandoned) (\S+) and ", r"abandoned \1; "),
        # A fault that is mended is no more.
        (
            r"\b(bug|leak|crash|race|deadlock|regression|vulnerability|defect|flakiness|hang|issue|problem|fault)"
            r"(\b[^.;]{0,40}?) (?:is|was|are|were|has been|have been|got) (?:now |finally )?"
            r"(?:fixed|solved|resolved|patched|cured|mended)\b",
            r"\1\2 is gone",
        ),
        (r"\b(?:nobody|no one|none|nothing) (?:but|except|other than|besides) ", "only "),
        # "No language besides English" is "English only".
        (r"\b(?:no|nothing|none|nobody)\b[^.;,]{0,40}? (?:besides|other than|except|apart from) ([\w.-]+)", r"only \1"),
        # What is deleted after a while is kept for that while.
        (
            r"\b(?:deleted?|purged?|dropped|removed|erased|pruned|discarded|wiped|rotated out) "
            r"(?:after|within|following|once) "
            r"(?=(?:an? |one |\d|two|three|four|five|six|seven|ten|twelve|thirty|sixty|ninety))",
            "kept for ",
        ),
        (r"\bnever (?:deleted?|purged?|expires?|removed?|erased?)\b", "kept forever"),
        # Who owns a thing is told in many ways.
        (
            r"\b(?:the )?(?:ownership|responsibility) (?:of|for) (.{1,40}?) (?:sits|lies|rests|is|belongs|stays) "
            r"(?:with|to) ",
            r"\1 is owned by ",
        ),
        (r"\b(?:is|are) (?:the responsibility|in the hands|the job|the property) of ", "is owned by "),
        (r"\b(?:is|are) (?:responsible for|in charge of|accountable for) ", "owns "),
        (r"\b(?:looks? after|takes? care of) ", "owns "),
        (r"\bdefaults to ", "default is "),
        (r"\+(?=[a-z])", " "),
        (r"(?<![\w-])--?f?no-(?=\w)", "no "),
        # The marks of a call end no thought.
        (r"(?<=\w)\(\)", ""),
    )
)


_RUN = re.compile(r"(\s)\s++")


def spaced(text: str) -> str:
    """A text with one space where there were several, so that no expression has to walk a page of them."""
    return _RUN.sub(r"\1", text)


def plain(text: str) -> str:
    """A text with contractions written out, and with moves, replacements and owners said plainly."""
    text = _CONTRACTED.sub(" not", text).replace("can not", "cannot")
    for pattern, plainer in _REWRITTEN:
        text = pattern.sub(plainer, text)
    return text


def pieces(text: str) -> list[str]:
    """The clauses of a text: a "not" reaches to the end of its own and no further."""
    found = (piece.strip(" ,.;:!?") for piece in _BREAK.split(text) if piece)
    return [piece for piece in found if any(letter.isalnum() for letter in piece)]


def unbounding(piece: str) -> str:
    """A clause without words that look like a denial and only bound a number, or belong to another word."""
    for start, end in places(piece, "words.bounding"):
        piece = f"{piece[:start]}{' ' * (end - start)}{piece[end:]}"
    return piece


def sequence(text: str) -> tuple[str, str] | None:
    """What a sentence says comes first, and what second; None where it tells of no order."""
    text = text.replace(", then ", " and only then ")
    fronted, comma, rest = text.partition(", ")
    if comma and (end := opens(fronted, "words.fronted")):
        return (rest, fronted[end:]) if opens(fronted, "words.earlier") else (fronted[end:], rest)
    for joints, turned in (("words.earlier", False), ("words.later", True)):
        first, joint, second = parted(text, joints)
        if joint and first and second:
            return (second, first) if turned else (first, second)
    return None
