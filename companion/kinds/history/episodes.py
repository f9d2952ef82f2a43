"""Episodes from history: what happened that is worth telling, once, with where to look.

**What is told.** Each commit is weighed (see `meaning`): explanation, sort of change, requests and
issues, source touched with tests; robots, version bumps, releases, dependency updates, formatting,
typos, translations, syncs and unnamed work weigh nothing (see `noise`). What is worth telling
becomes a memory if there is evidence that it matters (see `earning`); the rest is found in the
history. A merge that brought a branch or a request in is told as one episode with its commits in
it; those commits are then not told again. A commit that names the error it fixed becomes an error
episode, so that the next such error finds its fix.

**What is gone is not decided.** A deprecation is told while the name it speaks of stands in the code and
no later commit of the run takes it away (see `decided`). A commit that says nothing but a decision is told as that.

**Reverts supersede.** The episode of a reverted commit is told anew under the same origin, as
reverted: trivial, and valid only until the revert. A revert of the revert gives it back its place, and is all
that is told of the two.

**Origins.** Everything learned from a commit has the origin `commit:<sha>`. A commit whose episode
went into a branch's, or that lost its meaning, is named among the origins and says nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from companion.kinds.history import noise
from companion.kinds.history.branches import Branch, brought
from companion.kinds.history.choices import Choice, choices_in
from companion.kinds.history.decided import in_force
from companion.kinds.history.drafting import decision_draft, draft_of, origin_of, reverted_draft
from companion.kinds.history.earning import earns
from companion.kinds.history.gone import Standing, given_up_in, renames_of
from companion.kinds.history.reverts import reverted_by
from companion.kinds.history.stories import Happening, of_branch, of_commit, plain_title
from companion.kinds.leads import lead
from companion.ports import World
from companion.records import Commit, Draft

__all__ = ["Episodes", "origin_of"]

LOOK_BACK = 2_000
"""Commits before the new ones that a merge or a revert may reach back to: some years of most projects."""


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
        standing = Standing(
            frozenset(world.all_paths()),
            renames_of(reading.commits),
            world.all_code,
            given_up_in(reading.commits),
        )
        happenings = list(reading.happenings(standing))
        valid = [happening for happening in happenings if happening.commit.sha not in reading.reverted]
        decided = [one for one in in_force(valid) if one[2].told and standing.applies(one[2])]
        said = {commit.sha for happening, commit, choice in decided if _says_it_all(happening, choice)}
        for happening in happenings:
            reverting = reading.reverted.get(happening.commit.sha)
            if reverting is not None:
                if happening.meaning.change != "revert":
                    yield reverted_draft(happening, reverting)
            elif happening.commit.sha not in said:
                yield draft_of(happening)
        yield from (decision_draft(*one) for one in decided)


def _says_it_all(happening: Happening, choice: Choice) -> bool:
    """Whether a decision leaves nothing of its commit to tell: it is the title, and the story gives no reason."""
    title = noise.bare_subject(happening.title).text
    return list(choices_in(title, "")) == [choice] and not lead(happening.title, happening.story)


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

    def happenings(self, standing: Standing) -> Iterator[Happening]:
        """What of the commits spoken for becomes a memory, oldest first.

        The same title over some of the same files is told once: it was ported to another line. Only
        reverts happen again under one title.
        """
        told: dict[str, set[str]] = {}
        for happening in self._told():
            if not earns(happening, standing):
                continue
            paths = {change.path for change in happening.changes}
            before = told.setdefault(plain_title(happening.title), set())
            if before & paths and happening.meaning.change != "revert":
                continue
            before |= paths
            yield happening

    def _told(self) -> Iterator[Happening]:
        """What of the commits spoken for is worth telling, a branch as one, oldest first."""
        spoken = set(self.spoken)
        for commit in self.commits:
            if commit.sha not in spoken or commit.sha in self.inside:
                continue
            branch = self.branches.get(commit.sha)
            happening = of_branch(branch) if branch else None if commit.is_merge else of_commit(commit)
            if happening is not None:
                yield happening
