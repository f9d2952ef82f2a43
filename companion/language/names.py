"""Who is named in a talk: people, teams, and who they are to whoever names them.

A capital alone makes no person: a sentence begins with one, and most names in such talk are of tools. Somebody is
known, has a given name that is nothing else, or is seen doing or being told what only people do or are told.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator

from msgspec import Struct, field

from companion.language.marks import is_identifier
from companion.language.phrases import opens, parted, says
from companion.language.sentences import Clause
from companion.language.word_lists import GLUE, word_set

TEAMS = word_set("talk", "teams")
GIVEN = word_set("names", "given")
NOT_A_PERSON = word_set("names", "things") | word_set("names", "words")

_NAME = r"[A-Z][a-zà-öø-ÿ]+(?:-[A-Za-z][a-zà-öø-ÿ]+)?"
_FULL = rf"{_NAME}(?: (?:[A-Z]\.|{_NAME}))?"
_TITLE = re.compile(r"^(?:mr|mrs|ms|dr|prof|professor)\.? ", re.IGNORECASE)
_TITLED = re.compile(r"\b(?:Mr|Mrs|Ms|Dr|Prof|Professor)\.? $")
_STOPS = (".", "!", "?", ";", ":", "|")
"""What ends a sentence before a name: nothing of it speaks of whoever follows."""
_FROM = re.compile(r" ((?:from|at) (?:the )?[A-Z][\w-]+)\b")
_OF_SOMETHING = re.compile(r" (?:of|for|at|in) [\w ]{2,24}?(?=[,.;)!]|$)")
_NEAR_CHARS = 60
"""Characters around a name in which what shows a person stands."""
_HANDLE = re.compile(
    r"(?<=[a-z,:;(] )@([A-Za-z][\w-]{1,38})(?![\w./(@])|^@([A-Za-z][\w-]{1,38})(?= (?:can|will|could|said"
    r"|please|is|has|asked|wants|thinks|promised|what|do)\b)"
)
_MENTION = re.compile(rf"(?<![\w/.@#\\-])(?P<name>{_FULL})(?![\w/\\(]|\.\w|'t\b)")
_SMALL = re.compile(r"\b[a-z]+\b(?!'t\b)")
_SOMEBODY = re.compile(r"@?[^\W\d_][\w'-]*")


class Names(Struct, frozen=True):
    """What is known of the project beforehand: paths, qualified names of symbols, names of people, and its id."""

    files: Collection[str] = frozenset()
    symbols: Collection[str] = frozenset()
    people: Collection[str] = frozenset()
    project: str = ""


def is_someone(who: str) -> bool:
    """Whether somebody could be called so: a team, a handle, or a name that is no thing's."""
    who = _TITLE.sub("", who)
    words = who.replace("@", "").lower().removesuffix("'s").split()
    if not words:
        return False
    if set(words) & TEAMS and (TEAMS | word_set("names", "beside_teams")).issuperset(words):
        return True
    if who.islower() and not who.startswith("@"):
        return words[0] in GIVEN
    return who.startswith("@") or (words[0] not in NOT_A_PERSON and not is_identifier(who.split(maxsplit=1)[0]))


class TalkPeople(Struct):
    """The people of a talk, by lower-case name: who they are to the user, and where they are first named."""

    known: frozenset[str]
    named: dict[str, Clause] = field(default_factory=dict)
    shown: dict[str, str] = field(default_factory=dict)
    relations: dict[str, str] = field(default_factory=dict)

    def is_one(self, who: str) -> bool:
        """Whether somebody of this name is a person or a team."""
        plain = _TITLE.sub("", who.lstrip("@").removesuffix("'s").lower())
        first = plain.split()[0] if plain.split() else ""
        if who.startswith("@") or {plain, first} & (self.known | self.named.keys()) or first in GIVEN:
            return True
        return bool(set(plain.split()) & TEAMS) and is_someone(who)


def people_of(clauses: Iterable[Clause], known: Names) -> TalkPeople:
    """Everybody whom the user names, quotations and pasted text apart."""
    full = {name.lower(): name for name in known.people if name}
    firsts = {name.split()[0].lower() for name in full.values() if name.split()}
    people = TalkPeople(frozenset(full) | frozenset(firsts))
    for clause in clauses:
        for name, relation in _named(clause, people.known):
            plain = name.lstrip("@").lower()
            if plain not in people.named:
                people.named[plain], people.shown[plain] = clause, name
            if relation and plain not in people.relations:
                people.relations[plain] = relation
                people.named[plain] = clause
    return _joined(people)


def _named(clause: Clause, known: frozenset[str]) -> Iterable[tuple[str, str]]:
    text = clause.masked
    for match in () if text.isascii() and text.islower() else _mentions(text):
        before, after = text[max(0, match.start() - _NEAR_CHARS) : match.start()], text[match.end() :][:_NEAR_CHARS]
        titled = _TITLED.search(before) is not None
        before = "" if before.rstrip().endswith(_STOPS) else before.rstrip(" ,")
        relation = _relation(before, after)
        if (name := _person(match["name"], known, sure=titled or bool(relation) or _acts(before, after))) is not None:
            place = _FROM.match(after)
            yield name, relation or (place[1] if place else "")
    for match in _HANDLE.finditer(text):
        handle = match.group(1) or match.group(2)
        if handle.lower() not in NOT_A_PERSON:
            yield f"@{handle}", ""
    if known:
        yield from ((word, "") for word in _SMALL.findall(text) if word in known and _written_small(word, text))


def _mentions(text: str) -> Iterator[re.Match[str]]:
    """What may be names: words with capitals, without the word of an order that opens a sentence ("Ask Maria")."""
    at = 0
    while (found := _MENTION.search(text, at)) is not None:
        first, _, more = found["name"].partition(" ")
        opens_order = bool(more) and (first.lower() in NOT_A_PERSON or says(first, "names.addressed"))
        if not opens_order:
            yield found
        at = found.start() + len(first) + 1 if opens_order else found.end()


def _acts(before: str, after: str) -> bool:
    """Whether somebody is seen doing, or being told, what only people do or are told."""
    acting = opens(after.lstrip(" ,"), "names.does", "names.does_from")
    return bool(acting) or says(before, "names.addressed")


def _relation(before: str, after: str) -> str:
    """Who somebody is to the user, told before the name or behind it; empty where nothing is."""
    if told := parted(before.removesuffix("'s"), "names.related_before")[1]:
        return told.removesuffix(" is")
    behind = re.sub(r"^(?:, (?:is )?| is )", "", after)
    if (end := opens(behind.lstrip(), "names.related")) and (behind != after or not behind.startswith(" the")):
        behind = behind.lstrip()
        of = _OF_SOMETHING.match(behind, end)
        return behind[: of.end() if of else end]
    inside, closed, _ = after.removeprefix(" (").partition(")")
    if after.startswith(" (") and closed and says(inside, "names.related_inside"):
        return inside
    return after[: end + 1].strip() if (end := opens(after[1:], "names.comes_from")) else ""


def _written_small(word: str, text: str) -> bool:
    """Whether a known name may stand without its capital: `can` and `mark` are names of people, and words."""
    return word not in NOT_A_PERSON and (word in GIVEN or text.islower())


def _person(said: str, known: frozenset[str], *, sure: bool) -> str | None:
    """The name, without a capitalised word before it that is none."""
    words = said.split()
    while words and words[0].lower() in NOT_A_PERSON:
        words = words[1:]
    if not words:
        return None
    if len(words) > 1 and words[-1].lower() in NOT_A_PERSON:
        words = words[:-1]
    if len(words) > 1 and words[0].lower() not in known | GIVEN and words[1].lower() in known | GIVEN:
        words = words[1:]
    name = " ".join(words)
    return name if sure or name.lower() in known or words[0].lower() in known | GIVEN else None


def _joined(people: TalkPeople) -> TalkPeople:
    """First names that are the beginning of one full name are the same person."""
    by_first: dict[str, list[str]] = defaultdict(list)
    for plain in people.named:
        if " " in plain:
            by_first[plain.split()[0]].append(plain)
    for first, fulls in by_first.items():
        if first in people.named and len(fulls) == 1:
            full = fulls[0]
            relation = people.relations.pop(first, "")
            if relation and full not in people.relations:
                people.relations[full] = relation
            del people.named[first], people.shown[first]
    return people


def someone_in(text: str, people: TalkPeople) -> str:
    """The first person or team that a text names, as it is shown; empty if it names none."""
    for match in _SOMEBODY.finditer(text):
        said = match.group()
        plain = said.lower().lstrip("@").removesuffix("'s")
        if plain.partition("'")[0] in GLUE and said != "IT":
            continue
        if plain in people.named:
            return people.shown[plain]
        inside = match.start() > 0 and said[0].isupper() and not is_identifier(said)
        if people.is_one(said) or (inside and is_someone(said)) or plain in GIVEN:
            return said.removesuffix("'s")
    return ""
