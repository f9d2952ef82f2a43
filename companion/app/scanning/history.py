"""The first stage of a scan: commits that are new, those that merged, and those that are gone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from companion import kinds
from companion.app.scanning.stage import Stage
from companion.records import Commit, FileChange, Person
from companion.signals import git
from companion.store import projects

COMMITS_A_STEP = 500
"""Commits between two moves of the progress bar."""


class NewHistory(Struct, frozen=True):
    """Commits to learn from, oldest first, stored already.

    `only_on_branch` are the ids of those that the default branch does not have: what they teach is
    known on the checked-out branch alone, until it is merged.
    """

    commits: tuple[Commit, ...] = ()
    only_on_branch: frozenset[str] = frozenset()
    notes: tuple[str, ...] = ()


def redacted(commit: Commit, redact: Callable[[str], str]) -> Commit:
    """The commit without secrets, which people have left in messages, names, branches and paths."""

    def person(one: Person) -> Person:
        return Person(redact(one.name), redact(one.email))

    def change(one: FileChange) -> FileChange:
        path, old_path = redact(one.path), redact(one.old_path)
        return one if (path, old_path) == (one.path, one.old_path) else FileChange(one.status, path, old_path)

    return replace(
        commit,
        author=person(commit.author),
        subject=redact(commit.subject),
        body=redact(commit.body),
        changes=tuple(dict.fromkeys(change(one) for one in commit.changes)),
        co_authors=tuple(person(one) for one in commit.co_authors),
        reviewers=tuple(person(one) for one in commit.reviewers),
    )


class HistoryStage(Stage):
    """Reads the history of one checkout into the store."""

    def run(self) -> NewHistory:
        """What is new since some checkout of the project was last scanned."""
        if not self.state.head:
            return NewHistory(notes=("There are no commits yet; only files were read.",))
        own_head = projects.checkout_head(self.runtime.store.database, self.checkout)
        notes = self._note_rewritten(own_head)
        merged = self._merged()
        if own_head == self.state.head and not self.full and not merged:
            return NewHistory()
        commits = merged + tuple(self._fresh(self._learned_until()))
        ours = self._only_on_branch(commits)
        if len(ours) < len(commits) or not commits:
            self.store([commit for commit in commits if commit.sha not in ours])
        if ours:
            self.store([commit for commit in commits if commit.sha in ours], self.state.branch)
        self.progress.step("storing history", len(commits), len(commits))
        if self.state.shallow:
            notes.append("The history is shallow; `git fetch --unshallow` and another init would teach more.")
        return NewHistory(commits, ours, tuple(notes))

    def store(self, commits: Iterable[Commit], branch: str = "") -> None:
        """Put commits into history's tables; those already there are passed over."""
        settings = self.runtime.settings
        self.runtime.store.history.add(
            self.project,
            tuple(commits),
            half_life=settings.cochange_half_life_commits,
            max_files=settings.cochange_max_files,
            branch=branch,
        )

    def _learned_until(self) -> tuple[str, ...]:
        """Where to read on from: the nearest head that some checkout of the project has learned up to.

        Where no such head is an ancestor, what any of them reaches is left out.
        """
        if self.full:
            return ()
        known = projects.checkouts(self.runtime.store.database, self.project)
        heads = sorted({one.head for one in known if one.head and one.scanned_at})
        below = [head for head in heads if git.is_ancestor(self.state, head, self.state.head)]
        if len(below) > 1:
            return (min(below, key=lambda head: git.count_commits(self.state, head, self.state.head)),)
        if below:
            return (below[0],)
        return tuple(heads)

    def _fresh(self, since: tuple[str, ...]) -> Iterator[Commit]:
        total = git.count_commits(self.state, since, self.state.head)
        if not total:
            return
        read = git.read_commits(self.state, since=since, rev=self.state.head)
        for done, commit in enumerate(read, start=1):
            if done % COMMITS_A_STEP == 0 or done == total:
                self.progress.step("reading history", done, total)
            yield redacted(commit, self.runtime.adapters.redactor.redact)

    def _only_on_branch(self, commits: tuple[Commit, ...]) -> frozenset[str]:
        default = self._default()
        if not commits or not default:
            return frozenset()
        beyond = git.reached_only(self.state, self.state.head, (default,)) or frozenset()
        return beyond & {commit.sha for commit in commits}

    def _default(self) -> str:
        """The default branch as git can look it up; empty while it is checked out or unknown."""
        name = self.state.default_branch
        if not name or not self.state.branch or name == self.state.branch:
            return ""
        return next((ref for ref in (name, f"origin/{name}") if git.is_ancestor(self.state, ref, ref)), "")

    def _merged(self) -> tuple[Commit, ...]:
        """Commits that were known on a branch alone and that the default branch has by now."""
        marked = self.runtime.store.history.on_branches(self.project)
        default = self._default() or self.state.head
        merged = git.those_reached(self.state, sorted(marked), default)
        if not merged:
            return ()
        self.runtime.store.history.clear_branch(self.project, sorted(merged))
        read = git.read_commits(self.state, rev=default)
        return tuple(redacted(commit, self.runtime.adapters.redactor.redact) for commit in read if commit.sha in merged)

    def _note_rewritten(self, own_head: str) -> list[str]:
        """Marks commits that no branch or tag reaches any more, and archives what they taught.

        Another clone of the project may hold commits of its own: only what this checkout was on counts.
        """
        if not own_head or git.is_ancestor(self.state, own_head, self.state.head):
            return []
        lost = sorted(self._lost(own_head))
        if not lost:
            return []
        self.runtime.store.history.mark_gone(self.project, lost)
        origins = [f"commit:{sha}" for sha in lost]
        for kind in kinds.KINDS:
            self.runtime.store.memories.reconcile(self.project, kind.name, origins, [], self.now)
        return [f"History was rewritten: {len(lost)} commits are gone, and what they taught is archived."]

    def _lost(self, own_head: str) -> frozenset[str]:
        """Known commits below the head this checkout was on that nothing reaches any more."""
        beyond = git.reached_only(self.state, own_head, ("--all", self.state.head))
        if beyond is not None:
            return beyond & self.runtime.store.history.known(self.project) if beyond else beyond
        alive = git.reachable(self.state, "--all") | git.reachable(self.state, self.state.head)
        return self._alone() - alive

    def _alone(self) -> frozenset[str]:
        """All known commits, if no other clone of the project is known: else none can be called lost."""
        clones = {one.common_dir for one in projects.checkouts(self.runtime.store.database, self.project)}
        return self.runtime.store.history.known(self.project) if len(clones) == 1 else frozenset()
