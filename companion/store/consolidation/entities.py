"""Which names are one entity: people by their addresses, topics by their letters.

People are told by what history says of them. Names are one person's if they share an address, and each name's
addresses are all that person's: a first name that two people use is never given to one of them. Addresses of
many (a build server's, `root@localhost`) tie nobody, and those who write on command are nobody at all.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from itertools import combinations

from companion.language.robots import is_robot
from companion.records import entity
from companion.records.tidying import Unite
from companion.store.consolidation.view import View
from companion.store.memories.aliases import ALIASES, followed
from companion.store.rows import pairs, tuples

NAMES_OF_ONE = 4
"""Names under which one address may be used and still be one person's: a nick, a short name, a new name."""
LEAST_NICK = 3
"""Letters of a nick that is taken for its owner's: shorter ones are initials, which several share."""
_AUTHORS = """
select author_name, lower(author_email), count(*)
from commits
where project_id = $project
    and author_name <> ''
group by author_name, lower(author_email)
order by count(*) desc, author_name, lower(author_email)
"""

_MENTIONED = """
select entity, count(*)
from memory_entities
where project_id = $project
    and (starts_with(entity, 'person:') or starts_with(entity, 'topic:') or starts_with(entity, 'project:'))
group by entity
order by count(*) desc, entity
"""

_HANDLE = re.compile(r"^(?:\d+\+)?(?P<handle>[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)@users\.noreply\.github\.com$")
_NOBODYS = re.compile(
    r"^(?:root|admin|info|me|you|user|git|build|ci|nobody|noreply|no-reply|unknown|none|support|team|dev|test)@"
    r"|@(?:localhost|example\.\w+|none|unknown)$|\.(?:local|localdomain|lan|internal)$|^[^@]*$"
)
_NAMELESS = frozenset(
    ("unknown", "root", "user", "admin", "nobody", "none", "anonymous", "name", "your_name", "dev", "test", "git", "me")
)
"""Keys of what stands where a name was never set."""
_LETTERS = re.compile(r"[^\W_]+")

_SAME_TOPICS: Sequence[tuple[str, ...]] = (
    ("postgresql", "postgres"),
    ("kubernetes", "k8s"),
    ("javascript", "js"),
    ("typescript", "ts"),
    ("golang", "go_language"),
    ("continuous_integration", "ci"),
    ("github_actions", "gh_actions"),
)
"""Names of one thing that share too few letters to be told by them."""


@dataclass
class _Name:
    """A name as history and memories spell it: its key, spelling, addresses, and how often it is met."""

    key: str
    shown: str
    addresses: set[str] = field(default_factory=set)
    met: int = 0


def spellings(view: View) -> Iterator[Unite]:
    """Entities that are another spelling of one and were not known as such, in a stable order.

    What they stand for is never itself another spelling: where one that stood for others turns out to be one,
    all of them are told anew.
    """
    with view.database.read() as connection:
        authors = tuples(connection, _AUTHORS, project=view.project)
        counts = pairs(connection, _MENTIONED, project=view.project)
        known = pairs(connection, ALIASES, project=view.project)
    yield from _news([*people(authors, counts), *topics(counts)], known)


def people(authors: Iterable[tuple[str, str, int]], mentioned: Mapping[str, int]) -> Iterator[Unite]:
    """Names (as keys) that are another name of a person; `authors` are names, addresses and their commits."""
    names = _names(authors, mentioned)
    owners = _owners(names)
    groups = _Groups()
    for one, other in _alike(names):
        groups.join(one, other, "the same name in other letters")
    shared = [
        (one, other, address)
        for address, keys in sorted(owners.items())
        for one, other in combinations(sorted(keys), 2)
    ]
    for one, other, address in shared:
        if _full(names[one]) and _full(names[other]) and _renamed(names[one], names[other]):
            groups.join(one, other, _how(address))
    for short, (full, address) in _nicks(names, owners, shared, groups):
        groups.join(short, full, _how(address))
    for members in groups.members():
        keep = max(members, key=lambda key: (_full(names[key]), names[key].met, key))
        for key in sorted(members - {keep}):
            yield Unite(key, keep, f"{groups.why[key]}: {names[key].shown} is {names[keep].shown}")


def topics(mentioned: Mapping[str, int]) -> Iterator[Unite]:
    """Topics and projects whose names differ only in how their words are joined, or are known to be one."""
    same: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    standard = {name: group[0] for group in _SAME_TOPICS for name in group}
    for key in mentioned:
        sort, _, name = key.partition(":")
        if sort in {"topic", "project"} and name:
            same[sort, standard.get(name, name).replace("_", "")].append(key)
    for keys in same.values():
        keep, *others = sorted(keys, key=lambda key: (-mentioned[key], key))
        for key in others:
            yield Unite(key, keep, "the same name, spelled in another way")


def _news(found: Iterable[Unite], known: Mapping[str, str]) -> Iterator[Unite]:
    """What of all that is new, each spelling standing for one that stands for nothing else.

    What is known keeps its direction: nothing that stands for another becomes what that other stands for.
    """
    wanted, why = dict(known), {}

    def whole(key: str) -> str:
        return followed(key, wanted)

    for one in found:
        part, rest = whole(one.entity), whole(one.stands_for)
        if part != rest:
            wanted[part] = rest
            why[one.entity] = one.reason
    for key in sorted(wanted):
        if known.get(key) != (final := whole(key)):
            yield Unite(key, final, why.get(key, "what it stood for is another spelling itself"))


def _names(authors: Iterable[tuple[str, str, int]], mentioned: Mapping[str, int]) -> dict[str, _Name]:
    """Everybody by key: authors, the handles in their addresses, and people whom memories name."""
    names: dict[str, _Name] = {}
    for shown, address, commits in authors:
        if is_robot(shown, address):
            continue
        own = entity("person", shown)
        handle = _HANDLE.match(address)  # what a forge gives out is its owner's alone
        for spelled in (shown, *([handle["handle"]] if handle else [])):
            key = entity("person", spelled)
            if key.partition(":")[2] in {"", *_NAMELESS} or (spelled != shown and not {key, own} & mentioned.keys()):
                continue  # a handle that nobody has heard of is no news
            name = names.setdefault(key, _Name(key, spelled))
            if not _NOBODYS.search(address):
                name.addresses.add(address)
            name.met += commits if spelled == shown else 0
    for key, count in mentioned.items():
        if key.startswith("person:") and key != "person:" and not is_robot(key.partition(":")[2].replace("_", " ")):
            names.setdefault(key, _Name(key, key.partition(":")[2].replace("_", " "))).met += count
    return names


def _owners(names: Mapping[str, _Name]) -> dict[str, set[str]]:
    """The names under which each address is used."""
    owners: defaultdict[str, set[str]] = defaultdict(set)
    for name in names.values():
        for address in name.addresses:
            owners[address].add(name.key)
    return {address: keys for address, keys in owners.items() if 1 < len(keys) <= NAMES_OF_ONE}


def _full(name: _Name) -> bool:
    return len(name.shown.split()) > 1 and len(_parts(name.shown)) > 1


def _renamed(a: _Name, b: _Name) -> bool:
    """Whether two full names with one address are a person's: a middle name more, a new surname, another order.

    An address may belong to two who work together; their given names differ.
    """
    return _parts(a.shown)[0] == _parts(b.shown)[0] or set(_parts(a.shown)) == set(_parts(b.shown))


def _nicks(
    names: Mapping[str, _Name],
    owners: Mapping[str, Set[str]],
    shared: Iterable[tuple[str, str, str]],
    groups: _Groups,
) -> Iterator[tuple[str, tuple[str, str]]]:
    """Short names with the one person whose addresses are all of theirs; who could be two people's is nobody's."""
    found: defaultdict[str, dict[str, tuple[str, str]]] = defaultdict(dict)
    for one, other, address in shared:
        for short, full in ((one, other), (other, one)):
            if not _full(names[short]) and _full(names[full]):
                found[short].setdefault(groups.first(full), (full, address))
    for short, persons in sorted(found.items()):
        if len(persons) > 1 or len("".join(_parts(names[short].shown))) < LEAST_NICK:
            continue
        ((full, address),) = persons.values()
        if all(full in owners.get(one, ()) for one in names[short].addresses):
            yield short, (full, address)


def _alike(names: Mapping[str, _Name]) -> Iterator[tuple[str, str]]:
    """Full names that are the same without accents, marks and the order of their parts."""
    same: defaultdict[tuple[str, ...], list[str]] = defaultdict(list)
    for key in sorted(names):
        parts = _parts(names[key].shown)
        if len(parts) > 1:
            same[tuple(sorted(parts))].append(key)
    for keys in same.values():
        for other in keys[1:]:
            yield keys[0], other


def _parts(name: str) -> list[str]:
    plain = unicodedata.normalize("NFKD", name.replace("ø", "o").replace("ł", "l").replace("ß", "ss"))
    return _LETTERS.findall("".join(sign for sign in plain if not unicodedata.combining(sign)).lower())


def _how(address: str) -> str:
    return "the forge's address gives the person's name" if _HANDLE.match(address) else "one address under both names"


class _Groups:
    """Keys that belong together, and why each was joined."""

    def __init__(self) -> None:
        self._of: dict[str, set[str]] = {}
        self.why: dict[str, str] = {}

    def join(self, one: str, other: str, why: str) -> None:
        """Put the groups of two keys together."""
        both = self._of.get(one, {one}) | self._of.get(other, {other})
        for key in both:
            self._of[key] = both
        self.why.setdefault(one, why)
        self.why.setdefault(other, why)

    def first(self, key: str) -> str:
        """What a key's group is known by."""
        return min(self._of.get(key, {key}))

    def members(self) -> list[set[str]]:
        """The groups, in the order of their first keys."""
        seen: set[str] = set()
        found = []
        for key in sorted(self._of):
            if key not in seen:
                seen |= self._of[key]
                found.append(self._of[key])
        return found
