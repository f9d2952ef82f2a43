"""A statement as a structured claim: what is said of what, with which sign, numbers, values, force and time.

A text is cut into clauses, because a "not" reaches to the end of its clause and no further. Each content word of
a clause carries the clause's sign: what is forbidden, off, gone or never done is said with a minus, so that
"avoid any", "any is a lint error" and "do not use any" are one claim. Words that are one meaning ("retain",
"keep") are read alike; pairs with a name ("encrypted" - "in clear text") become one word with two signs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from companion.judging.bounds import AT_MOST
from companion.judging.frames import Frame, frames, modifiers
from companion.judging.lexicon import TURN, Filler, Phrases, lexicon, stem
from companion.judging.quantities import Quantity, quantities

MAX_CHARS = 2_000
"""Of a longer text only the beginning is read: a claim is a sentence or two, and time stays bounded."""
READ = 4_096
"""Texts remembered as read: one statement is compared with its twenty nearest."""

_BREAK = re.compile(
    r"(?<=[.;!?])\s+|(?<=:)\s+(?=\S+ \S+ \S+)|\s+[-–—]+\s+|[;()]"
    r"|,\s*(?=(?:and|but|or|not|never|which|so|because|since|while|although|no|none|nor|use|then|prefer|with|there|it"
    r"|they|we|index|do|don|is|are|was|has|does)\b)"
    r"|\s+(?=(?:but|because|whereas|while|although|rather than|instead of|in place of|unless|except|until|without"
    r"|when|if|so that|which|who|that (?:are|is)|with (?=\S+(?: \S+)? (?:off|disabled|removed)\b)"
    r"|and (?:not|never|no|are|is|will|must|may|has|have|was|were|can|should|rely|commit|the|every|only))\b)",
    re.IGNORECASE,
)
"""Where a "not" ends: at a full stop, at a comma before a new thought, before "because", "and is" and the like."""
_WORD = re.compile(r"[^\W_]+(?:[._+#/'@][^\W_]+)*[+#]*|_|--?[a-z][\w-]*|\"", re.IGNORECASE)
_NAME = re.compile(
    r"[`'\"]?(?:[A-Za-z_][\w-]*[./:][\w./:{}-]+"
    r"|\.[a-z][\w.-]+|--?[a-z][\w-]+|[a-z]+[A-Z]\w+|[A-Z][a-z]+[A-Z]\w*"
    r"|\w+_\w+|\w+\(\))"
)
_PLACE = re.compile(r"`?((?:[\w@.-]*/)+[\w@.*-]*|[\w-]+\.[a-z]{2,5}\b|(?<=\s)\.[a-z][\w.-]+)")
_HUMPS = re.compile(r"\b[a-z]+(?:[A-Z][a-z]+)+")
_CODE = re.compile(r"`([^`]+)`")
_PROPER = re.compile(r"(?<=[\w,:] )[A-Z][\w.+#-]+|\b[A-Z]{2,}[A-Z0-9]*\b")
_BOUNDING = re.compile(
    r"\b(?:not (?:fall|drop|go|be|take) (?:below|under|above|over|longer than|less than|more than)"
    r"|(?:not|never) exceed|cannot exceed|no (?:more|less|later|fewer|longer|older) than"
    r"|not (?:only|just|yet released)|no matter|nothing but|nothing (?:older|below|under)"
    r"|refuse anything (?:older|below)|on (?:delete|drop)|drop ?down|drop[- ]in|no[- ]op"
    r"|(?:sign|hand|back|kick|spin|trade|cut|one|log|day|set)[- ]?off)\b",
    re.IGNORECASE,
)
"""Words that look like a negation and only bound a number, or belong to another word."""
_CONTRACTED = re.compile(r"n['’]t\b", re.IGNORECASE)
_REWRITTEN = tuple(
    (re.compile(pattern, re.IGNORECASE), plain)
    for pattern, plain in (
        # What is preferred to another is said against the other.
        (r"\b((?:prefer|favour|favor|choose)\w*\b[^.;]{1,60}?) over ", r"\1 rather than "),
        # A move leaves one thing and takes another.
        (r"\b(?:migrated|moved|switched|changed|went) (?:away )?from (.{1,60}?) to ", r"abandoned \1; use "),
        (r"\b(?:has |have )?(?:been |was |were |is |are )?replaced (?:by|with) ", "removed; use "),
        (r"^(\S+(?: \S+)?) (?:has |have )?(?:replaces|replaced) (?!by|with)", r"use \1; removed "),
        (r"\bin favou?r of ", "; use "),
        (r"\b(?:left|abandoned) (\S+) and ", r"abandoned \1; "),
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
        (r"\+(?=[a-z])", " "),
    )
)


@dataclass(frozen=True)
class Clause:
    """A piece of a statement with one sign: its content stems and the named pairs in it, each with its sign.

    `target` holds what the minus is about: the words after a "not" or a "no", those before an "is forbidden";
    `turned` those that a prefix turns round ("unsigned").
    """

    text: str
    sign: int
    said: tuple[tuple[str, int], ...]
    poles: tuple[tuple[str, int], ...]
    fillers: tuple[Filler, ...]
    target: frozenset[str]
    turned: frozenset[str]
    frames: tuple[Frame, ...]
    modifiers: dict[str, frozenset[str]]
    permits: bool
    conditional: bool

    @property
    def stems(self) -> tuple[str, ...]:
        """Its content stems, whatever their sign."""
        return tuple(word for word, _ in self.said)


@dataclass(frozen=True, slots=True)
class Claim:
    """What one statement claims.

    `signs` gives each content stem the signs it is said with; `poles` likewise for named pairs. `fillers` are
    known values by slot, those under a minus apart; `names` are identifiers, paths and proper names.
    """

    text: str
    clauses: tuple[Clause, ...]
    signs: dict[str, frozenset[int]]
    poles: dict[str, frozenset[int]]
    fillers: dict[str, frozenset[str]]
    refused: dict[str, frozenset[str]]
    names: frozenset[str]
    places: frozenset[str]
    head: frozenset[str]
    target: frozenset[str]
    quantities: tuple[Quantity, ...]
    apart: dict[int, frozenset[str]]
    several: bool
    only: bool
    every: bool
    permits: bool
    excepts: bool
    past: bool
    plan: bool
    now: bool
    condition: frozenset[str] = field(default_factory=frozenset)


@lru_cache(maxsize=READ)
def claim(text: str) -> Claim:
    """Read a text; the same text is read once."""
    text = _CONTRACTED.sub(" not", text[:MAX_CHARS]).replace("can not", "cannot")
    for pattern, plain in _REWRITTEN:
        text = pattern.sub(plain, text)
    clauses = tuple(_clauses(text))
    stems = _stems(text)
    amounts = quantities(text)
    limited = [("maximum", 1)] if any(one.bound == AT_MOST for one in amounts) else []
    known = lexicon()
    return Claim(
        text=text,
        clauses=clauses,
        signs=_signs([said for clause in clauses for said in clause.said] + limited),
        poles=_signs(pole for clause in clauses for pole in clause.poles),
        fillers=_values(clauses, 1),
        refused=_values(clauses, -1),
        names=_names(text),
        places=frozenset(place.strip("./").lower() for place in _PLACE.findall(text)),
        head=_head(clauses),
        target=frozenset(word for clause in clauses for word in clause.target),
        quantities=amounts,
        apart=_apart(text),
        several=_has(known.several, stems),
        only=_has(known.only, stems),
        every=_has(known.every, stems),
        permits=any(clause.permits for clause in clauses),
        excepts=_has(known.excepts, stems),
        past=_has(known.past, stems),
        plan=_has(known.plan, stems),
        now=_has(known.now, stems),
        condition=frozenset(word for clause in clauses if clause.conditional for word in clause.stems),
    )


def _clauses(text: str) -> Iterator[Clause]:
    for piece in _BREAK.split(text):
        if piece and any(letter.isalnum() for letter in piece):
            yield _clause(piece.strip(" ,.;:!?"))


_JOINS = frozenset(("and", "or", "nor"))
_ALWAYS_BEFORE = frozenset(("not", "no", "never", "nobodi", "noth", "none", "nor", "cannot", "without", "zero"))
"""Stems of words that deny what follows, whatever stands before them."""
_BEING = frozenset(("is", "are", "was", "were", "be", "been", "being", "get", "got"))
_CONDITIONAL = re.compile(r"^(?:and |even )?(?:when|if|while|during|in case|once|whenever)\b", re.IGNORECASE)


def _clause(piece: str) -> Clause:
    known = lexicon()
    words = _stems(_BOUNDING.sub(" ", piece))
    poles, sign, covered, split = _stands(words)
    said: list[tuple[str, int]] = []
    for word in _canonical([word for place, word in enumerate(words) if place not in covered]):
        # "Unencrypted" turns its own meaning round, and no other word of the clause.
        turned, bare = word.startswith(TURN), word.removeprefix(TURN)
        if bare not in known.silent and not bare[0].isdigit():
            said.append((bare, -sign if turned else sign))
    fillers = tuple(filler for _, _, some in known.fillers.found(words) for filler in some)
    said += [(kind, sign) for kind in sorted({kind for filler in fillers for kind in filler.kinds})]
    signed = tuple((meaning, sign * own) for meaning, own in poles)
    permits = _has(known.permits, words) and sign > 0
    aimed = frozenset(_canonical(words[split[0] : split[1]])) - known.silent if split else frozenset[str]()
    turned_round = frozenset(word for word, own in said if own != sign)
    target = (aimed if sign < 0 else frozenset[str]()) | turned_round
    plain = _canonical(words)
    return Clause(
        text=piece,
        sign=sign,
        said=tuple(said),
        poles=signed,
        fillers=fillers,
        target=target,
        turned=turned_round,
        frames=tuple(frames(plain, known.silent)) if sign > 0 else (),
        modifiers=modifiers(plain, known.silent),
        permits=permits,
        conditional=bool(_CONDITIONAL.match(piece)),
    )


def _stands(words: Sequence[str]) -> tuple[list[tuple[str, int]], int, set[int], tuple[int, int] | None]:
    """Named pairs with their own signs, the product of the unnamed ones, and what was read of them.

    The last two are the places of words that were used up, and from where to where the words stand that the last
    unnamed one is about.
    """
    named: list[tuple[str, int]] = []
    sign, covered, last, split = 1, set[int](), 0, None
    for place, length, pole in lexicon().poles.found(words):
        if pole.meaning:
            named.append((pole.meaning, pole.sign))
        elif pole.sign < 0:
            # "Shut down and removed" denies once, "never removed" twice.
            joined = sign < 0 and any(word in _JOINS for word in words[last:place])
            sign = sign if joined else -sign
            covered.update(range(place, place + length))
            last = place + length
            passive = place > 0 and words[place - 1] in _BEING and words[place] not in _ALWAYS_BEFORE
            before = words[place] in lexicon().leading and last < len(words) and not passive
            split = (last, len(words)) if before else (0, place)
    return named, sign, covered, split


def _stems(text: str) -> list[str]:
    # Underscores and hyphens join words of one name, which are read apart; so are the humps of camelCase.
    spaced = _HUMPS.sub(lambda match: re.sub(r"(?<=[a-z])(?=[A-Z])", " ", match[0]), text)
    return [stem(word) for word in _WORD.findall(spaced.replace("_", " ").replace("-", " ").lower())]


def _canonical(stems: Sequence[str]) -> list[str]:
    result: list[str] = []
    place, same = 0, lexicon().same
    while place < len(stems):
        turn = TURN if stems[place].startswith(TURN) else ""
        match = same.at((stems[place].removeprefix(TURN),), 0) if turn else same.at(stems, place)
        result.append(turn + match[1] if match else stems[place])
        place += match[0] if match else 1
    return result


def _signs(pairs: Iterator[tuple[str, int]] | Sequence[tuple[str, int]]) -> dict[str, frozenset[int]]:
    result: dict[str, set[int]] = {}
    for word, sign in pairs:
        result.setdefault(word, set()).add(sign)
    return {word: frozenset(signs) for word, signs in result.items()}


def _values(clauses: Sequence[Clause], sign: int) -> dict[str, frozenset[str]]:
    result: dict[str, set[str]] = {}
    for clause in clauses:
        if clause.sign == sign:
            for filler in clause.fillers:
                result.setdefault(filler.slot, set()).add(filler.value)
    return {slot: frozenset(values) for slot, values in result.items()}


def _names(text: str) -> frozenset[str]:
    found = [match.strip("`'\"") for match in _NAME.findall(text)] + _CODE.findall(text) + _PROPER.findall(text)
    return frozenset(name.lower().rstrip(".,:;()") for name in found)


def _head(clauses: Sequence[Clause]) -> frozenset[str]:
    """The first content words: in English what a sentence is about stands first."""
    return frozenset(clauses[0].stems[:2]) if clauses else frozenset()


def _apart(text: str) -> dict[int, frozenset[str]]:
    """Words of pairs that are two things, unless they are part of a value ("server-side")."""
    result: dict[int, set[str]] = {}
    words = _stems(text)
    filled = {at for place, length, _ in lexicon().fillers.found(words) for at in range(place, place + length)}
    for place, _, (kind, word) in lexicon().apart.found(words):
        if place in filled:
            continue
        result.setdefault(kind, set()).add(word)
    return {kind: frozenset(words) for kind, words in result.items()}


def _has(phrases: Phrases, stems: Sequence[str]) -> bool:
    return any(phrases.at(stems, place) for place in range(len(stems)))
