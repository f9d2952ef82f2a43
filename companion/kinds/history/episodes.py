"""Episodes from history: what happened that is worth telling, once, with where to look.

**What is told.** Each commit is weighed (see `meaning`): explanation, sort of change, requests and
issues, source touched with tests; robots, version bumps, releases, dependency updates, formatting,
typos, translations, syncs and unnamed work weigh nothing (see `noise`). What is worth telling
becomes a memory if there is evidence that it matters (see `earning`); the rest is found in the
history. A merge that brought a branch or a request in is told as one episode with its commits in
it; those commits are then not told again. A commit that names the error it fixed becomes an error
episode, so that the next such error finds its fix.

**What is taken back is not decided.** A decision is in force while its source gives a reason, what it speaks of
stands in the code and no later commit speaks against it (see `decided`); without a reason it is an episode. What
earlier runs taught is held against each new commit again. A commit that says nothing but a decision is told as that.

**Reverts supersede.** The episode of a reverted commit is told anew under the same origin, as
reverted: trivial, and valid only until the revert. A revert of the revert gives it back its place, and is all
that is told of the two.

**Origins.** Everything learned from a commit has the origin `commit:<sha>`. A commit whose episode
went into a branch's, or that lost its meaning, is named among the origins and says nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from companion.kinds.history import noise
from companion.kinds.history.branches import Branch, brought
from companion.kinds.history.choices import choices_in
from companion.kinds.history.decided import Decided, choice_of, decided_in, question_decided, reversed_by
from companion.kinds.history.drafting import decision_draft, draft_of, origin_of, reverted
from companion.kinds.history.earning import earns
from companion.kinds.history.gone import Standing, given_up_in, renames_of
from companion.kinds.history.reverts import reverted_by
from companion.kinds.history.stories import Happening, of_branch, of_commit, plain_title
from companion.kinds.history.undoing import Reversal, reversals_in
from companion.kinds.leads import lead
from companion.ports import World
from companion.records import Commit, Draft, FactType, RepoState

__all__ = ["Episodes", "origin_of"]

LOOK_BACK = 2_000
"""Commits before the new ones that a merge or a revert may reach back to: some years of most projects."""


class Episodes:
    """Learns from commits and merged branches; see the module."""

    name = "episodes"

    def origins(self, world: World) -> Sequence[str]:
        """The new commits, those that they revert or that a new merge brought in, and those that decided something."""
        reading = _Reading.of(world)
        return tuple(dict.fromkeys((*map(origin_of, reading.spoken), *(draft.origin for draft in reading.taught))))

    def learn(self, world: World) -> Iterator[Draft]:
        """Episodes, errors and decisions of the new commits, oldest first."""
        reading = _Reading.of(world)
        standing = Standing(
            frozenset(world.all_paths()),
            renames_of(reading.commits),
            world.all_code,
            world.texts_at,
            given_up_in(reading.commits),
        )
        happenings = list(reading.happenings(standing))
        valid = [happening for happening in happenings if happening.commit.sha not in reading.reverted]
        stated = list(decided_in(valid, reading.reversals, reading.reverted))
        decided = [one for one in stated if one.choice.reason and standing.applies(one.choice)]
        said = {one.commit.sha for one in decided if _says_it_all(one)}
        undone = {one.commit.sha: one.against for one in stated if one.against and _in_title(one)}
        for happening in happenings:
            reverting = reading.reverted.get(happening.commit.sha) or undone.get(happening.commit.sha)
            if happening.commit.sha in said or (reverting and happening.meaning.change == "revert"):
                continue
            draft = draft_of(happening)
            yield reverted(draft, reverting) if reverting else draft
        for one in decided:
            draft = decision_draft(one.happening, one.commit, one.choice)
            yield reverted(draft, one.against) if one.against else draft
        answers = {question_decided(one.choice) for one in stated}
        yield from held_against(reading.taught, reading.reversals, standing, answers)


def _in_title(one: Decided) -> bool:
    """Whether a decision is what the title of its happening says."""
    title = noise.bare_subject(one.happening.title).text
    return [choice.sentence for choice in choices_in(title, "")] == [one.choice.sentence]


def _says_it_all(one: Decided) -> bool:
    """Whether a decision leaves nothing of its commit to tell: it is the title, and the story gives no reason."""
    return _in_title(one) and not lead(one.happening.title, one.happening.story)


def _on_main_line(repo: RepoState) -> bool:
    """Whether what is checked out speaks for the project: on a branch, later commits take back nothing yet."""
    return not repo.default_branch or f"/{repo.default_branch}".endswith(f"/{repo.branch}")


def doubted(taught: Iterable[Draft], spoken: Collection[str], reversals: Sequence[Reversal]) -> tuple[Draft, ...]:
    """What was taught of origins not spoken for that state a decision, or that a later commit speaks against."""
    older = [draft for draft in taught if draft.origin not in spoken]
    origins = {draft.origin for draft in older if draft.type == FactType.DECISION or reversed_by(draft, reversals)}
    return tuple(draft for draft in older if draft.origin in origins)


def held_against(
    taught: Iterable[Draft], reversals: Sequence[Reversal], standing: Standing, answers: Collection[tuple[str, str]]
) -> Iterator[Draft]:
    """What was taught, as it holds today: as it was, taken back, or nothing of a decision that no longer is one.

    `answers` are the questions that new commits answer anew.
    """
    for draft in taught:
        choice = choice_of(draft)
        if draft.type == FactType.DECISION and choice is not None:
            stands = choice.reason and standing.applies(choice) and question_decided(choice) not in answers
            if not stands:
                continue
        later = reversed_by(draft, reversals)
        yield reverted(draft, later) if later else draft


@dataclass(frozen=True)
class _Reading:
    """The commits one run speaks for, with enough of the past to understand them."""

    commits: tuple[Commit, ...]
    spoken: tuple[str, ...]
    reverted: Mapping[str, Commit]
    branches: Mapping[str, Branch]
    inside: frozenset[str]
    reversals: tuple[Reversal, ...]
    taught: tuple[Draft, ...]
    """What earlier runs taught of older commits, where a decision is among it or a later commit speaks against it."""

    @classmethod
    def of(cls, world: World) -> _Reading:
        """Reads the new commits; older ones only where a merge or a revert points back to them."""
        new = tuple(world.new_commits())
        fresh = {commit.sha for commit in new}
        taught = world.taught(Episodes.name) if new and _on_main_line(world.repo) else ()
        commits = new
        if (
            taught
            or any(c.reverts not in fresh for c in new if c.reverts)
            or any(parent not in fresh for c in new if c.is_merge for parent in c.parents)
        ):
            older = [c for c in world.recent_commits(len(new) + LOOK_BACK) if c.sha not in fresh]
            commits = (*older, *new)
        branches = {branch.merge.sha: branch for branch in brought(commits, world.repo.head)}
        inside = {c.sha for branch in branches.values() for c in branch.members}
        reverted_ = reverted_by(commits)
        known = {commit.sha: commit for commit in commits}
        touched = {member.sha for sha in fresh & branches.keys() for member in branches[sha].members}
        for commit in new:
            target = commit.reverts
            while target in known and target not in touched:
                touched.add(target)
                target = known[target].reverts
        spoken = tuple(c.sha for c in commits if c.sha in fresh or c.sha in touched)
        reversals = reversals_in(commits, reverted_)
        held = doubted(taught, {origin_of(sha) for sha in spoken}, reversals)
        return cls(commits, spoken, reverted_, branches, frozenset(inside), reversals, held)

    def happenings(self, standing: Standing) -> Iterator[Happening]:
        """What of the commits spoken for becomes a memory, oldest first.

        The same title over some of the same files is told once: it was ported to another line. Only
        reverts happen again under one title.
        """
        told: dict[str, set[str]] = {}
        for happening in self._told(standing):
            if not earns(happening, standing):
                continue
            paths = {change.path for change in happening.changes}
            before = told.setdefault(plain_title(happening.title), set())
            if before & paths and happening.meaning.change != "revert":
                continue
            before |= paths
            yield happening

    def _told(self, standing: Standing) -> Iterator[Happening]:
        """What of the commits spoken for is worth telling, a branch as one, oldest first."""
        spoken = set(self.spoken)
        for commit in self.commits:
            if commit.sha not in spoken or commit.sha in self.inside:
                continue
            branch = self.branches.get(commit.sha)
            happening = of_branch(branch, standing.names) if branch else None if commit.is_merge else of_commit(commit)
            if happening is not None:
                yield happening
