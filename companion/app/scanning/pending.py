"""What was taken in and still waits to be learned from, noted in the store so that a kill loses nothing.

Paths wait in the table `unlearned`, from the transaction that keeps their code until every kind has
read them. After a hasty look only the kinds that look at the whole are still to come; which paths
those are is known in memory alone: a new process takes all that wait as unread, which costs time
and changes nothing.
"""

from __future__ import annotations

from companion.app.scanning.indexing import Indexed
from companion.app.scanning.stage import Stage
from companion.records import Commit
from companion.store import projects

LATEST_COMMITS = 1
"""Commits that tell those who look at the whole history that there is something new in it."""


class _Hasty(dict[str, set[str]]):
    """By checkout, paths that the kinds which do not wait have learned from, and the others have not."""


class Pending(Stage):
    """What waits in one checkout."""

    def paths(self) -> set[str]:
        """Paths that some kind has not learned from."""
        return projects.unlearned(self.runtime.store.database, self.checkout)

    def unread(self) -> set[str]:
        """Paths that no kind has learned from."""
        return self.paths() - self.runtime.one(_Hasty).get(self.checkout, set())

    def history(self) -> bool:
        """Whether commits came that those who look at the whole history have not seen."""
        return bool(projects.get_value(self.runtime.store.database, self._history))

    def newest_commits(self) -> tuple[Commit, ...]:
        """The commits to show to those who look at the whole history; none if nothing waits."""
        if not self.history():
            return ()
        return tuple(self.runtime.store.history.recent_commits(self.project, LATEST_COMMITS))

    def with_left(self, indexed: Indexed, left: set[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """What changed and what is gone, with the paths `left` over from before."""
        left = left - set(indexed.fresh) - set(indexed.gone)
        alive = left & set(self.runtime.store.code.known(self.checkout)) if left else set()
        return tuple(sorted({*indexed.fresh, *alive})), tuple(sorted({*indexed.gone, *(left - alive)}))

    def note_read(self, paths: set[str], *, history: bool) -> None:
        """All kinds that do not wait have learned from these paths, and (with `history`) from the new commits."""
        self.runtime.one(_Hasty).setdefault(self.checkout, set()).update(paths)
        if history:
            projects.set_value(self.runtime.store.database, self._history, "yes")

    def clear(self) -> None:
        """Everything was learned from."""
        projects.clear_unlearned(self.runtime.store.database, self.checkout)
        if self.history():
            projects.set_value(self.runtime.store.database, self._history, "")
        self.runtime.one(_Hasty).pop(self.checkout, None)

    @property
    def _history(self) -> str:
        return f"unsettled:{self.checkout}"
