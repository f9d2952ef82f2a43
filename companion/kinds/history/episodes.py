"""Episodes from history: what happened that is worth telling, once, with where to look.

**What is told.** What landed on the main line - a commit, or a merged branch as one with its commits in it - becomes a
memory if its message says what was decided, mended or why (see `salience`); the rest is found as passages. A commit
that names the error it fixed, and says more, becomes an error episode, so that the next such error finds its fix.

**What is told holds today.** One check (see `today`) decides what is promoted, and is held again against all that
earlier scans taught by each scan and each consolidation run: what speaks of nothing that is there any more ends, with
the reason. What a new commit took back is told as taken back, trivial and valid only until then. A decision is in
force while its source gives a reason and no later commit speaks against it; of two answers to one question the later
stands. A commit that says nothing but a decision is told as that. A revert of a revert gives what it took back its
place, and is all that is told of the two.

**Origins.** Everything learned from a commit has the origin `commit:<sha>`. A commit whose episode
went into a branch's, or that lost its meaning, is named among the origins and says nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from companion.kinds.history.branches import Branch, brought
from companion.kinds.history.choices import Choice
from companion.kinds.history.drafting import decision_draft, draft_of, origin_of, reverted
from companion.kinds.history.landed import Landed, bare, is_one_work, of_branch, of_commit
from companion.kinds.history.reasons import EXPLAINED_CHARS, gives_ground
from companion.kinds.history.salience import decisions_of, gives_reason, is_salient
from companion.kinds.history.titles import bare_title, plain_title
from companion.kinds.history.today import Today, choice_of, given_up_in, renames_of
from companion.kinds.history.undoing import reversals_in, reverted_by
from companion.ports import World
from companion.records import Commit, Decision, Draft, RepoState

__all__ = ["Episodes", "origin_of"]

LOOK_BACK = 2_000
"""Commits before the new ones that a merge or a revert may reach back to: some years of most projects."""


class Episodes:
    """Learns from commits and merged branches; see the module."""

    name = "episodes"

    def origins(self, world: World) -> Sequence[str]:
        """The new commits, those that they revert or that a new merge brought in, and those that taught something."""
        reading = _Reading.of(world)
        return tuple(dict.fromkeys((*map(origin_of, reading.spoken), *(draft.origin for draft in reading.taught))))

    def learn(self, world: World) -> Iterator[Draft]:
        """Episodes, errors and decisions of the new commits, oldest first; then what they left of what was taught."""
        reading = _Reading.of(world)
        today = _today(world, reading.commits)
        landed = list(reading.landed(today))
        stated = _stated(landed, today)
        decided = [
            one
            for one in stated.values()
            if one.choice.reason and today.applies(one.choice, [change.path for change in one.commit.changes])
        ]
        alone = {one.landed.commit.sha for one in decided if one.says_all}
        for each in landed:
            commit = each.commit
            ended = today.taken_back(commit.sha, each.title, commit.committed_at)
            if commit.sha in alone or (ended and each.sort == "revert"):
                continue
            there = today.there(each.paths)
            told = each.told or (today.tests_added(commit.sha, each.paths) if each.secure else "")
            draft = draft_of(each, there, told)
            yield reverted(draft, ended) if ended else draft
        for one in decided:
            draft = decision_draft(one.landed, one.commit, one.choice)
            yield reverted(draft, one.against) if one.against else draft
        for draft in reading.taught:
            if isinstance(draft.body, Decision) and choice_of(draft).key in stated:
                continue
            ended = today.ended_by(draft)
            yield reverted(draft, ended) if ended else draft


class _Stated(Struct, frozen=True):
    """A decision, the commit of what landed that states it, and the later commit that took it back, if one did."""

    landed: Landed
    commit: Commit
    choice: Choice
    against: Commit | None

    @property
    def says_all(self) -> bool:
        """Whether the decision is what the title says, and its reason all that is told beside."""
        in_title = self.choice.sentence == bare_title(self.landed.title).text.rstrip(".")
        told = self.landed.told
        return in_title and len(told) < EXPLAINED_CHARS and bare(told) in bare(self.choice.reason)


def _stated(landed: Sequence[Landed], today: Today) -> dict[tuple[str, str], _Stated]:
    """The decisions stated, oldest first, without those that a later one answers anew and what was reverted.

    A reason that the sentence lacks is what its branch tells, if that gives one.
    """
    found: dict[tuple[str, str], _Stated] = {}
    for each in landed:
        if each.commit.sha in today.reverted:
            continue
        for key, (commit, choice) in decisions_of(each).items():
            found.pop(key, None)
            given = each.told if not choice.reason and each.members and gives_ground(each.told) else choice.reason
            against = today.taken_back(commit.sha, commit.subject, commit.committed_at, choice)
            found[key] = _Stated(each, commit, replace(choice, reason=given), against)
    return found


def today_of(world: World) -> Today | None:
    """What all that was promoted is held against; None where what is checked out does not speak for the project."""
    if world.repo.in_progress or not _on_main_line(world.repo):
        return None
    return _today(world, world.recent_commits(LOOK_BACK))


def _today(world: World, commits: Sequence[Commit]) -> Today:
    """The checkout as it stands, and what the commits took back."""
    reverted_ = reverted_by(commits)
    return Today(
        frozenset(world.all_paths()),
        renames_of(commits),
        world.all_code,
        world.texts_at,
        reversals_in(commits, reverted_),
        reverted_,
        given_up_in(commits),
        world.lines_left,
        world.lines_made,
    )


def _on_main_line(repo: RepoState) -> bool:
    """Whether what is checked out speaks for the project: on a branch, later commits take back nothing yet."""
    return not repo.default_branch or f"/{repo.default_branch}".endswith(f"/{repo.branch}")


class _Reading(Struct, frozen=True):
    """The commits one run speaks for, with enough of the past to understand them."""

    commits: tuple[Commit, ...]
    spoken: tuple[str, ...]
    branches: Mapping[str, Branch]
    inside: frozenset[str]
    taught: tuple[Draft, ...]
    """What earlier runs taught of older commits."""

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
        branches = {one.merge.sha: one for one in brought(commits, world.repo.head) if is_one_work(one)}
        inside = {c.sha for branch in branches.values() for c in branch.members}
        known = {commit.sha: commit for commit in commits}
        touched = {member.sha for sha in fresh & branches.keys() for member in branches[sha].members}
        for commit in new:
            target = commit.reverts
            while target in known and target not in touched:
                touched.add(target)
                target = known[target].reverts
        spoken = tuple(c.sha for c in commits if c.sha in fresh or c.sha in touched)
        speaking = {origin_of(sha) for sha in spoken}
        held = tuple(draft for draft in taught if draft.origin not in speaking)
        return cls(commits, spoken, branches, frozenset(inside), held)

    def landed(self, today: Today) -> Iterator[Landed]:
        """What of the commits spoken for becomes a memory, oldest first, a branch as one.

        The same title over some of the same files is told once: it was ported to another line. Only
        reverts happen again under one title.
        """
        told: dict[str, set[str]] = {}
        spoken = set(self.spoken)
        for commit in self.commits:
            branch = self.branches.get(commit.sha)
            if commit.sha not in spoken or commit.sha in self.inside or (commit.is_merge and branch is None):
                continue
            landed = of_branch(branch, gives_reason) if branch else of_commit(commit)
            if not is_salient(landed, today):
                continue
            paths = set(landed.paths)
            before = told.setdefault(plain_title(landed.title), set())
            if not before & paths or landed.sort == "revert":
                before |= paths
                yield landed
