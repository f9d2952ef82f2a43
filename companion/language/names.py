"""Who and what a talk names: people, files and symbols, as entity keys.

A capital alone makes no person: a sentence begins with one, and most names in such talk are of tools. Somebody is
known, has a given name that is nothing else, or is seen doing or being told what only people do or are told.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from companion.language.marks import is_identifier
from companion.language.sentences import Clause
from companion.language.word_lists import word_set
from companion.records.memory import entity

TEAMS = word_set("talk", "teams")


GIVEN = word_set("names", "given")
NOT_A_PERSON = word_set("names", "things") | word_set("names", "words")

_NAME = r"[A-Z][a-zà-öø-ÿ]+(?:-[A-Za-z][a-zà-öø-ÿ]+)?"
_FULL = rf"{_NAME}(?: (?:[A-Z]\.|{_NAME}))?"
_DOES = (
    r"(?:said|says|asked|asks|promised|thinks|thought|told|agreed|approved|reviewed|wants|wanted|suggested"
    r"|suggests|mentioned|signed|replied|answered|joined|complained|prefers|insisted|insists|argued"
    r"|volunteered|offered|confirmed|pinged|emailed|messaged|owes|disagrees|believes|objected|objects|proposed"
    r"|proposes|noticed|pointed out|is (?:on (?:vacation|leave|holiday|pto|call|parental)|out (?:sick|until"
    r"|this|next|of office)|away|sick|our|my|the (?:new )?(?:lead|manager|designer|pm|dba|owner|cto|ceo"
    r"|one who))"
    r"|is supposed to (?:deliver|send|give|provide|review|write|prepare|get|let|finish|hand|check)|joins|joined"
    r"|is joining|is leaving|owns|maintains|leads|manages|takes over|took over|will join|signed off"
    r"|can (?:help|review|sign|approve)|is (?:the )?owner|is (?:preparing|writing|drafting|reviewing|checking"
    r"|taking)|sent|wrote|will (?:send|review|write|check|get back|let us|let me|handle|take|do|look|ask|talk"
    r"|provide|deliver|share|sign|own|join|prepare|draft|set up|fix|give|be (?:back|out|on|away))|'ll"
    r"|has (?:promised|agreed|approved|sent|signed|reviewed|the)|'s (?:crew|office|lab|people|folks|group"
    r"|side|review|approval|feedback|opinion|input"
    r"|sign-off|team|desk|answer|suggestion|idea|concern|proposal|comment|pr\b))"
)
_ACTING = re.compile(rf"(?<![\w/.@#\\-])(?P<name>{_FULL})(?: (?:from|at|in|of|on) [\w ]{{2,24}})?,? ?{_DOES}")
_ADDRESSED = re.compile(
    r"\b(?:[Aa]ssigned (?:[\w -]{1,24} )?to|[Aa]sk(?:ed|ing)?|[Tt]ell|told|[Pp]ing(?:ed)?|[Ee]mail(?:ed)?"
    r"|[Mm]essag(?:e|ed)|[Nn]udged?"
    r"|[Tt]hank(?:s to|ed)?|[Mm]eet(?:ing)? with|[Mm]et with|[Mm]et|[Tt]alk(?:ed|ing)? (?:to|with)"
    r"|[Ss]poke (?:to|with)|[Ss]peak (?:to|with)|[Aa]greed? with|[Dd]isagreed? with|[Mm]e and"
    r"|(?:folks|people|team|crew|guys|side) \(|[Dd]iscuss(?:ed)? (?:it |this |that )?with"
    r"|[Cc]heck(?:ed)? with|[Cc]larif(?:y|ied) (?:it |this |that )?with|[Ww]ork(?:ed|ing)? with"
    r"|[Aa]ligned with|[Cc]hat with|[Ll]unch with|[Hh]elp from|[Mm]ail from|[Mm]essage from|[Cc]ome from"
    r"|[Cc]all with|cc|[Ww]aiting (?:for|on)|[Hh]eard (?:back )?from|[Hh]ear (?:back )?from|[Pp]air(?:ed"
    r"|ing)? with|[Ss]ync(?:ed)? with|[Ii]nvite|[Aa]ssign(?:ed)? (?:it |this |that |\S+ )?to|[Rr]ev"
    r"iewed by|[Ff]eedback from|[Aa]pproval from|[Ss]ign-off from|[Rr]eview from|[Hh]and(?:ed)? (?:it |this "
    r"|that )?(?:over )?to|[Mm]y (?:manager|boss|colleague|lead|coworker|teammate|wife|husband|friend|cto|ceo"
    rf"|pm)|[Oo]ur (?:manager|designer|lead|dba|cto|ceo|pm|lawyer)),? (?P<name>{_FULL})(?![\w/])"
)
_ROLE = (
    r"(?:translator|supervisor|professor|teacher|consultant|developer|tester|writer|editor|researcher|student"
    r"|director|analyst|scientist|recruiter|coach|advis[eo]r|investor|contact|tutor|illustrator|producer|admin"
    r"|sysadmin|brother|sister|son|daughter|roommate|neighbou?r|manager|boss|lead|tech lead|team lead|colleague"
    r"|coworker|teammate|designer|pm|product manager|dba|cto|ceo"
    r"|lawyer|intern|contractor|client|customer|reviewer|maintainer|owner|sre|data engineer|engineer|architect"
    r"|accountant|friend|wife|husband|partner|co-?founder|mentor)"
)
_TEAM = (
    r"(?:legal|finance|ops|devops|security|design|infra|infrastructure|platform|support|marketing|sales|qa|product"
    r"|data|accounting|procurement|compliance|hr|it|backend|frontend|mobile|ml)(?: team)?"
)
_TITLE = re.compile(r"^(?:mr|mrs|ms|dr|prof|professor)\.? ", re.IGNORECASE)
_TITLED = re.compile(rf"\b(?:Mr|Mrs|Ms|Dr|Prof|Professor)\.? (?P<name>(?!(?:Mr|Mrs|Ms|Dr|Prof)\b){_NAME}(?: {_NAME})?)")
_RELATED = (
    re.compile(rf"(?P<relation>(?:[Mm]y|[Oo]ur|[Tt]he)(?: new| old)? {_ROLE})(?: is|'s)?,? (?P<name>{_FULL})\b"),
    re.compile(
        rf"(?P<name>{_FULL})(?:, (?:is )?| is | (?=my|our))(?P<relation>(?:my|our"
        rf"|the) (?:[\w-]+ ){{0,2}}?{_ROLE}(?: (?:of|for|at"
        rf"|in) [\w ]{{2,24}}?)?)(?=[\s,.;)!]|$)"
    ),
    re.compile(
        rf"(?P<name>{_FULL}) \((?P<relation>(?:our |my |the |from |in )?(?:[\w-]+ ){{0,2}}?(?:{_ROLE}|{_TEAM}))\)"
    ),
    re.compile(
        rf"(?P<name>{_FULL}) (?P<relation>(?:from|at|in) (?:the )?(?:[a-z][\w-]+ team|[A-Z][\w-]+|legal|finance"
        r"|ops|devops|security|design|infra|platform|support|marketing|sales|qa|product|accounting|procurement"
        r"|compliance|hr|it))\b"
    ),
)
_HANDLE = re.compile(
    r"(?<=[a-z,:;(] )@([A-Za-z][\w-]{1,38})(?![\w./(@])|^@([A-Za-z][\w-]{1,38})(?= (?:can|will|could|said"
    r"|please|is|has|asked|wants|thinks|promised|what|do)\b)"
)
_MENTION = re.compile(rf"(?<![\w/.@#\\-])(?P<name>{_FULL})(?![\w/\\(]|\.\w)")
_PATH = re.compile(r"(?<![\w/])(?:[\w.@+-]+/)*[\w@+-][\w.@+-]*\.[A-Za-z]\w{0,9}\b|(?<![\w/])(?:[\w.@+-]+/)+[\w.@+-]+")
_SYMBOL = re.compile(r"[A-Za-z_$][\w$]*(?:(?:\.|::|#)[A-Za-z_$][\w$]*)*")
_SOMEBODY = re.compile(r"@?[^\W\d_][\w'-]*")
_SHORT_SYMBOL = 3
"""Names of code with fewer letters are words or variables of the moment."""


@dataclass(frozen=True, slots=True)
class Names:
    """What is known of the project beforehand: paths, qualified names of symbols, names of people."""

    files: Collection[str] = frozenset()
    symbols: Collection[str] = frozenset()
    people: Collection[str] = frozenset()


def is_someone(who: str) -> bool:
    """Whether somebody could be called so: a team, a handle, or a name that is no thing's."""
    who = _TITLE.sub("", who)
    words = who.replace("@", "").lower().removesuffix("'s").split()
    if not words:
        return False
    if set(words) & TEAMS and all(
        word in TEAMS
        or word in {"the", "our", "my", "team", "people", "folks", "guys", "side", "department", "hosting", "provider"}
        for word in words
    ):
        return True
    if who.islower() and not who.startswith("@"):
        return words[0] in GIVEN
    return who.startswith("@") or (words[0] not in NOT_A_PERSON and not is_identifier(who.split(maxsplit=1)[0]))


@dataclass(slots=True)
class TalkPeople:
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
    if not (text.isascii() and text.islower()):
        for pattern in _RELATED:
            for match in pattern.finditer(text):
                if (name := _person(match.group("name"), known, sure=True)) is not None:
                    yield name, match.group("relation")
        for pattern in (_TITLED, _ACTING, _ADDRESSED):
            for match in pattern.finditer(text):
                if (name := _person(match.group("name"), known, sure=True)) is not None:
                    yield name, ""
        for match in _MENTION.finditer(text):
            if (name := _person(match.group("name"), known, sure=False)) is not None:
                yield name, ""
    for match in _HANDLE.finditer(text):
        handle = match.group(1) or match.group(2)
        if handle.lower() not in NOT_A_PERSON:
            yield f"@{handle}", ""
    if known:
        yield from ((word, "") for word in re.findall(r"[a-z]+", text) if word in known and _written_small(word, text))


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
        if said == "it":
            continue
        if plain in people.named:
            return people.shown[plain]
        inside = match.start() > 0 and said[0].isupper() and not is_identifier(said)
        if people.is_one(said) or (inside and is_someone(said)) or plain in GIVEN:
            return said.removesuffix("'s")
    return ""


class EntityKeys:
    """Entity keys for what statements name; looks each name up, never goes through what is known."""

    def __init__(self, known: Names, people: TalkPeople) -> None:
        self._files = known.files if isinstance(known.files, (set, frozenset, dict)) else frozenset(known.files)
        self._symbols = known.symbols if isinstance(known.symbols, (set, frozenset, dict)) else frozenset(known.symbols)
        self._people = people
        self._by_name: dict[str, list[str]] | None = None

    def of(self, text: str) -> tuple[str, ...]:
        """The keys of everything that a text names, sorted."""
        keys = {entity("person", plain) for plain in self._people.named if _says(text, plain)}
        for token in _PATH.findall(text):
            if (path := self._file(token.strip(".,;:"))) is not None:
                keys.add(entity("file", path))
        for token in _SYMBOL.findall(text):
            if len(token) >= _SHORT_SYMBOL and token in self._symbols:
                keys.add(entity("symbol", token))
        return tuple(sorted(keys))

    def _file(self, said: str) -> str | None:
        """The path that is meant: as said if it is known, the one known that ends so, or what looks like one."""
        if said in self._files:
            return said
        if self._by_name is None:
            self._by_name = defaultdict(list)
            for path in self._files:
                self._by_name[path.rpartition("/")[2]].append(path)
        ending = [path for path in self._by_name.get(said.rpartition("/")[2], ()) if path.endswith("/" + said)]
        if len(ending) == 1:
            return ending[0]
        return said if "/" in said and "." in said.rpartition("/")[2] and not ending else None


def _says(text: str, plain: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(plain)}(?!\w)", text, re.IGNORECASE) is not None
