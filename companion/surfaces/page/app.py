"""The page's addresses: a room's page, its parts and its deeds, for whoever has a session.

    /static/STAMP/NAME                     styles and scripts, for every page of ours
    /KEY/enter?ticket=T[&to=ROOM?...]      the link: a ticket becomes a session, and leads to a room
    /KEY/FOLDER/ROOM[/PART]                GET shows, POST does

KEY is drawn anew for each listener and is the path of the cookie: browsers send a cookie of 127.0.0.1 to every
port of it, but only to addresses that begin so, and no other program knows them. FOLDER stands for a repository.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qs

from msgspec.structs import replace
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from companion.client.peers import is_anothers
from companion.errors import CompanionError, NotReadYet
from companion.records.search import QUERY_CUT
from companion.surfaces.http.handler import RequestHandler, note_fault
from companion.surfaces.http.lanes import READ, SLOW, WRITE, Lane
from companion.surfaces.http.problems import Refused, problem_of
from companion.surfaces.http.requests import body_of
from companion.surfaces.page import static
from companion.surfaces.page.folders import PageFolders
from companion.surfaces.page.keys import AGAIN, PageKeys
from companion.surfaces.page.rendering import UNKEPT, address, refusal, rendered
from companion.surfaces.page.room import Answer, PageRequest, PageView, Room
from companion.surfaces.page.rooms import ROOMS

COOKIE = "companion"
KEPT = {"Cache-Control": "public, max-age=31536000, immutable"}
"""A file's address changes with its content."""
UNREAD = "unread.html"
"""What is shown of a repository that nobody has read; no notice says it once more."""
FIELDS_MAX = 1_000
"""Fields of one form: more than any of ours has."""


@dataclass
class Page:
    """The page over a request handler: who may look, and at which folders."""

    handler: RequestHandler
    key: str
    keys: PageKeys = field(default_factory=PageKeys)
    folders: PageFolders = field(default_factory=PageFolders)
    rooms: tuple[Room, ...] = ROOMS

    def app(self) -> Starlette:
        """The application, without its access check."""
        routes = [
            Route("/static/{stamp}/{name:path}", _static),
            Route("/{key}/enter", self._guarded(self._enter)),
            Route("/{key}/{folder}/{room}/{part}", self._guarded(self._part, self._need_session), methods=["GET"]),
            Route("/{key}/{folder}/{room}/{part}", self._guarded(self._deed, self._need_session), methods=["POST"]),
            Route("/{key}/{folder}/{room}", self._guarded(self._room, self._need_session)),
            Route("/{rest:path}", self._guarded(self._elsewhere)),
        ]
        return Starlette(routes=routes)

    def link(self, folder: Path) -> str:
        """The address that lets a browser in, from the root; good once."""
        return address(f"/{self.key}/enter", ticket=self.keys.ticket(self.folders.name(folder)))

    # ------------------------------------------------------------- addresses

    async def _enter(self, request: Request) -> Response:
        if request.path_params["key"] != self.key:
            raise _gone()
        if "prefetch" in request.headers.get("sec-purpose", ""):
            raise Refused(409, "Prefetched", "A link that works once is not fetched in advance.", AGAIN)
        if request.client is not None and is_anothers(request.client.port):
            raise Refused(403, "ForeignUser", "This link is for another user of this computer.", AGAIN)
        session, folder = self.keys.enter(request.query_params.get("ticket", ""))
        # Sent on by the page itself, not by a redirect: the next request then comes from our own page, and a link
        # that was followed from elsewhere brings its SameSite=Strict cookie along.
        to = request.query_params.get("to", "")
        room = to if re.split("[?#]", to)[0] in {one.name for one in self.rooms} else self.rooms[0].name
        answer = HTMLResponse(rendered("enter.html", {"address": f"/{self.key}/{folder}/{room}"}), headers=UNKEPT)
        answer.set_cookie(COOKIE, session, path=f"/{self.key}/", httponly=True, samesite="strict")
        return answer

    async def _room(self, request: Request) -> Response:
        room = self._asked(request)
        return await self._shown(request, room, room.show, SLOW if room.name in room.slow else READ)

    async def _part(self, request: Request) -> Response:
        room, name = self._asked(request), request.path_params["part"]
        if name not in room.parts:
            raise _nowhere()
        return await self._shown(request, room, room.parts[name], SLOW if name in room.slow else READ)

    async def _deed(self, request: Request) -> Response:
        room, name = self._asked(request), request.path_params["part"]
        if name not in room.deeds:
            raise _nowhere()
        return await self._shown(request, room, room.deeds[name], SLOW if name in room.slow else WRITE)

    async def _elsewhere(self, request: Request) -> Response:
        """What is left: the folder alone leads to its first room, everything else nowhere."""
        key, _, rest = request.path_params["rest"].partition("/")
        if key != self.key:
            raise _gone()
        self._need_session(request)
        folder = rest.strip("/") or self.folders.first
        if request.method != "GET" or folder not in self.folders:
            raise _nowhere()
        return RedirectResponse(f"/{self.key}/{folder}/{self.rooms[0].name}", 303, UNKEPT)

    # --------------------------------------------------------------- answers

    async def _shown(self, request: Request, room: Room, answer: Answer, lane: Lane) -> Response:
        ask = PageRequest(await _given(request))
        root = self.folders.root(request.path_params["folder"])
        whole = answer is room.show

        def work() -> tuple[str, PageView]:
            with self.handler.companion(str(root)) as companion:
                frame = self._frame(request, room)
                try:
                    view = answer(companion, ask)
                except CompanionError as wrong:
                    if not whole:
                        raise
                    template = UNREAD if isinstance(wrong, NotReadYet) else "problem.html"
                    view = PageView(template, {"what": wrong.what, "next_step": wrong.next_step})
                notices = companion.notices() if view.template != UNREAD else ()
                if QUERY_CUT in notices and not whole:
                    view = replace(view, says=QUERY_CUT)
                beside = {"now": companion.now(), "notices": notices, "said": view.says}
                return rendered(view.template, {**frame, **beside, **view.values}), view

        body, view = await self.handler.lanes.run(lane, work)
        if request.method == "POST" and "hx-request" not in request.headers:  # sent without our script
            return RedirectResponse(self._at(request, room.name), 303, UNKEPT)
        if view.says and not whole:
            body += rendered("said.html", {"said": view.says})
        moved = {"HX-Replace-Url": self._at(request, view.address)} if view.address else {}
        return HTMLResponse(body, headers={**UNKEPT, **moved})

    def _frame(self, request: Request, room: Room) -> dict[str, object]:
        """What every template knows: where it is, and how to say an address."""
        folder = request.path_params["folder"]

        def at(path: str, /, **query: object) -> str:
            return address(f"/{self.key}/{folder}/{path}", **query)

        others = [(name, root, f"/{self.key}/{name}/{room.name}") for name, root in self.folders.all()]
        return {
            "room": room,
            "rooms": self.rooms,
            "folder": folder,
            "folders": others,
            "at": at,
            "daemon": self.handler.host.state,
        }

    def _at(self, request: Request, path: str) -> str:
        return f"/{self.key}/{request.path_params['folder']}/{path}"

    def _asked(self, request: Request) -> Room:
        wanted = request.path_params["room"]
        room = next((one for one in self.rooms if one.name == wanted), None)
        if room is None or request.path_params["folder"] not in self.folders:
            raise _nowhere()
        return room

    def _need_session(self, request: Request) -> None:
        if request.path_params.get("key", self.key) != self.key:
            raise _gone()
        if not self.keys.let_in(request.cookies.get(COOKIE, "")):
            raise Refused(401, "NoSession", "This browser has not been let in.", AGAIN)

    def _guarded(
        self, answer: Callable[[Request], Awaitable[Response]], first: Callable[[Request], None] | None = None
    ) -> Callable[[Request], Awaitable[Response]]:
        """The same, with every error as a page or, where a part was asked for, as a line."""

        async def answered(request: Request) -> Response:
            try:
                if first is not None:
                    first(request)
                return await answer(request)
            except Exception as wrong:
                note_fault(wrong)
                return _problem(request, wrong)

        return answered


def _problem(request: Request, wrong: Exception) -> Response:
    said = problem_of(wrong)
    status, what, next_step = int(str(said["status"])), str(said["detail"]), str(said["next_step"])
    if "hx-request" in request.headers:
        return HTMLResponse(rendered("trouble.html", {"what": what, "next_step": next_step}), status, UNKEPT)
    return refusal(Refused(status, "", what, next_step))


async def _static(request: Request) -> Response:
    found = static.files().get(request.path_params["name"])
    if found is None or found.stamp != request.path_params["stamp"]:
        return refusal(_nowhere())
    return Response(found.content, media_type=found.media_type, headers=KEPT)


async def _given(request: Request) -> Mapping[str, tuple[str, ...]]:
    """The fields of the query, or of the form."""
    said = request.scope["query_string"]
    if request.method == "POST":
        kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind != "application/x-www-form-urlencoded":
            raise Refused(415, "NotAForm", "The request is not a form.", "Use the page's own buttons.")
        said = await body_of(request)
    try:
        fields = parse_qs(said.decode("ascii"), keep_blank_values=True, max_num_fields=FIELDS_MAX)
    except ValueError:
        raise Refused(400, "BadRequest", "The fields of the request are broken.", "Use the page's own forms.") from None
    return {name: tuple(values) for name, values in fields.items()}


def _gone() -> Refused:
    return Refused(
        404, "Gone", "This page was opened by a Companion that has stopped since.", "`companion page` opens it again."
    )


def _nowhere() -> Refused:
    return Refused(404, "NotFound", "There is nothing at this address.", "Go back, or run `companion page`.")
