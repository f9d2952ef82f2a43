"""Looking back: the timeline, and how well prediction did."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from companion.api.looking import WEEKS_TOLD
from companion.app.given import scope_inside
from companion.app.verbs.storied import Storied
from companion.engine.predicting.accuracy import points
from companion.errors import UsageError
from companion.records import Kind, entity
from companion.records.looking import Accuracy, TimelinePage, TimelineQuery
from companion.store import parameters, projects
from companion.store.history import accuracy
from companion.store.memories import timeline
from companion.store.memories.timeline import Whose

PAGE_MOST = 500
"""Memories of one page of the timeline: more than anybody reads in one go."""
WEEKS_MOST = 520
"""Ten years of weeks."""


class Looking(Storied):
    """The verbs of looking back. See `companion.api.Companion`."""

    def timeline(self, query: TimelineQuery) -> TimelinePage:
        """What happened, newest first, a page at a time, with a count for each month."""
        if not 1 <= query.limit <= PAGE_MOST:
            raise UsageError(f"A limit of {query.limit} makes no sense.", f"Give 1 to {PAGE_MOST}.")
        fit = replace(
            query,
            kinds=query.kinds or (() if query.act else (Kind.EPISODE,)),
            path=self.library().called(scope_inside(query.path, self.state)) if query.path else "",
            before_id=self._fit(query.before_id),
            after_id=self._fit(query.after_id),
            persona=self._line(query.persona),
        )
        act = self._act(query.act) if query.act else None
        whose = Whose(self.project, self.checkout, self.state.branch)
        if act is not None:
            whose = replace(whose, act=act.id, act_project=act.project)
        return timeline.read(self.rooms.database, whose, fit, self._names_of(query.person))

    def accuracy(self, weeks: int = WEEKS_TOLD) -> Accuracy:
        """How well prediction did on this project."""
        if not 1 <= weeks <= WEEKS_MOST:
            raise UsageError(f"{weeks} weeks make no sense.", f"Give 1 to {WEEKS_MOST}.")
        from companion.app.scanning.scan import RANKER

        database, project = self.rooms.database, self.project
        told = accuracy.replayed(database, project)
        since = (self.now() - timedelta(weeks=weeks)).replace(hour=0, minute=0, second=0, microsecond=0)
        overall = points(told, len(told))
        return Accuracy(
            project=projects.project_name(database, project),
            weeks=accuracy.weeks(database, project, since, self.now(), self.session().uncounted()),
            replayed=points(told),
            overall=overall[0] if overall else None,
            learned_at=parameters.learned_at(database, project, RANKER),
            own_weights=any("." not in name for name in parameters.load(database, project, RANKER)),
        )

    def _names_of(self, person: str) -> list[str]:
        """The entities that somebody goes by, under every spelling that is known."""
        if not person.strip():
            return []
        return self.rooms.readings.shelf.aliases.of(self.project).all([entity("person", self._line(person))])
