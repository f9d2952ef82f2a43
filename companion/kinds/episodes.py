"""Episodes from history: what happened that is worth telling, once, with where to look.

**What is told.** Each commit is weighed (see `meaning`): explanation, sort of change, requests and
issues, source touched with tests; robots, version bumps, releases, dependency updates, formatting,
typos, translations, syncs and unnamed work weigh nothing (see `noise`). A merge that brought a
branch or a request in is told as one episode with its commits in it, if its title or any of its
commits deserves it; those commits are then not told again. A commit that names the error it fixed
becomes an error episode, so that the next such error finds its fix.

**What is gone is not decided.** A deprecation is told while the name it speaks of stands in the code and
no later commit of the run takes it away; `helpers.total_seconds` and `total_seconds` are one question.

**What nobody can look up is left out.** A bare title whose files have all left the checkout, renames
followed, tells nothing of the code there is; nor does one that does not say what happened (see
`bare_titles`).

**Reverts supersede.** The episode of a reverted commit is told anew under the same origin, as
reverted: trivial, and valid only until the revert. A revert of the revert gives it back its place.

**Origins.** Everything learned from a commit has the origin `commit:<sha>`. A commit whose episode
went into a branch's, or that lost its meaning, is named among the origins and says nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from companion.kinds import noise
from companion.kinds.bare_titles import only_better, only_written, says_enough
from companion.kinds.branches import Branch, brought
from companion.kinds.choices import (
    STATUS,
    Choice,
    answered,
    choices_in,
    may_state_choice,
    names_in,
    removed_in,
    still_applies,
)
from companion.kinds.failures import failure_fixed
from companion.kinds.gone import Standing, lists_in, renames_of
from companion.kinds.leads import lead
from companion.kinds.levels import episode_levels, ladder
from companion.kinds.meaning import EXPLAINED_WORDS, adr_paths, issues_in
from companion.kinds.prose import narrative
from companion.kinds.reverts import reverted_by
from companion.kinds.stories import MEMBERS_TOLD, Happening, of_branch, of_commit, plain_title
from companion.ports import World
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
    Failure,
    FileChange,
    Importance,
    Kind,
    Levels,
    entity,
)

ARTIFACTS = 15
"""Things an episode is linked to, its commits, requests and files together: what one can look through."""
EVIDENCE = 12
"""Commits an episode points to: the merge and the first of its branch."""
SYMBOLS = 8
"""Names of code taken from a message."""
LOOK_BACK = 2_000
"""Commits before the new ones that a merge or a revert may reach back to: some years of most projects."""
QUOTE_CHARS = 200
"""Characters of a quote; what `Evidence` allows."""

_QUOTED = re.compile(r"`([^`\s]{2,60})`|\b((?:[A-Za-z_]\w*(?:\.|::))+[A-Za-z_]\w*|[A-Za-z_]\w*)\(\)")
_REVERT_TITLE = re.compile(r"revert\b", re.IGNORECASE)
"""A title that only repeats what it takes back."""
_CODE_NAME = re.compile(r"^[A-Za-z_$@][\w$]*(?:(?:\.|::|#|->)[A-Za-z_]\w*)*(?:\(\))?$")


class Episodes:
    """Learns from commits and merged branches; see the module."""

    name = "episodes"

    def origins(self, world: World) -> Sequence[str]:
        """The new commits, the older ones that they revert, and those that a new merge brought in."""
        reading = _Reading.of(world)
        return tuple(origin_of(sha) for sha in reading.spoken)

    def learn(self, world: World) -> Iterator[Draft]:
        """Episodes, errors and decisions of the new commits, oldest first."""
        reading = _Reading.of(world)
        decided: dict[tuple[str, str], Draft] = {}
        standing = reading.standing(world)
        for happening in reading.happenings(standing):
            reverting = reading.reverted.get(happening.commit.sha)
            yield _reverted(happening, reverting) if reverting is not None else draft_of(happening)
            if reverting is None:
                for draft in decisions_of(happening):
                    key = (answered(draft.subject), draft.attribute)
                    decided.pop(key, None)
                    decided[key] = draft
                for thing in _removed_by(happening):
                    decided.pop((answered(thing), STATUS), None)
        known = standing.names if decided else frozenset()
        yield from (draft for draft in decided.values() if still_applies(draft, known))


@dataclass(frozen=True)
class _Reading:
    """The commits one run speaks for, with enough of the past to understand them."""

    commits: tuple[Commit, ...]
    spoken: tuple[str, ...]
    reverted: Mapping[str, Commit]
    branches: Mapping[str, Branch]
    inside: frozenset[str]

    @classmethod
    def of(cls, world: World) -> _Reading:
        """Reads the new commits; older ones only where a merge or a revert points back to them."""
        new = tuple(world.new_commits())
        fresh = {commit.sha for commit in new}
        commits = new
        if any(c.reverts not in fresh for c in new if c.reverts) or any(
            parent not in fresh for c in new if c.is_merge for parent in c.parents
        ):
            older = [c for c in world.recent_commits(len(new) + LOOK_BACK) if c.sha not in fresh]
            commits = (*older, *new)
        branches = {branch.merge.sha: branch for branch in brought(commits, world.repo.head)}
        inside = {c.sha for branch in branches.values() for c in branch.members}
        reverted = reverted_by(commits)
        known = {commit.sha: commit for commit in commits}
        touched = {member.sha for sha in fresh & branches.keys() for member in branches[sha].members}
        for commit in new:
            target = commit.reverts
            while target in known and target not in touched:
                touched.add(target)
                target = known[target].reverts
        spoken = tuple(c.sha for c in commits if c.sha in fresh or c.sha in touched)
        return cls(commits, spoken, reverted, branches, frozenset(inside))

    def standing(self, world: World) -> Standing:
        """The checkout that these commits are looked up in."""
        return Standing(
            paths=frozenset(world.all_paths()),
            moved=renames_of(self.commits),
            lists=lists_in(self.commits),
            now=world.now,
            read_names=lambda: names_in(world.all_code()),
        )

    def happenings(self, standing: Standing) -> Iterator[Happening]:
        """What is worth telling of the commits spoken for, oldest first.

        The same title over some of the same files is told once: it was ported to another line. Only
        reverts happen again under one title.
        """
        spoken = set(self.spoken)
        told: dict[str, set[str]] = {}
        for commit in self.commits:
            if commit.sha not in spoken or commit.sha in self.inside:
                continue
            if (branch := self.branches.get(commit.sha)) is not None:
                happening = of_branch(branch)
            elif commit.is_merge:
                continue
            else:
                happening = of_commit(commit)
            if happening is None or _gone(happening, standing) or _mute(happening, standing):
                continue
            paths = {change.path for change in happening.changes}
            before = told.setdefault(plain_title(happening.title), set())
            if before & paths and happening.meaning.change != "revert":
                continue
            before |= paths
            yield happening


def _removed_by(happening: Happening) -> Iterator[str]:
    """What the titles of a happening say was taken away, so that nothing need be decided on it any more."""
    for commit in (happening.commit, *happening.members):
        yield from removed_in(noise.bare_subject(commit.subject).text)
    yield from removed_in(noise.bare_subject(happening.title).text)


def _bare(happening: Happening) -> bool:
    """Whether nothing explains a happening: no sentence of its story can stand beside its title, or there is none."""
    return len(happening.story.split()) < EXPLAINED_WORDS[0] or not lead(happening.title, happening.story)


def _mute(happening: Happening, standing: Standing) -> bool:
    """Whether a title does not say what happened, or only how code is written; what concerns every user is told."""
    meaning = happening.meaning
    if meaning.importance > Importance.DEFAULT and meaning.change != "revert":
        return _bare(happening) and only_better(happening.title, meaning.change) and not noise.security(happening.title)
    if meaning.change == "docs" or noise.only_tests_or_prose(change.path for change in happening.changes):
        return True
    if next(decisions_of(happening), None) is not None or _failure(happening) is not None:
        return False
    if meaning.change == "feature" and len(happening.story.split()) >= EXPLAINED_WORDS[1]:
        return False  # its title is worth telling, even if no sentence of its story stands beside it
    if not _bare(happening):
        return only_written(happening.title, happening.changes)
    return not says_enough(
        happening.title, meaning.change, happening.changes, asked=_asked(happening.commit), known=standing.has
    )


def _asked(commit: Commit) -> bool:
    """Whether an issue or a request stands behind a commit."""
    return bool(commit.pull_request or issues_in(f"{commit.subject}\n{commit.body}"))


def _gone(happening: Happening, standing: Standing) -> bool:
    """Whether nothing explains a happening and what it speaks of is no more; see `gone`."""
    if happening.meaning.importance > Importance.DEFAULT:
        return False
    if max(len(happening.story.split()), len(happening.meaning.story.split())) >= EXPLAINED_WORDS[0]:
        return False
    at = happening.commit.committed_at
    return standing.lacks(happening.title, happening.meaning.change, happening.changes, at)


def origin_of(sha: str) -> str:
    """The origin of all that is learned from one commit."""
    return f"commit:{sha}"


def draft_of(happening: Happening) -> Draft:
    """The episode's draft; an error episode where the commit names the error it fixed."""
    commit = happening.commit
    paths = ranked_paths(happening.changes)
    body = _episode_body(happening)
    failure = _failure(happening)
    type_ = EpisodeType.BRANCH if happening.members else EpisodeType.COMMIT
    return Draft(
        kind=Kind.EPISODE,
        type=(EpisodeType.ERROR if failure else type_).value,
        subject=happening.title,
        attribute=commit.sha[:12],
        value=happening.title,
        levels=episode_levels(happening.title, happening.story, paths),
        origin=origin_of(commit.sha),
        evidence=_evidence(happening),
        body=failure or body,
        entities=_entities(happening, paths),
        artifacts=_artifacts(happening, paths),
        confidence=1.0,
        importance=happening.meaning.importance,
        valid_from=commit.committed_at,
    )


def _failure(happening: Happening) -> Failure | None:
    """The error that a happening fixed: the one its own message names, else one of its few commits."""
    told = failure_fixed(happening.title, happening.commit.body, happening.commit.sha)
    if told is not None or len(happening.members) > MEMBERS_TOLD:
        return told
    fixed = (failure_fixed(member.subject, member.body, member.sha) for member in happening.members)
    return next((failure for failure in fixed if failure is not None), None)


def _reverted(happening: Happening, revert: Commit) -> Draft:
    """The draft of something that was taken back later."""
    draft = draft_of(happening)
    title = f"Reverted on {revert.committed_at:%Y-%m-%d}: {happening.title}"
    note = "" if _REVERT_TITLE.match(revert.subject) else f"Taken back by: {revert.subject}"
    levels = episode_levels(title, f"{note}\n{happening.story}".strip())
    return _replaced(draft, levels=levels, revert=revert, until=max(revert.committed_at, happening.commit.committed_at))


def _replaced(draft: Draft, *, levels: Levels, revert: Commit, until: datetime) -> Draft:
    proof = Evidence(EvidenceKind.COMMIT, revert.sha, quote=revert.subject[:QUOTE_CHARS])
    return replace(
        draft,
        value=f"reverted: {draft.value}",
        levels=levels,
        evidence=(*draft.evidence, proof),
        importance=Importance.TRIVIAL,
        valid_to=until,
        label="reverted",
    )


def decisions_of(happening: Happening) -> Iterator[Draft]:
    """The decisions that a happening's own message and those of its commits state."""
    sources = [(happening.commit, happening.title)]
    sources += [(member, member.subject) for member in happening.members if not member.is_merge]
    seen: set[tuple[str, str]] = set()
    for commit, title in sources:
        if not may_state_choice(title) and not may_state_choice(commit.body):
            continue
        for choice in choices_in(noise.bare_subject(title).text, narrative(commit.body)):
            key = (choice.subject.lower(), choice.attribute)
            if key not in seen:
                seen.add(key)
                yield _decision(happening, commit, choice)


def _decision(happening: Happening, commit: Commit, choice: Choice) -> Draft:
    paths = ranked_paths(commit.changes)
    sentence = choice.sentence if choice.sentence.endswith(".") else f"{choice.sentence}."
    answer = f"{choice.subject}: {choice.choice}" if choice.attribute != "decision" else sentence
    if choice.attribute == "choice":
        answer = f"{choice.choice}."
    full = f"{answer}\n{sentence}\nStated in: {happening.title}" if answer != sentence else sentence
    return Draft(
        kind=Kind.FACT,
        type=FactType.DECISION.value,
        subject=choice.subject,
        attribute=choice.attribute,
        value=choice.choice,
        levels=ladder(full, summary=answer, compressed=answer),
        origin=origin_of(commit.sha),
        evidence=(Evidence(EvidenceKind.COMMIT, commit.sha, quote=choice.sentence[:QUOTE_CHARS]),),
        body=Decision(choice.question, choice.choice, choice.reason, DecisionStatus.IN_FORCE),
        entities=tuple(entity("file", path) for path in paths[:ARTIFACTS]),
        artifacts=(Artifact(ArtifactKind.COMMIT, commit.sha),),
        confidence=0.8,
        importance=Importance.SIGNIFICANT,
        valid_from=commit.committed_at,
    )


def _episode_body(happening: Happening) -> Episode:
    commit = happening.commit
    everyone = (commit, *happening.members)
    authors = [m.author.name for m in happening.members if not m.is_merge] or [commit.author.name]
    people = dict.fromkeys([*authors, *(p.name for c in everyone for p in (*c.co_authors, *c.reviewers))])
    return Episode(
        title=happening.title,
        occurred_at=commit.committed_at,
        people=tuple(name for name in people if name)[:ARTIFACTS],
        commits=tuple(c.sha for c in everyone),
        change=happening.meaning.change,
    )


def _evidence(happening: Happening) -> tuple[Evidence, ...]:
    commit = happening.commit
    own = Evidence(EvidenceKind.COMMIT, commit.sha, quote=commit.subject[:QUOTE_CHARS])
    members = (
        Evidence(EvidenceKind.COMMIT, member.sha, quote=member.subject[:QUOTE_CHARS])
        for member in happening.members[: EVIDENCE - 1]
    )
    return (own, *members)


def _artifacts(happening: Happening, paths: Sequence[str]) -> tuple[Artifact, ...]:
    commit = happening.commit
    text = f"{commit.subject}\n{commit.body}"
    found = [Artifact(ArtifactKind.COMMIT, commit.sha)]
    if commit.pull_request:
        found.append(Artifact(ArtifactKind.PULL_REQUEST, commit.pull_request))
    issues = (number for number in issues_in(text) if number != commit.pull_request)
    found += [Artifact(ArtifactKind.ISSUE, number) for number in list(issues)[:3]]
    found += [Artifact(ArtifactKind.ADR, path) for path in adr_paths([c.path for c in happening.changes])]
    found += [Artifact(ArtifactKind.FILE, path) for path in paths]
    return tuple(dict.fromkeys(found))[:ARTIFACTS]


def _entities(happening: Happening, paths: Sequence[str]) -> tuple[str, ...]:
    people = {happening.commit.author, *(m.author for m in happening.members[:EVIDENCE] if not m.is_merge)}
    if happening.members:
        people.discard(happening.commit.author)
    found = [entity("file", path) for path in paths]
    found += sorted(entity("person", person.name) for person in people if person.name.strip())
    found += [entity("symbol", name) for name in symbols_in(f"{happening.title}\n{happening.story}")]
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


def ranked_paths(changes: Sequence[FileChange]) -> tuple[str, ...]:
    """At most `ARTIFACTS` paths: source before tests before the quiet ones, then by name."""

    def rank(path: str) -> tuple[int, str]:
        return (2 if noise.quiet_path(path) else 1 if noise.test_path(path) else 0, path)

    return tuple(sorted({change.path for change in changes}, key=rank)[:ARTIFACTS])
