"""Commits as a test tells them, and a world that holds them."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from pathspec import GitIgnoreSpec

from companion.kinds.history.episodes import Episodes
from companion.records import ChangeStatus, Commit, Draft, FileChange, FileSeen, Kind, ParsedFile, Person, RepoState

ANNA = Person("Anna Berg", "anna@example.org")
START = datetime(2025, 3, 1, 12, 0)
SOURCE_AND_TEST = ("src/pool.py", "tests/test_pool.py")
WHY = (
    "The pool kept closed connections because the check ran before the handshake, and nobody asked again until a whole"
    " request had been written. Closed connections are dropped now, so that a request after an idle hour does not fail"
    " with a reset any more."
)
"""An explanation long enough to be told."""


def sha_of(name: str) -> str:
    return hashlib.sha1(name.encode()).hexdigest()


@dataclass
class Log:
    """A history written down commit by commit, an hour apart, oldest first."""

    commits: list[Commit] = field(default_factory=list)

    def commit(
        self,
        subject: str,
        body: str = "",
        files: Iterable[str] = ("src/app.py",),
        *,
        parents: Sequence[Commit] | None = None,
        author: Person = ANNA,
        reverts: str = "",
        pull_request: str = "",
    ) -> Commit:
        before = self.commits[-1:] if parents is None else list(parents)
        at = START + timedelta(hours=len(self.commits))
        made = Commit(
            sha=sha_of(f"{len(self.commits)} {subject}"),
            parents=tuple(parent.sha for parent in before),
            author=author,
            authored_at=at,
            committed_at=at,
            subject=subject,
            body=body,
            changes=() if len(before) > 1 else tuple(FileChange(ChangeStatus.MODIFIED, path) for path in files),
            reverts=reverts,
            pull_request=pull_request,
        )
        self.commits.append(made)
        return made

    def merge(self, onto: Commit, branch: Commit, subject: str, body: str = "", pull_request: str = "") -> Commit:
        return self.commit(subject, body, (), parents=(onto, branch), pull_request=pull_request)


@dataclass(frozen=True)
class HistoryWorld:
    """A world of commits, texts and parsed files; `old` commits were learned from before."""

    commits: Sequence[Commit] = ()
    old: Sequence[Commit] = ()
    texts: Sequence[FileSeen] = ()
    code: Sequence[ParsedFile] = ()
    paths: Sequence[str] = ()
    said: Sequence[Draft] = ()
    project: str = "p1"
    now: datetime = datetime(2026, 1, 5, 9, 0)
    checked_out: RepoState | None = None
    left: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """By commit the lines of source it put, and how many are left."""
    made: Mapping[tuple[str, str], Collection[int]] = field(default_factory=dict)
    """By commit and path the lines it made."""

    @property
    def repo(self) -> RepoState:
        if self.checked_out is not None:
            return self.checked_out
        every = (*self.old, *self.commits)
        return RepoState("/repo", "/repo/.git", "", "", every[-1].sha if every else "", "main")

    def new_commits(self) -> Sequence[Commit]:
        return self.commits

    def recent_commits(self, limit: int) -> Sequence[Commit]:
        return (*self.old, *self.commits)[-limit:]

    def taught(self, learner: str) -> Sequence[Draft]:
        return self.said

    def lines_left(self, sha: str) -> tuple[int, int] | None:
        return self.left.get(sha)

    def lines_made(self, sha: str, path: str) -> Collection[int]:
        return self.made.get((sha, path), ())

    def changed_texts(self, matching: Iterable[str]) -> Iterator[FileSeen]:
        spec = GitIgnoreSpec.from_lines(list(matching))
        return (text for text in self.texts if spec.match_file(text.path))

    def sample_texts(self, matching: Iterable[str], limit: int) -> Iterator[FileSeen]:
        return iter(list(self.changed_texts(matching))[:limit])

    def texts_at(self, paths: Iterable[str]) -> Iterator[FileSeen]:
        wanted = set(paths)
        return (text for text in self.texts if text.path in wanted)

    def gone_paths(self) -> Sequence[str]:
        return ()

    def changed_code(self) -> Sequence[ParsedFile]:
        return self.code

    def all_code(self) -> Sequence[ParsedFile]:
        return self.code

    def all_paths(self) -> Sequence[str]:
        return self.paths or tuple(file.path for file in self.code)


def seen(path: str, text: str) -> FileSeen:
    return FileSeen(path, hashlib.sha1(text.encode()).hexdigest(), text)


def learn(commits: Sequence[Commit], old: Sequence[Commit] = ()) -> list[Draft]:
    return list(Episodes().learn(HistoryWorld(commits=commits, old=old)))


def episodes(drafts: Sequence[Draft]) -> list[Draft]:
    return [draft for draft in drafts if draft.kind is Kind.EPISODE]
