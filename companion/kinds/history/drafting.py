"""What landed as drafts: the episode, the error it fixed, what it decided, with their evidence and what they touch."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec.structs import replace

from companion.kinds.history.choices import Choice
from companion.kinds.history.forges import ISSUES, issues_of
from companion.kinds.history.landed import Landed, adr_paths, bare, ranked_paths
from companion.kinds.history.salience import failure_of
from companion.kinds.history.undoing import how_undone
from companion.kinds.levels import episode_levels, ladder
from companion.records import (
    Artifact,
    ArtifactKind,
    Commit,
    Decision,
    DecisionStatus,
    Draft,
    Episode,
    EpisodeType,
    Evidence,
    EvidenceKind,
    FactType,
    Importance,
    Kind,
    entity,
)

MASS_FILES = 30
"""Files of a commit from which on a decision that it states is about those alone that its message names."""
ARTIFACTS = 15
"""Things an episode is linked to, its commits, requests and files together: what one can look through."""
EVIDENCE = 12
"""Commits an episode points to: the merge and the first of its branch."""
SYMBOLS = 8
"""Names of code taken from a message."""
QUOTE_CHARS = 200
"""Characters of a quote; what `Evidence` allows."""

_QUOTED = re.compile(r"`([^`\s]{2,60})`|\b((?:[A-Za-z_]\w*+(?:\.|::)){1,20}[A-Za-z_]\w*+|[A-Za-z_]\w*)\(\)")
_FILES = re.compile(r"(?:^|\n\n)Files: .*$")
"""The line that names the files at the end of an episode's full text."""
_REVERT_TITLE = re.compile(r"revert\b", re.IGNORECASE)
"""A title that only repeats what it takes back."""
_CODE_NAME = re.compile(r"^[A-Za-z_$@][\w$]*(?:(?:\.|::|#|->)[A-Za-z_]\w*)*(?:\(\))?$")


def origin_of(sha: str) -> str:
    """The origin of all that is learned from one commit."""
    return f"commit:{sha}"


def evidence_of(commit: Commit) -> Evidence:
    """A commit as something that can be checked, in the words of its subject."""
    return Evidence(EvidenceKind.COMMIT, commit.sha, quote=commit.subject[:QUOTE_CHARS])


def draft_of(landed: Landed, there: Sequence[str], told: str) -> Draft:
    """The episode's draft: what is `told` of it, and the paths that are `there`; an error where it names one."""
    commit = landed.commit
    paths = ranked_paths(there, ARTIFACTS)
    body = _episode_body(landed)
    failure = failure_of(landed)
    type_ = EpisodeType.BRANCH if landed.members else EpisodeType.COMMIT
    return Draft(
        kind=Kind.EPISODE,
        type=(EpisodeType.ERROR if failure else type_).value,
        subject=landed.title,
        attribute=commit.sha[:12],
        value=landed.title,
        levels=episode_levels(landed.title, told, paths),
        origin=origin_of(commit.sha),
        evidence=tuple(map(evidence_of, (commit, *landed.members[: EVIDENCE - 1]))),
        body=failure or body,
        entities=_entities(landed, paths),
        artifacts=_artifacts(landed, paths),
        confidence=1.0,
        importance=landed.importance,
        valid_from=commit.committed_at,
    )


def reverted(draft: Draft, revert: Commit) -> Draft:
    """The draft of something that a later commit took back, or removed; a decision is superseded by it."""
    decision, undone = isinstance(draft.body, Decision), how_undone(revert)
    head = draft.levels.compressed if decision else draft.subject
    how = "No longer in force since" if decision else f"{undone.capitalize()} on"
    note = "" if _REVERT_TITLE.match(revert.subject) else f"{undone.capitalize()} by: {revert.subject}"
    story = _FILES.sub("", draft.levels.full.removeprefix(head)).strip()
    return replace(
        draft,
        value=f"{undone}: {draft.value}",
        levels=episode_levels(f"{how} {revert.committed_at:%Y-%m-%d}: {head}", f"{note}\n{story}".strip()),
        body=replace(draft.body, status=DecisionStatus.SUPERSEDED) if isinstance(draft.body, Decision) else draft.body,
        evidence=(*draft.evidence, evidence_of(revert)),
        importance=Importance.TRIVIAL,
        valid_to=max(revert.committed_at, draft.valid_from or revert.committed_at),
        label=undone,
    )


def decision_draft(landed: Landed, commit: Commit, choice: Choice) -> Draft:
    """The draft of a decision that a commit of a commit or branch states."""
    changed = [change.path for change in commit.changes]
    said = f"{landed.title}\n{landed.story}"
    paths = ranked_paths(changed if len(changed) <= MASS_FILES else filter(said.__contains__, changed), ARTIFACTS)
    told = [choice.answer]
    detail = choice.sentence if choice.reason in choice.sentence else choice.reason
    if bare(detail) != bare(choice.answer):
        told.append(detail if detail.endswith(".") else f"{detail}.")
    summary = " ".join(told)
    known = {bare(summary), bare(choice.sentence)}
    full = summary if bare(landed.title) in known else f"{summary}\nStated in: {landed.title}"
    return Draft(
        kind=Kind.FACT,
        type=FactType.DECISION.value,
        subject=choice.subject,
        attribute=choice.attribute,
        value=choice.choice,
        levels=ladder(full),
        origin=origin_of(commit.sha),
        evidence=(Evidence(EvidenceKind.COMMIT, commit.sha, quote=choice.sentence[:QUOTE_CHARS]),),
        body=Decision(choice.question, choice.choice, choice.reason, DecisionStatus.IN_FORCE),
        entities=tuple(entity("file", path) for path in paths),
        artifacts=(Artifact(ArtifactKind.COMMIT, commit.sha),),
        confidence=0.8,
        importance=Importance.SIGNIFICANT,
        valid_from=commit.committed_at,
    )


def _episode_body(landed: Landed) -> Episode:
    commit = landed.commit
    everyone = (commit, *landed.members)
    authors = [m.author.name for m in landed.members if not m.is_merge] or [commit.author.name]
    people = dict.fromkeys([*authors, *(p.name for c in everyone for p in (*c.co_authors, *c.reviewers))])
    return Episode(
        title=landed.title,
        occurred_at=commit.committed_at,
        people=tuple(name for name in people if name)[:ARTIFACTS],
        commits=tuple(c.sha for c in everyone),
        change=landed.sort,
    )


def _artifacts(landed: Landed, paths: Sequence[str]) -> tuple[Artifact, ...]:
    commit = landed.commit
    found = [Artifact(ArtifactKind.COMMIT, commit.sha)]
    if commit.pull_request:
        found.append(Artifact(ArtifactKind.PULL_REQUEST, commit.pull_request))
    issues = [number for number in issues_of(commit) if number != commit.pull_request]
    found += [Artifact(ArtifactKind.ISSUE, number) for number in issues[:ISSUES]]
    found += [Artifact(ArtifactKind.ADR, path) for path in adr_paths([c.path for c in landed.changes])]
    found += [Artifact(ArtifactKind.FILE, path) for path in paths]
    return tuple(dict.fromkeys(found))[:ARTIFACTS]


def _entities(landed: Landed, paths: Sequence[str]) -> tuple[str, ...]:
    people = {landed.commit.author, *(m.author for m in landed.members[:EVIDENCE] if not m.is_merge)}
    if landed.members:
        people.discard(landed.commit.author)
    found = [entity("file", path) for path in paths]
    found += sorted(entity("person", person.name) for person in people if person.name.strip())
    found += [entity("symbol", name) for name in symbols_in(f"{landed.title}\n{landed.story}")]
    return tuple(dict.fromkeys(found))


def symbols_in(text: str) -> tuple[str, ...]:
    """Names of code that a message quotes, or writes with dots or brackets; first named first."""
    found: dict[str, None] = {}
    for quoted, called in _QUOTED.findall(text):
        name = (quoted or called).removesuffix("()")
        if len(name) > 2 and _CODE_NAME.match(name):
            found[name] = None
        if len(found) >= SYMBOLS:
            break
    return tuple(found)
