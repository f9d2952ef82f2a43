"""The team's server: connecting a project to one, synchronising at once, searching all that is shared there."""

from __future__ import annotations

from companion.api.team import ServerStanding, SharedHit, SyncReport
from companion.app.checkout import OpenCheckout, Service
from companion.app.given import page
from companion.app.team import exchange
from companion.app.team.linking import ServerLink, ServerStates, link_of, need_link, read_so_far, set_link
from companion.app.team.servers import open_server, prepare_server
from companion.app.team.syncing import synchronise
from companion.errors import UsageError
from companion.records.team import SharedVersion

FOUND_MOST = 100
"""Versions found at once: more than anybody reads."""


class TeamOnServer(Service):
    """The verbs of a team's server. See `companion.api.team`."""

    def team_prepare(self, url: str) -> tuple[str, ...]:
        return prepare_server(url)

    def team_connect(self, url: str, project: str = "") -> ServerStanding:
        link = ServerLink(url, project or self.here.state.root_commit)
        if not link.project:
            raise UsageError("This repository has no commit to be known by.", "Name the project with `--project NAME`.")
        server = open_server(link)
        try:
            server.check()
        finally:
            server.release()
        set_link(self.runtime, self.here.project, link)
        return standing_of(self.here, link)

    def team_disconnect(self) -> bool:
        before = link_of(self.runtime, self.here.project)
        set_link(self.runtime, self.here.project, None)
        return before is not None

    def team_sync(self) -> SyncReport:
        server = open_server(need_link(self.runtime, self.here.project))
        try:
            done = synchronise(self.here, server)
        finally:
            server.release()
        return SyncReport(
            done.pulled,
            done.pushed,
            tuple(done.memories),
            done.withdrawn,
            done.restored,
            tuple((id_, self.here.fit(why)) for id_, why in done.refused.items()),
            tuple(done.unfit.items()),
        )

    def team_search(self, words: str, limit: int = 10) -> tuple[SharedHit, ...]:
        link, embedder = need_link(self.runtime, self.here.project), self.runtime.adapters.embedder
        vector = None if embedder is None else embedder.embed([words])[0].tolist()
        server = open_server(link, embedder)
        try:
            found = server.search(words, vector, page(limit, FOUND_MOST))
        finally:
            server.release()
        records = exchange.records_of(self.runtime)
        known = records.known(self.here.project)
        memories = {one.id: one.memory for one in records.stored(self.here.project)}
        return tuple(
            SharedHit(hit.version, memories[hit.version], one.draft.levels.summary, one.author, one.made_at, hit.score)
            for hit in found
            if isinstance(one := known.get(hit.version), SharedVersion)
        )

    def team_server(self) -> ServerStanding | None:
        return server_standing(self.here)


def server_standing(here: OpenCheckout) -> ServerStanding | None:
    """How a project stands with its server; None if it has none."""
    link = link_of(here.runtime, here.project)
    return None if link is None else standing_of(here, link)


def standing_of(here: OpenCheckout, link: ServerLink) -> ServerStanding:
    """How a project stands with a server."""
    read, now = read_so_far(here.runtime, here.project), here.runtime.one(ServerStates).of(here.project)
    waiting = exchange.records_of(here.runtime).outgoing(here.project, f"server {read.place.log}")
    return ServerStanding(
        url=link.url,
        project=link.project,
        online=None if now is None else now.online,
        since=None if now is None else now.since,
        wrong="" if now is None else here.fit(now.wrong),
        read_to=read.place.position,
        waiting=len(waiting),
        refused=() if now is None else tuple((id_, here.fit(why)) for id_, why in now.refused),
    )
