"""Habits of the history that nothing declares: how commits are worded, and what changes together.

A habit is told only where the newest commits are clear about it. The share of commits that follow
is judged by its Wilson interval (95 %): above `CLEAR_YES` it is a rule, below `CLEAR_NO` its
opposite is, in between the project is mixed and nothing is said. That a manner is not followed answers
a question and helps nobody unasked: such a habit is trivial.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from companion.kinds import subjects as s
from companion.kinds.history import noise
from companion.kinds.levels import ladder
from companion.ports import World
from companion.records import Commit, Draft, Evidence, EvidenceKind, FactType, Importance, Kind, Scope, entity

ORIGIN = "history habits"
"""All habits of history are one reading; each run says them anew."""
STYLE_COMMITS = 300
"""Commits (no merges) that wording is judged by: a year or so, recent enough to be today's manner."""
TOGETHER_COMMITS = 3_000
"""Commits that are looked at for what changes together; older ones are of another layout."""
STYLE_LEAST = 30
"""Below this many commits no interval is narrow enough to tell a habit from chance."""
CLEAR_YES, CLEAR_NO = 0.75, 0.10
"""Bounds of the interval: at 300 commits, a share of .80 is just a yes and one of .065 just a no."""
RULE_LEAST_COMMITS = 40
"""Commits that touch a place before a rule about it is told."""
RULE_SHARE = 0.30
"""Least lower bound of a rule's share: seen in about every third change, worth a look each time."""
RULE_LIFT = 1.2
"""Least ratio of the share to how often the companion changes at all: else it is always changed."""
RULES = 8
"""Rules told of one project, strongest first."""
SWEEP_FILES = 30
"""Commits of more files say nothing of what belongs together."""
EXAMPLES = 3
"""Commits shown as evidence."""

_TYPED = re.compile(
    r"^(?:feat|fix|docs?|style|refactor|perf|tests?|build|ci|chore|revert)(?:\([^)]*\))?!?: ", re.IGNORECASE
)
_SCOPED = re.compile(r"^[\w./*,+-]+(?: ?[\w./*,+-]+)?(?:\([^)]*\))?!?: \S")
_REQUEST = re.compile(r"\(#\d+\)$")


@dataclass(frozen=True, slots=True)
class Wording:
    """A way to word a subject: the attribute, the test, and what yes and no mean in words."""

    attribute: str
    follows: re.Pattern[str]
    yes: str
    no: str


WORDINGS = (
    Wording(
        s.CONVENTIONAL_COMMITS,
        _TYPED,
        "Commit subjects follow Conventional Commits (`fix: …`, `feat(scope): …`).",
        "Commit subjects do not use Conventional Commits types (`fix:`, `feat:`).",
    ),
    Wording(
        s.SCOPE_COLON_SUBJECT,
        _SCOPED,
        "Commit subjects begin with the area and a colon (`area: what changes`).",
        "Commit subjects do not begin with an area and a colon.",
    ),
    Wording(
        s.PR_NUMBER_SUFFIX,
        _REQUEST,
        "Commit subjects end with the pull request number, `(#123)`.",
        "Commit subjects do not end with a pull request number.",
    ),
    Wording(
        s.CAPITALISED_SUBJECT,
        re.compile(r"^[A-Z]"),
        "Commit subjects begin with a capital letter.",
        "Commit subjects do not begin with a capital letter.",
    ),
)


class HistoryHabits:
    """Learns how commits are worded and which places change together."""

    name = "history habits"

    def origins(self, world: World) -> Sequence[str]:
        """One origin, whenever there are new commits."""
        return (ORIGIN,) if world.new_commits() else ()

    def learn(self, world: World) -> Iterator[Draft]:
        """Habits of wording and rules of companions, over the newest commits."""
        if not world.new_commits():
            return
        commits = [commit for commit in world.recent_commits(TOGETHER_COMMITS) if not commit.is_merge]
        yield from wording_habits(commits[-STYLE_COMMITS:])
        yield from companion_rules(commits, world.all_paths())


def interval(hits: int, n: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a share; (0, 1) for n = 0."""
    if n == 0:
        return (0.0, 1.0)
    z, share = 1.96, hits / n
    centre = share + z * z / (2 * n)
    spread = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    scale = 1 + z * z / n
    return ((centre - spread) / scale, (centre + spread) / scale)


def verdict(hits: int, n: int) -> bool | None:
    """Whether a share is clearly a habit, clearly none, or (None) mixed."""
    low, high = interval(hits, n)
    if n < STYLE_LEAST:
        return None
    return True if low >= CLEAR_YES else False if high <= CLEAR_NO else None


def wording_habits(commits: Sequence[Commit]) -> Iterator[Draft]:
    """How subjects are worded, one draft a clear habit.

    Whoever follows Conventional Commits begins with a word and a colon for that: it is no habit of its own.
    """
    typed = False
    for wording in WORDINGS:
        following = [c for c in commits if wording.follows.search(c.subject)]
        answer = verdict(len(following), len(commits))
        typed = typed or (wording.attribute == s.CONVENTIONAL_COMMITS and answer is True)
        if answer is None or (typed and wording.attribute == s.SCOPE_COLON_SUBJECT):
            continue
        share = len(following) / len(commits) if answer else 1 - len(following) / len(commits)
        says = wording.yes if answer else wording.no
        counted = f"Seen in {round(share * 100)} % of the last {len(commits)} commits."
        followed = set(map(id, following))
        shown = [c for c in commits if (id(c) in followed) is answer][-EXAMPLES:]
        yield Draft(
            kind=Kind.FACT,
            type=FactType.HABIT.value,
            subject=s.COMMITS,
            attribute=wording.attribute,
            value=s.TRUE if answer else s.FALSE,
            levels=ladder(f"{says} {counted}", summary=says, index=wording.attribute),
            origin=ORIGIN,
            evidence=tuple(_commit_evidence(c) for c in reversed(shown)),
            confidence=round(share, 3),
            importance=Importance.DEFAULT if answer else Importance.TRIVIAL,
            label=s.CONVENTION,
        )


def _commit_evidence(commit: Commit) -> Evidence:
    return Evidence(EvidenceKind.COMMIT, commit.sha, quote=commit.subject[:200])


@dataclass(frozen=True, slots=True)
class Rule:
    """Commits that touch `place` touch `companion` too in `hits` of `n`."""

    place: str
    companion: str
    hits: int
    n: int

    @property
    def share(self) -> float:
        """How often the companion came along."""
        return self.hits / self.n


def companion_rules(commits: Sequence[Commit], paths: Sequence[str]) -> Iterator[Draft]:
    """Places whose changes bring another place along: source with its tests, a manifest with a change log."""
    alive = {place for path in paths for place in places_of(path)}
    baskets = [basket for commit in commits if (basket := _basket(commit, alive))]
    latest = {place: commit for commit in commits for place in _basket(commit, alive)}
    for rule in beside_each_other(_strongest(_rules(baskets))):
        often = "usually" if rule.share >= 0.5 else "often"
        says = f"Changes to {rule.place} {often} come with changes to {rule.companion}."
        counted = f"Seen in {round(rule.share * 100)} % of {rule.n} commits."
        yield Draft(
            kind=Kind.FACT,
            type=FactType.HABIT.value,
            subject=s.WORKFLOW_RULES,
            attribute=f"{rule.place} with {rule.companion}",
            value=f"{rule.share:.2f}",
            levels=ladder(
                f"{says} {counted}",
                summary=says,
                compressed=f"{rule.place} with {rule.companion}",
                index=f"{rule.place} with {rule.companion}",
            ),
            origin=ORIGIN,
            evidence=(_commit_evidence(latest[rule.companion]),),
            entities=tuple(entity("file", p) for p in (rule.place, rule.companion) if not p.endswith("/")),
            scope=Scope(path=rule.place.partition("{")[0].rstrip("/")),
            confidence=round(rule.share, 3),
            label=s.CONVENTION,
        )


def places_of(path: str) -> tuple[str, ...]:
    """The places a path belongs to: its first three folders (with a slash), a manifest or change log itself."""
    parts = PurePosixPath(path).parts
    folders = tuple("/".join(parts[: depth + 1]) + "/" for depth in range(min(3, len(parts) - 1)))
    return (*folders, path) if _ALONE.search(path) else folders


_ALONE = re.compile(
    r"(?:^|/)(?:change(?:s|log)|news|history|releases?)(?:\.\w+)?$|(?:^|/)(?:Cargo\.toml|pyproject\.toml|package\.json"
    r"|go\.mod|composer\.json|pom\.xml|Gemfile|build\.gradle(?:\.kts)?)$",
    re.IGNORECASE,
)
_TESTS = re.compile(r"(?:^|/)(?:tests?|testing|spec|specs|__tests__|e2e)/", re.IGNORECASE)
_NOTES = re.compile(
    r"(?:^|/)(?:changelog|changelogs|changes|newsfragments|news|\.changeset|unreleased|docs?|documentation)/"
    r"|(?:^|/)(?:change(?:s|log)|news|history|releases?)(?:\.\w+)?$",
    re.IGNORECASE,
)


def _basket(commit: Commit, alive: set[str]) -> frozenset[str]:
    if not commit.changes or len(commit.changes) > SWEEP_FILES or noise.robot(commit):
        return frozenset()
    return frozenset(place for change in commit.changes for place in places_of(change.path) if place in alive)


def _rules(baskets: Sequence[frozenset[str]]) -> list[Rule]:
    """Rules from a place of source, or a manifest, to a place of tests, notes or a change log."""
    touched: Counter[str] = Counter()
    together: Counter[tuple[str, str]] = Counter()
    for basket in baskets:
        touched.update(basket)
        companions = sorted(place for place in basket if _TESTS.search(place) or _NOTES.search(place))
        for place in sorted(basket):
            if not (_TESTS.search(place) or _NOTES.search(place) or place.startswith(".")):
                together.update((place, other) for other in companions if not _nested(place, other))
    found = []
    for (place, other), hits in sorted(together.items()):
        n = touched[place]
        if n < RULE_LEAST_COMMITS or interval(hits, n)[0] < RULE_SHARE:
            continue
        if hits / n >= RULE_LIFT * touched[other] / len(baskets):
            found.append(Rule(place, other, hits, n))
    return found


def _nested(a: str, b: str) -> bool:
    return a.startswith(b) or b.startswith(a)


def _strongest(rules: Sequence[Rule]) -> list[Rule]:
    """At most `RULES`; of nested places only the one that says most: the widest that is as sure."""
    kept: list[Rule] = []
    for rule in sorted(rules, key=lambda r: (-r.n * r.share, r.place, r.companion)):
        rivals = [k for k in kept if _same_say(k, rule)]
        if not rivals:
            kept.append(rule)
    return sorted(kept[:RULES], key=lambda r: (-r.share, r.place, r.companion))


def beside_each_other(rules: Sequence[Rule]) -> list[Rule]:
    """Rules where those of neighbouring folders with one companion are told as one: `src/{cli,net}/`."""
    groups: dict[tuple[str, str], list[Rule]] = {}
    for rule in rules:
        above = rule.place.rstrip("/").rpartition("/")[0] if rule.place.endswith("/") else rule.place
        groups.setdefault((above, rule.companion), []).append(rule)
    return [_as_one(above, group) if len(group) > 1 else group[0] for (above, _), group in groups.items()]


def _as_one(above: str, rules: Sequence[Rule]) -> Rule:
    names = sorted(rule.place.rstrip("/").rpartition("/")[2] for rule in rules)
    place = f"{above}/{{{','.join(names)}}}/" if above else f"{{{','.join(names)}}}/"
    return Rule(place, rules[0].companion, sum(rule.hits for rule in rules), sum(rule.n for rule in rules))


def _same_say(kept: Rule, rule: Rule) -> bool:
    """Whether one rule follows from the other: each end lies within the other's."""
    ends = ((kept.place, rule.place), (kept.companion, rule.companion))
    return all(a.startswith(b) or b.startswith(a) for a, b in ends)


def shares(counts: Mapping[str, int]) -> tuple[str, float, int]:
    """The commonest value, its share, and the total; ('', 0, 0) of nothing."""
    total = sum(counts.values())
    if not total:
        return ("", 0.0, 0)
    value = max(sorted(counts), key=lambda name: counts[name])
    return (value, counts[value] / total, total)
