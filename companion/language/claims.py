"""A statement as a structured claim: what is said of what, with which sign, numbers, values, force and time.

A text is cut into clauses, because a "not" reaches to the end of its clause and no further. Each content word of
a clause carries the clause's sign: what is forbidden, off, gone or never done is said with a minus, so that
"avoid any", "any is a lint error" and "do not use any" are one claim. Words that are one meaning ("retain",
"keep") are read alike; pairs with a name ("encrypted" - "in clear text") become one word with two signs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from msgspec import Struct

from companion.language.amounts import AT_MOST
from companion.language.frames import RelationFrame, frames, gathered
from companion.language.lexicon import ALLOWED, TURN, Filler, lexicon, stem
from companion.language.phrases import opens, says
from companion.language.phrasing import pieces, plain, sequence, spaced, unbounding
from companion.language.quantities import Quantity, quantities
from companion.language.versions import Refusal, refusals
from companion.language.word_lists import word_set

MAX_CHARS = 2_000
"""Of a longer text only the beginning is read: a claim is a sentence or two, and time stays bounded."""
READ = 1_024
"""Texts remembered as read: one statement is compared with its twenty nearest. One of 70 words takes 120 kB."""

WORD = re.compile(r"[^\W_]+(?:[._+#/'@][^\W_]+)*[+#]*|_|--?[a-z][\w-]*|\"", re.IGNORECASE)
_NAME = re.compile(
    r"[`'\"]?(?:(?<!\w)(?:(?<![\w-])[A-Za-z_][\w-]*[./:][\w./:{}-]+|[a-z]+[A-Z]\w+|[A-Z][a-z]+[A-Z]\w*|\w+_\w+|\w+\(\))"
    r"|\.[a-z][\w.-]+|--?[a-z][\w-]+)"
)
_WHOSE = re.compile(r"\b(?:of|for) (?:the |our |an? |each |every |all )?([a-z][\w-]*)", re.IGNORECASE)
HUMPS = re.compile(r"\b[a-z]+(?:[A-Z][a-z]+)+")
_CODE = re.compile(r"`([^`]+)`")
_PROPER = re.compile(r"(?<=[\w,:] )[A-Z][\w.+#-]+|\b[A-Z]{2,}[A-Z0-9]*\b")


class _Clause(Struct, frozen=True):
    """A piece of a statement with one sign: its content stems and the named pairs in it, each with its sign.

    `target` holds what the minus is about: the words after a "not" or a "no", those before an "is forbidden";
    `verb` is the one of them that a "not" or "never" stands right before.
    """

    text: str
    words: tuple[str, ...]
    sign: int
    said: tuple[tuple[str, int], ...]
    poles: tuple[tuple[str, int], ...]
    fillers: tuple[Filler, ...]
    target: frozenset[str]
    verb: str
    frames: tuple[RelationFrame, ...]
    permits: bool

    @property
    def stems(self) -> tuple[str, ...]:
        """Its content stems, whatever their sign."""
        return tuple(word for word, _ in self.said)


class Claim(Struct, frozen=True):
    """What one statement claims: `said` in its own words, `text` in plainer ones.

    `signs` gives each content stem the signs it is said with; `poles` likewise for named pairs. `fillers` are
    known values by slot, those under a minus apart; `names` are identifiers, paths and proper names.
    """

    said: str
    text: str
    clauses: tuple[_Clause, ...]
    signs: dict[str, frozenset[int]]
    poles: dict[str, frozenset[int]]
    fillers: dict[str, frozenset[str]]
    refused: dict[str, frozenset[str]]
    names: frozenset[str]
    head: frozenset[str]
    subject: str
    whose: frozenset[str]
    target: frozenset[str]
    quantities: tuple[Quantity, ...]
    refusals: tuple[Refusal, ...]
    apart: dict[int, frozenset[str]]
    several: bool
    only: bool
    every: bool
    permits: bool
    free: bool
    binds: bool
    objects: tuple[tuple[str, str], ...]
    sequence: tuple[frozenset[str], frozenset[str]] | None
    sole: frozenset[str] | None
    excepts: bool
    past: bool
    over: bool
    plan: bool
    now: bool


@lru_cache(maxsize=READ)
def claim(text: str) -> Claim:
    """Read a text; the same text is read once."""
    said = spaced(text[:MAX_CHARS])
    text = plain(said)
    clauses = tuple(_clause(piece) for piece in pieces(text))
    stems = _stems(text)
    amounts = quantities(text)
    turned_down = refusals(clauses)
    limited = [("maximum", 1)] if any(one.bound == AT_MOST for one in amounts) else []
    known = lexicon()
    products = [(one.about, 1) for one in amounts if one.dimension == "version" and one.about in known.silent]
    return Claim(
        said=said,
        text=text,
        clauses=clauses,
        signs=gathered([said for clause in clauses for said in clause.said] + limited + products),
        poles=gathered(pole for clause in clauses for pole in clause.poles),
        fillers=_values(clauses, 1),
        refused=_values(clauses, -1, frozenset(one.product for one in turned_down)),
        names=_names(text),
        head=_head(clauses),
        whose=frozenset(word for found in _WHOSE.findall(text) for word in _canonical(_stems(found))) - known.silent,
        subject=next((word for clause in clauses for word in clause.stems), ""),
        target=frozenset(word for clause in clauses for word in clause.target),
        quantities=amounts,
        refusals=turned_down,
        apart=_apart(text),
        several=known.says("several", stems),
        only=known.says("only", stems),
        every=known.says("every", stems) or stems[:1] == ["no"],
        permits=any(clause.permits for clause in clauses),
        free=known.says("free", stems),
        binds=says(text, "words.binding") or any(clause.sign < 0 for clause in clauses) or bool(limited),
        objects=tuple(_objects(clauses)),
        sequence=_sequence(text),
        sole=(frozenset(clauses[0].stems[:1]) or None) if clauses and stems[:1] == ["onli"] else None,
        excepts=known.says("excepts", stems),
        past=known.says("past", stems),
        over=says(text, "words.bygone"),
        plan=known.says("plan", stems),
        now=known.says("now", stems),
    )


_JOINS = frozenset(("and", "or", "nor"))
_BEING = word_set("grammar", "being")


def _clause(piece: str) -> _Clause:
    known = lexicon()
    words = _stems(unbounding(piece))
    poles, sign, covered, split = _stands(words)
    said: list[tuple[str, int]] = []
    for word in _canonical([word for place, word in enumerate(words) if place not in covered]):
        # "Unencrypted" turns its own meaning round, and no other word of the clause.
        turned, bare = word.startswith(TURN), word.removeprefix(TURN)
        if bare not in known.silent and not bare[0].isdigit():
            said.append((bare, -sign if turned else sign))
    fillers = tuple(filler for _, _, some in known.fillers.found(words) for filler in some)
    said += [(kind, sign) for kind in sorted({kind for filler in fillers for kind in filler.kinds})]
    signed = tuple((meaning, own if given else sign * own) for meaning, own, given in poles)
    permits = (known.says("permits", words) and sign > 0) or known.says("exempts", words)
    aimed = frozenset(_canonical(words[split[0] : split[1]])) - known.silent if split else frozenset[str]()
    if all((pole := known.poles.at((word,), 0)) and pole[1] == ALLOWED for word in aimed):
        # "Single letters are not allowed": what may not be stands before it.
        aimed = frozenset(word for word, _ in said)
    if opens(piece, "phrasing.conditions"):  # which claims nothing: "when there is no uplink" denies none
        said, sign = [(word, 1) for word, _ in said], 1
    turned_round = frozenset(word for word, own in said if own != sign)
    target = (aimed if sign < 0 else frozenset[str]()) | turned_round
    canonical = _canonical(words)
    return _Clause(
        text=piece,
        words=tuple(canonical),
        sign=sign,
        said=tuple(said),
        poles=signed,
        fillers=fillers,
        target=target,
        verb=_verb(words, split, target),
        frames=tuple(frames(canonical, known.silent)) if sign > 0 else (),
        permits=permits,
    )


_DENIERS = frozenset(map(stem, ("not", "never", "avoid", "stop", "cannot")))
"""Words that deny a verb; "no" denies a thing."""


def _verb(words: Sequence[str], split: tuple[int, int] | None, target: frozenset[str]) -> str:
    """The first word that a "not" is about, if it is one of those that claim something."""
    if split is None or not split[0] or words[split[0] - 1] not in _DENIERS:
        return ""
    first = _canonical(words[split[0] : split[1]])[:1]
    return first[0] if first and first[0] in target else ""


_GIVEN = frozenset(map(stem, ("the", "this", "these", "those", "previously", "already")))
"""Before a word and its noun they say that it is so: "do not use the deprecated flag"."""


def _stands(words: Sequence[str]) -> tuple[list[tuple[str, int, bool]], int, set[int], tuple[int, int] | None]:
    """Named pairs with their own signs, the product of the unnamed ones, and what was read of them.

    A named one that is taken as given is marked: no "not" of the clause turns it round.

    The last two are the places of words that were used up, and from where to where the words stand that the last
    unnamed one is about.
    """
    named: list[tuple[str, int, bool]] = []
    sign, covered, last, split = 1, set[int](), 0, None
    for place, length, pole in lexicon().poles.found(words):
        if pole.meaning:
            given = place > 0 and words[place - 1] in _GIVEN and place + length < len(words)
            named.append((pole.meaning, pole.sign, given))
        elif pole.sign < 0:
            # "Shut down and removed" denies once, "never removed" twice.
            joined = sign < 0 and any(word in _JOINS for word in words[last:place])
            sign = sign if joined else -sign
            covered.update(range(place, place + length))
            last = place + length
            passive = place > 0 and words[place - 1] in _BEING and words[place] not in lexicon().denials
            before = words[place] in lexicon().leading and last < len(words) and not passive
            split = (last, len(words)) if before else (0, place)
    return named, sign, covered, split


def _stems(text: str) -> list[str]:
    # Underscores and hyphens join words of one name, which are read apart; so are the humps of camelCase.
    spaced = HUMPS.sub(lambda match: re.sub(r"(?<=[a-z])(?=[A-Z])", " ", match[0]), text)
    return [stem(word) for word in WORD.findall(spaced.replace("_", " ").replace("-", " ").lower())]


def _canonical(stems: Sequence[str]) -> list[str]:
    return [meaning for _, _, meaning in stem_meanings(stems)]


def stem_meanings(stems: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    """What a row of stems is read as: each place and length, and the stem that stands for all of that meaning."""
    place, same = 0, lexicon().same
    while place < len(stems):
        turn = TURN if stems[place].startswith(TURN) else ""
        match = same.at((stems[place].removeprefix(TURN),), 0) if turn else same.at(stems, place)
        yield (place, match[0], turn + match[1]) if match else (place, 1, stems[place])
        place += match[0] if match else 1


def _sequence(text: str) -> tuple[frozenset[str], frozenset[str]] | None:
    """The words of what comes first and of what comes second, without those of both."""
    told = sequence(text)
    if told is None:
        return None
    first, second = (frozenset(_canonical(_stems(part))) - lexicon().silent for part in told)
    return (first - second, second - first) if first - second and second - first else None


_TO = frozenset(("to", "into", "from", "on", "in", "for", "of"))


def _objects(clauses: Sequence[_Clause]) -> Iterator[tuple[str, str]]:
    """What stands after a preposition, with it: "to main" of a push."""
    silent = lexicon().silent
    for clause in clauses:
        words = _canonical(_stems(clause.text))
        for at, word in enumerate(words):
            if word in _TO:
                end = next((one for one in words[at + 1 : at + 4] if one not in silent), "")
                if end and not end[0].isdigit():
                    yield word, end


def _values(clauses: Sequence[_Clause], sign: int, but: frozenset[str] = frozenset()) -> dict[str, frozenset[str]]:
    """The values that clauses of one sign give, by slot; whose versions alone are turned down is no value refused."""
    fillers = (filler for clause in clauses if clause.sign == sign for filler in clause.fillers)
    return gathered((filler.slot, filler.value) for filler in fillers if filler.value not in but)


def _names(text: str) -> frozenset[str]:
    found = [match.strip("`'\"") for match in _NAME.findall(text)] + _CODE.findall(text) + _PROPER.findall(text)
    return frozenset(name.lower().rstrip(".,:;()") for name in found)


def _head(clauses: Sequence[_Clause]) -> frozenset[str]:
    """The first content words: in English what a sentence is about stands first."""
    return frozenset(clauses[0].stems[:2]) if clauses else frozenset()


def _apart(text: str) -> dict[int, frozenset[str]]:
    """Words of pairs that are two things, unless they are part of a value ("server-side")."""
    words = _stems(text)
    filled = {at for place, length, _ in lexicon().fillers.found(words) for at in range(place, place + length)}
    return gathered(pair for place, _, pair in lexicon().apart.found(words) if place not in filled)
