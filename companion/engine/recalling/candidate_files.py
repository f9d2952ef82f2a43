"""Files likely needed, as candidates in their forms: places, outline, name.

What is shown of a file follows how likely it is edited next. Where that falls low its places are not offered at all,
so a tier with room left stays partly empty rather than filled up. Files at hand are left out: whoever asks has
them open.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from companion.engine.lasting import Lasting
from companion.engine.recalling.place_forms import FILES_WITH_PLACES, NAMES_WORTH, by_file, place_forms, without_copies
from companion.engine.recalling.recall import Ask, Recalled
from companion.ports import TokenCounter
from companion.records import (
    Activity,
    Candidate,
    CodeForms,
    Evidence,
    EvidenceKind,
    FileRole,
    Form,
    Link,
    LinkKind,
    PassageHit,
    Prediction,
    Reason,
    Tier,
)

NAME_FROM = 0.002
"""Need under which a file is not named."""
LINK_NEED: Mapping[LinkKind, float] = {
    LinkKind.TEST: 0.6,
    LinkKind.CALL: 0.5,
    LinkKind.INHERIT: 0.5,
    LinkKind.IMPORT: 0.4,
}
"""How likely a directly linked file is needed, beside what history says: tests are run and read with
their subject, what is called or inherited has to be looked up."""
REFACTORING_NEED = 0.15
"""What a refactoring adds to callers and tests: each of them may have to change along (spec C3)."""
FRAME_NEED = 0.9
"""A file that the error itself names, below the line in focus."""
COMPANION_NEED, COMPANION_TOGETHER = 0.6, 3
"""Need of a file that usually changes with those under review and has not, and how often is usually."""
BEHIND_NEED = 0.01
"""Need at most of what stands behind whatever people write, so that it is named after it: see `_behind`."""
ASKED_BY = frozenset({"in_error", "error", "link", "place"})
"""What speaks for a file by itself; one of these is never put behind."""
_DATA = "text markdown restructuredtext asciidoc json xml yaml toml ini html sql css man ignore template"
DATA = frozenset(_DATA.split())
"""Languages of data and prose; in a test they are what it reads."""
_MADE = re.compile(
    r"(?:^|/)(?:vendor|third_party|node_modules|generated|__generated__|__snapshots__)/"
    r"|(?:^|/)(?:[\w.-]*\.lock|[\w.-]*-lock\.(?:json|ya?ml)|bun\.lockb|go\.sum|npm-shrinkwrap\.json|packages\.lock\.json)$"
    r"|\.(?:min\.(?:js|css)|map|snap|pb\.go|svg)$|_pb2?\.py$"
    r"|(?:^|/)\.\w+ignore$"
)
"""What tools make, what others wrote, drawings, and lists of what is left out."""
WORDS_ALONE = frozenset({"strength", "covered", "recent", "alike", "beside", "mention"})
"""What brings in such a file by chance: words it shares with a task, that it changed of late."""
LIKELY_FILES = 40
"""Files that stand in the relevant tier: some by their places, the others by the names they define."""
LATELY_FILES = 12
"""The same where nothing is at hand and no task is told: files that are changed at this time."""
PERHAPS = "Possibly"
"""The section of unlikely files."""
SECTIONS: Mapping[str, frozenset[str]] = {
    "Changes together": frozenset({"together"}),
    "Matches the task": frozenset({"strength", "covered", "mention", "symbol"}),
}
"""Where a file stands that no use connects with those at hand, by what speaks for it, else under LIKELY."""
LIKELY = "Also likely"
"""The section of those that lately changed or have a like name."""
LINKED_EXTRA = 8
"""Linked files taken beside the predicted ones; a hub with hundreds of callers gives its strongest."""
NAME_WORTH = 0.15
"""What a file's name keeps of its value: that it is there. The names in it tell where to look."""
COMPANIONS = "Usually changed too"
"""The section of files that under a review usually change with what is reviewed."""
IN_ERROR = "In the error"
"""The section of files that an error names."""
LOOKED_AT = {IN_ERROR: FRAME_NEED, COMPANIONS: COMPANION_NEED}
"""How likely the files of a section are looked at, whatever their past."""
PLACES, TESTS = "Places", "Tests"
"""The sections of files of which a task is shown its places: sources, documents and settings, and what tests them."""
UNLIKELY = 0.05
"""Probability below which a file is at most named: of those hardly one changes (spec C10)."""
UNLIKELY_BESIDE = 0.2
"""The same beside the likeliest file's: in a large project no file is likely, and the likeliest are still worked on."""
UNLIKELY_NAMED = 3
"""Such files named: some 150 tokens, 4 % of 4,000."""
LIKELIHOOD_POWER = 0.7
"""Of a file's probability in the value of its places: replayed on flask and scrapy, 0.6 to 0.8 are alike."""


NAMED_LIKELIHOOD = 0.5
"""How likely a file is worked in that an assistant names and has not read: it is that one, or where it begins. With 1
its pieces left no room for the tests in 2,000 tokens."""
_BY_NAME = (Reason("current", NAMED_LIKELIHOOD, 1.0, "the file that is named"),)


class Need(Struct, frozen=True):
    """A file, how likely it is needed and why."""

    path: str
    need: float
    probability: float
    section: str
    reasons: tuple[Reason, ...]


def of_files(ask: Ask, recalled: Recalled, counter: TokenCounter) -> list[Candidate]:
    """The files likely needed by their places, where words or names lead to some, and by the names in them.

    Of unlikely files only a few are named, beside those at hand or where there is nothing likelier: what is shown
    of them is nearly always in the way (spec C10).
    """
    codes = recalled.codes
    needs = [need for need in needs_of(ask, recalled) if need.need >= NAME_FROM and need.path in codes]
    if ask.current not in codes or not _stands_behind(codes[ask.current]):
        needs = [kept for need in needs if (kept := _behind(need, codes[need.path])) is not None]
    needs.sort(key=lambda n: (-_likelihood(n), -n.need, n.path))
    hits = by_file(recalled.places)
    best = max((hit.score for need in needs for hit in hits.get(need.path, ())[:1]), default=0.0)
    least = min(UNLIKELY, UNLIKELY_BESIDE * max((_likelihood(n) for n in needs if n.path != ask.current), default=0.0))
    most = LIKELY_FILES if ask.files or ask.has_task else LATELY_FILES
    likely = [need for need in needs if _likelihood(need) >= least][:most]
    found, said = [], set[str]()
    for number, need in enumerate(likely):
        pieces: Sequence[PassageHit] = hits.get(need.path, ()) if number < FILES_WITH_PLACES else ()
        if not codes[need.path].language or codes[need.path].language in DATA:
            pieces = without_copies(pieces, said)
        places = place_forms(pieces, best, counter)
        name = Form("name", need.path, counter.count(need.path), NAME_WORTH)
        forms = (*places, *_outline(codes[need.path]), name)
        section = need.section
        if places and ask.has_task and section != IN_ERROR:
            section = TESTS if codes[need.path].role is FileRole.TEST else PLACES
        tier = Tier.CRITICAL if need.section == IN_ERROR else Tier.RELEVANT  # which gets all the room that is left
        found.append(_candidate(need, tier, section, _likelihood(need) ** LIKELIHOOD_POWER, forms))
    rest = needs[len(likely) : len(likely) + UNLIKELY_NAMED] if ask.files or not likely else ()
    named = ((need, _outline(codes[need.path])) for need in rest)
    return [*found, *(_candidate(need, Tier.BACKGROUND, PERHAPS, need.need, forms) for need, forms in named if forms)]


def _likelihood(need: Need) -> float:
    """How likely a file is edited, or surely looked at since the error names it or a review misses it."""
    return max(need.probability, LOOKED_AT.get(need.section, 0.0))


def _is_made_or_read(code: CodeForms) -> bool:
    return _MADE.search(code.path) is not None or (
        code.role is FileRole.TEST and (not code.language or code.language in DATA)
    )


_stands_behind = Lasting(_is_made_or_read).of
"""Whether a file is made by a tool, or is what a test reads; looked at once for each state of a file."""


def _behind(need: Need, code: CodeForms) -> Need | None:
    """Lock files, generated and foreign code and data of tests change beside sources, or share words with a task.

    Nobody edits them for that: they are named last, and not at all where only words lead to them, but where somebody
    or an error names them, or a file uses them.
    """
    if not _stands_behind(code):
        return need
    named = code.path.rpartition("/")[2].startswith(".")  # `poetry` is a word of many tasks, `dockerignore` is not
    if any(reason.feature in ASKED_BY or (named and reason.feature == "mention") for reason in need.reasons):
        return need
    if all(reason.feature in WORDS_ALONE for reason in need.reasons):
        return None
    return replace(need, need=min(need.need, BEHIND_NEED), probability=min(need.probability, BEHIND_NEED))


def needs_of(ask: Ask, recalled: Recalled) -> list[Need]:
    """Predicted files, linked ones, those the error names, and in a review the missing companions.

    The current file is one where an assistant only names it, to be told where in it to work.
    """
    bonds = _bonds(ask, recalled.links)
    named = [] if ask.signals.holds_current or not ask.current else [_named(ask.current)]
    predicted = {p.path: p for p in ask.predictions if p.path != ask.current}
    extra = sorted(
        (path for path in bonds if path not in predicted and path != ask.current),
        key=lambda path: (-bonds[path].strength, -bonds[path].weight, path),
    )[:LINKED_EXTRA]
    companions = {n.path: n.together for n in recalled.companions if n.together >= COMPANION_TOGETHER}
    paths = dict.fromkeys((*predicted, *extra, *ask.error_files, *companions))
    return named + [
        _said_of(
            ask.current,
            _need(path, predicted.get(path), bonds.get(path), path in ask.error_files, companions.get(path, 0)),
        )
        for path in paths
        if path != ask.current
    ]


class _Bond(Struct, frozen=True):
    """How a file hangs together with those at hand; `changes` is how likely it changes for that alone."""

    section: str
    says: str
    strength: float
    weight: float
    changes: float


def _bonds(ask: Ask, links: Sequence[Link]) -> dict[str, _Bond]:
    """The strongest link of each file to one at hand; of two that are at hand, of the other to the current one."""
    here, current = frozenset(ask.files), ask.current
    bonds: dict[str, _Bond] = {}
    for link in sorted(links, key=lambda x: (x.source, x.target, x.kind)):
        both = link.source in here and link.target in here
        if not (current in (link.source, link.target) if both else link.source in here or link.target in here):
            continue
        outward = link.source == current if both else link.source in here
        path, mine = (link.target, link.source) if outward else (link.source, link.target)
        name = mine.rpartition("/")[2]
        bond = _bond(link, outward, name, ask.activity)
        if path not in bonds or (bond.strength, bond.weight) > (bonds[path].strength, bonds[path].weight):
            bonds[path] = bond
    return bonds


def _bond(link: Link, outward: bool, name: str, activity: Activity) -> _Bond:
    strength = LINK_NEED[link.kind]
    if link.kind is LinkKind.TEST:
        section, says = ("Tested here", f"tested by {name}") if outward else (TESTS, f"tests {name}")
    elif outward:
        section, says = "Used here", f"used by {name}"
    else:
        section, says = "Callers", f"uses {name}"
    along = activity is Activity.REFACTORING and section in {TESTS, "Callers"}
    return _Bond(section, says, strength, link.weight, REFACTORING_NEED if along else 0.0)


def _named(path: str) -> Need:
    """A file that an assistant names: it asks where in it to work."""
    return Need(path, NAMED_LIKELIHOOD, NAMED_LIKELIHOOD, LIKELY, _BY_NAME)


def _need(path: str, prediction: Prediction | None, bond: _Bond | None, in_error: bool, together: int) -> Need:
    """Chances that count as independent: needed if any of them holds."""
    probability = min(max(prediction.probability, 0.0), 1.0) if prediction else 0.0
    reasons = list(prediction.reasons) if prediction else []
    spoken = {reason.feature for reason in reasons}
    section = next((name for name, features in SECTIONS.items() if spoken & features), LIKELY)
    need = probability
    if bond is not None:
        probability = 1 - (1 - probability) * (1 - bond.changes)
        need = 1 - (1 - probability) * (1 - bond.strength)
        section = bond.section
        reasons.append(Reason("link", bond.strength, 1.0, bond.says))
    if together:
        need = max(need, COMPANION_NEED)
        section = COMPANIONS
        reasons.insert(0, Reason("companion", COMPANION_NEED, 1.0, f"changed together {together} times"))
    if in_error:
        need = max(need, FRAME_NEED)
        section = IN_ERROR
        reasons.insert(0, Reason("error", FRAME_NEED, 1.0, "named by the error"))
    return Need(path, round(need, 4), probability, section, tuple(reasons))


def _said_of(current: str, need: Need) -> Need:
    """The reasons with the current file called so: its path stands at the head of the context."""
    if not current:
        return need
    if not any(current in reason.says for reason in need.reasons):
        return need
    reasons = [Reason(r.feature, r.value, r.weight, r.says.replace(current, "this file")) for r in need.reasons]
    return replace(need, reasons=tuple(reasons))


def _candidate(need: Need, tier: Tier, section: str, score: float, forms: tuple[Form, ...]) -> Candidate:
    return Candidate(
        id=f"file:{need.path}",
        title=need.path,
        tier=tier,
        section=section,
        score=round(score, 4),
        forms=forms,
        reasons=need.reasons,
        evidence=(Evidence(EvidenceKind.FILE, need.path),),
        files=(need.path,),
    )


def _outline(code: CodeForms) -> tuple[Form, ...]:
    """The names in a file, if it has any."""
    return (Form("outline", code.outline, code.outline_tokens, NAMES_WORTH),) if code.outline else ()
