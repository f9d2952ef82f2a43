"""Code: what a repository, a file or a commit comes to, as a person looks back at it."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from datetime import timedelta

from msgspec.structs import replace

from companion.app.checkout import Service
from companion.errors import UsageError
from companion.kinds.history.forges import links_of
from companion.kinds.history.landed import merges_only, of_commit
from companion.kinds.history.story import sentence_of
from companion.kinds.history.titles import sort_of
from companion.records import (
    ChangedTogether,
    Commit,
    CommitTold,
    Contributor,
    FilePast,
    Overview,
    PastCommit,
    entity,
)
from companion.signals import git
from companion.store.history import overviews
from companion.store.text.documents import commit_space

FILES_MOST, PAIRS_MOST = 1_000, 300
"""Files and pairs of an overview: more dots on a map are dust, and of more lines no eye follows one."""
WEEKS, COMMITS_MOST = 26, 300
"""How far back an overview tells of commits, counted from the newest, and how many at most."""
FILE_COMMITS, NEIGHBOURS, PEOPLE = 100, 12, 8
"""Commits, files that change with it and people told of one file: what is read without scrolling twice."""
LOOKED_AT = 4
"""How many times as many neighbours are looked at as are told: some are no longer there."""
TOGETHER_LEAST = 2
"""Common commits from which a file is named as changing with another."""
MEMORIES_MOST = 50
"""Memories told of one file or commit."""


class CodePast(Service):
    """The verbs that look back at code. See `companion.api.Companion`."""

    def overview(self) -> Overview:
        self.here.tell_if_unread()
        readings = self.store.readings
        version = (readings.code_revision(self.here.checkout), readings.snapshots.of(self.here.project).newest)
        return readings.kept(("overview", self.here.checkout, self.here.state.branch), version, self._overview)

    def _overview(self) -> Overview:
        database, project, checkout = self.store.database, self.here.project, self.here.checkout
        known = overviews.extent(database, project)
        if known.newest_at is None:
            return Overview(self.here.name)
        moment = known.newest_at - timedelta(weeks=WEEKS)
        found = overviews.since(database, project, self.here.state.branch, moment, COMMITS_MOST)
        return Overview(
            self.here.name,
            known.commits,
            known.people,
            known.begun_at,
            overviews.worked(database, project, checkout, FILES_MOST),
            overviews.together(database, project, checkout, PAIRS_MOST),
            tuple(self._told(one, [change.path for change in one.changes]) for one in found),
        )

    def file_past(self, path: str) -> FilePast:
        self.here.need_reading()
        library = self.here.library()
        there = library.paths()
        path = self.here.inside(path, new=True)
        if path not in there:
            path = overviews.last_path(self.store.database, self.here.project, path) or self.here.inside(path)
        commits = overviews.of_file(self.store.database, self.here.project, path, self.here.state.branch)
        total = len(commits)
        years = Counter(one.committed_at.year for one in commits)
        people = library.owners(path, PEOPLE)
        near = [one for one in library.cochanged([path], LOOKED_AT * NEIGHBOURS) if one.together >= TOGETHER_LEAST]
        near = [one for one in near if one.path in there][:NEIGHBOURS]
        pairs = [ChangedTogether(path, one.path, one.together, min(1.0, one.together / (total or 1))) for one in near]
        return FilePast(
            path,
            total,
            tuple(self._told(one) for one in commits[:FILE_COMMITS]),
            tuple(sorted(pairs, key=lambda one: (-one.share, one.b))),
            tuple(Contributor(one.person, one.commits) for one in people),
            library.about([entity("file", library.called(path))], MEMORIES_MOST),
            tuple((year, years[year]) for year in range(min(years), max(years) + 1)) if years else (),
            path not in there and not os.path.lexists(git.folder_of(self.here.state) / path),
        )

    def commit(self, sha: str) -> CommitTold:
        found = self.store.history.commit(self.here.project, self.here.fit(sha.strip().lower()))
        if found is None:
            raise UsageError(f"No commit that was read begins with `{sha[:40]}`.", "Read new ones: `companion init`.")
        said = self._message(found)
        learned = overviews.taught_by(self.store.database, self.here.project, found.sha, MEMORIES_MOST)
        return CommitTold(
            self._told(replace(found, body=said.removeprefix(found.subject)), [one.path for one in found.changes]),
            said,
            found.changes,
            self.here.library().get(learned),
        )

    def _message(self, commit: Commit) -> str:
        kept = self.store.passages.of_source(commit_space(self.here.project), commit.sha)
        return "\n\n".join(passage.text for source in kept for passage in source.passages) or commit.subject

    def _told(self, commit: Commit, files: Sequence[str] = ()) -> PastCommit:
        if merges_only(commit.subject) and not commit.body:
            commit = replace(commit, body=self._message(commit).removeprefix(commit.subject))
        title = of_commit(commit).title or commit.subject
        return PastCommit(
            commit.sha,
            sentence_of(title),
            commit.author.name,
            commit.committed_at,
            sort_of(title),
            tuple(files),
            links_of(self.here.state.remote, commit),
        )
