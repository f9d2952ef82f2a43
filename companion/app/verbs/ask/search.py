"""Searching: one list over memories, passages of files and commits, and turns of conversations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from msgspec.structs import replace

from companion.api import ARCHIVED_MATCH
from companion.app.checkout import Service
from companion.app.verbs.ask.one_list import (
    Leaning,
    called_hits,
    declared_hits,
    leaning,
    memory_hit,
    memory_hits,
    objected,
    one_list,
    passage_hits,
    put_away,
    turn_hits,
    would_answer,
)
from companion.app.verbs.conversation.talks import TURNS_FOUND_MOST
from companion.records import Hit, Kind, Memory, PassageKind, Profile, SearchHit, SearchQuery, Signals, Visibility
from companion.records.search import QUERY_MAX_CHARACTERS, State
from companion.store.library import NO_MODEL, ONLY_READ, StoreLibrary
from companion.store.memories import contradictions
from companion.store.talk import acts, conversations
from companion.store.text import analysis
from companion.store.text.facets import Viewer

CANDIDATES = 100
"""Passages looked at by their words, and by their meaning; more where more hits are asked for. Of 30 the index's own
order decided what is listed: how much of a question a passage says is known only of those that are looked at."""
TURNS = 30
"""Turns looked at; more where more hits are asked for."""
DECLARED_MOST = 3
"""Declared facts told: a project may have dozens of scripts for its tests, and people say which one counts."""
CALLED_MOST = 3
"""Commits told of one subject, the newest: a project has hundreds called `Update README`."""


class Search(Service):
    """The verb that finds. See `companion.api.Companion`."""

    def search(self, query: SearchQuery) -> tuple[SearchHit, ...]:
        """What matches, best first; archived memories only if the query asks for them.

        A filter that only memories can satisfy, or a named profile, finds memories alone. A notice says how many
        archived ones match as well.
        """
        library = self.here.library(Signals(at=query.as_of, branch=query.branch))
        self.here.tell_if_cut(query.text)
        scope_path = self.here.scope(query.scope_path)
        readable = replace(query, text=query.text[:QUERY_MAX_CHARACTERS], scope_path=scope_path)
        if readable.act:
            readable = replace(readable, act=acts.named(self.store.database, self.store.user, readable.act).name)
        found = library.search(readable)
        now = self.here.now()
        hits = [memory_hit(hit, now) for hit in found]
        if readable.text.strip() and readable.profile is Profile.LEARNED and _beyond_memories(readable):
            leans = leaning(readable.text)
            hits = [*self._passages(library, readable, leans), *memory_hits(found, leans, now)]
        listed = one_list(hits, readable.limit)
        listed = listed if readable.as_of else self._with_objections(listed)
        if readable.text and not readable.include_archived:
            self._tell_of_archived(library, readable, found, listed)
        if not hits:
            self.here.tell_if_unread()
        said = {ONLY_READ, NO_MODEL if self.runtime.settings.embeddings == "off" else ONLY_READ}
        for what in library.missing():
            if what not in said:
                self.here.say(what)
        return listed

    def _passages(self, library: StoreLibrary, query: SearchQuery, leans: Leaning) -> list[SearchHit]:
        """Passages of commits, and of files and conversations where the filters leave room for them."""
        wide = max(CANDIDATES, 2 * query.limit)
        spoken = analysis.spoken(query.text)
        words = analysis.as_asked(spoken, spoken)
        timed = any((query.since, query.until, query.as_of, query.valid_at))
        kinds = [PassageKind.COMMIT] if query.kinds or timed else list(PassageKind)
        found = passage_hits(library.passages(query.text, kinds, wide, meaning=True), leans)
        found = [*called_hits(library.commits_called(query.text, CALLED_MOST), words), *found]
        if not query.kinds:
            found += declared_hits(library.declared_answers(query.text, DECLARED_MOST), leans)
            found += self._turns(query, spoken)
        return [hit for hit in found if _in_time(hit.at, query)]

    def _with_objections(self, listed: tuple[SearchHit, ...]) -> tuple[SearchHit, ...]:
        """The list, each side of an open contradiction with what the other says."""
        against = self._objections() if any(hit.memory for hit in listed) else {}
        return tuple(objected(hit, against[hit.id]) if hit.id in against else hit for hit in listed)

    def _objections(self) -> Mapping[str, Memory]:
        """What contradicts a memory, by its id: of several the latest found."""
        database, reader = self.store.database, Viewer(self.here.state.branch, checkout=self.here.checkout)

        def read() -> Mapping[str, Memory]:
            found = contradictions.open_ones(database, self.here.project, sees=reader.sees)
            return {side.id: other for one in reversed(found) for side, other in ((one.a, one.b), (one.b, one.a))}

        return self.store.readings.kept(("objections", self.here.project, reader), database.revision, read)

    def _turns(self, query: SearchQuery, spoken: dict[str, str]) -> list[SearchHit]:
        if not conversations.listed(self.store.database, self.store.user, 1):
            return []
        found = self.verbs.find_turns(query.text, min(TURNS_FOUND_MOST, max(TURNS, query.limit)))
        return turn_hits(found, spoken, self.store.passages.worth(query.text))

    def _tell_of_archived(
        self, library: StoreLibrary, query: SearchQuery, found: Sequence[Hit], listed: Sequence[SearchHit]
    ) -> None:
        """Name a memory that was put away where it would have been the answer, and say how many match as well."""
        if query.state not in (None, State.CURRENT):
            return
        fit = put_away(library, query)
        if (best := would_answer(self.store.database, fit, found, listed)) is not None:
            self.here.say(best)
        if away := len(fit) - (best is not None):
            self.here.say(
                f"{away} {ARCHIVED_MATCH}: add `--archived` to see, and `companion expand ID` to have one back."
            )


def _beyond_memories(query: SearchQuery) -> bool:
    """Whether the filters of a query leave room for more than memories; a commit counts as an episode."""
    return (
        (not query.kinds or Kind.EPISODE in query.kinds)
        and (not query.visibility or Visibility.PROJECT_SHARED in query.visibility)
        and not (query.entities or query.act or query.scope_path or query.scope_language)
        and query.state in (None, State.CURRENT, State.ALL)
    )


def _in_time(at: datetime | None, query: SearchQuery) -> bool:
    """Whether something was said within the times of a query, if it has any."""
    until = min((moment for moment in (query.as_of, query.valid_at, query.until) if moment), default=datetime.max)
    since = query.since or datetime.min
    if at is None:
        return (since, until) == (datetime.min, datetime.max)
    return since <= at <= until
