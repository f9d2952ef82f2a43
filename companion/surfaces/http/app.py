"""The application: a route for each verb and for the owner itself, over whoever hosts the companions.

Requests are read on the event loop, worked off in the lanes' threads, and answered with the result beside
what the user should know (`notices`). Nothing of a request or an answer is ever logged.
"""

from __future__ import annotations

import asyncio
import logging
import traceback
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from companion import wire
from companion.api import Companion, Host, OwnerState
from companion.client.calling import REQUEST_ID
from companion.errors import AlreadyKept, CompanionError, StoreError, UsageError
from companion.ports import NoProgress, Progress
from companion.surfaces.http.asks import PageAsk, Repo, StopAsk, absolute
from companion.surfaces.http.lanes import LONG, READ, WRITE, Lanes
from companion.surfaces.http.problems import Refused, problem_of, response_of
from companion.surfaces.http.requests import ask_in, json_in, query_of, understood
from companion.surfaces.http.streams import MEDIA_TYPE, LinesResponse, NewsStand, Reporting, work_lines
from companion.surfaces.http.verbs import VERBS, Verb

if TYPE_CHECKING:
    from companion.surfaces.page.opening import Opening

JSON = "application/json"
REQUEST_ID_MAX = 100
"""Characters of a request's id; ours have 32."""

_log = logging.getLogger("companion.http")


class RequestHandler:
    """Answers for a host: finds the companion that a request is for, and puts the request to it."""

    def __init__(self, host: Host) -> None:
        self.host = host
        self.lanes = Lanes()
        self.stopping = asyncio.Event()
        self.beside: list[asyncio.Task[None]] = []
        """What serves beside the API, as the page does, and is to end with it."""
        self.opening: Opening | None = None
        """The page's own listener, once a page was asked for."""

    def answer(self, verb: Verb, ask: Any, progress: Progress, id_: str = "") -> bytes:
        """The whole answer to a request, in the thread that calls. Raises CompanionError.

        With an `id_` what it writes is kept once; asked again, it raises AlreadyKept, or StoreError for what takes
        long and may have ended in the midst of it.
        """
        once = self.host.once(id_) if id_ and verb.lane is not READ else nullcontext()
        try:
            with self.companion(ask.repo, anywhere=verb.route.anywhere) as companion, once:
                found = wire.encode(verb.answer(companion, ask, progress), verb.result)
                beside = list(companion.notices())
        except AlreadyKept as kept:
            if verb.lane is WRITE:
                raise
            raise StoreError(
                "The owner of the store ended in the midst of it, and what it had finished is kept.",
                "Run the command again for the rest.",
            ) from kept
        said = {**found, "notices": beside} if verb.special.flat and isinstance(found, dict) else None
        return wire.to_json(said or {"result": found, "notices": beside})

    @contextmanager
    def companion(self, repo: str, *, anywhere: bool = False) -> Iterator[Companion]:
        """The companion for a repository, while a request is answered."""
        with self.host.asked():
            companion = self.host.companion(absolute(repo or self._only_root(), "repo"), anywhere=anywhere)
            try:
                yield companion
            finally:
                companion.close()

    def _only_root(self) -> str:
        roots = [one.root for one in self.host.state().repositories]
        if len(roots) != 1:
            raise UsageError(
                f"The request names no repository, and {len(roots)} are open.",
                "Give `repo`, the absolute path of a folder in it.",
            )
        return roots[0]


def make_app(host: Host) -> Starlette:
    """The application over a host; the request handler it answers from is its `state.handler`."""
    handler = RequestHandler(host)
    routes = [
        _at("/status", "GET", lambda request: _status(handler, request)),
        _at("/stop", "POST", lambda request: _stop(handler, request)),
        _at("/page", "POST", lambda request: _page(handler, request)),
        _at("/attach", "GET", lambda request: _attach(handler, request)),
        _at("/openapi.json", "GET", _openapi),
    ]
    for verb in VERBS:
        path = verb.route.path.replace(
            f"{{{verb.special.in_path}}}", f"{{{verb.special.in_path}:path}}"
        )  # an id may hold anything
        routes.append(_at(path, "POST", _route(handler, verb)))
    app = Starlette(routes=routes, exception_handlers={HTTPException: _no_such_place})
    app.router.redirect_slashes = False
    app.state.handler = handler
    return app


def _at(path: str, method: str, answer: Callable[[Request], Awaitable[Response]]) -> Route:
    """A route that takes one method alone: a library that adds HEAD to GET would have `attach` held open for it."""
    route = Route(path, guarded(answer), methods=[method])
    route.methods = {method}
    return route


def guarded(answer: Callable[[Request], Awaitable[Response]]) -> Callable[[Request], Awaitable[Response]]:
    """A way of answering that tells every error as a problem document."""

    async def answered(request: Request) -> Response:
        try:
            return await answer(request)
        except Exception as wrong:
            note_fault(wrong)
            return response_of(wrong)

    return answered


def note_fault(wrong: Exception) -> None:
    """Log where in the program a fault happened: no message, since it may quote what was asked.

    The fault itself goes along as `wrong`, for a log that tells it in its own way.
    """
    if isinstance(wrong, (CompanionError, Refused)):
        return
    places = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in traceback.extract_tb(wrong.__traceback__)]
    _log.error("%s at %s", type(wrong).__name__, " < ".join(reversed(places)), extra={"wrong": wrong})


def _route(handler: RequestHandler, verb: Verb) -> Callable[[Request], Awaitable[Response]]:
    async def short(request: Request) -> Response:
        ask = await ask_in(request, verb)
        id_ = request.headers.get(REQUEST_ID, "")
        if len(id_) > REQUEST_ID_MAX:
            raise UsageError(f"{REQUEST_ID} is longer than {REQUEST_ID_MAX} characters.", "Send a shorter one.")
        answer = await handler.lanes.run(verb.lane, lambda: handler.answer(verb, ask, NoProgress(), id_))
        return Response(answer, media_type=JSON)

    async def long(request: Request) -> Response:
        ask = await ask_in(request, verb)

        def work(reporting: Reporting) -> bytes:
            return handler.answer(verb, ask, reporting)

        return await work_lines(handler.lanes, handler.stopping, work, _problem_line)

    async def either(request: Request) -> Response:
        wants_lines = MEDIA_TYPE in request.headers.get("accept", "")
        return await (long if wants_lines and verb.tells else short)(request)

    return long if verb.lane is LONG else either


def _problem_line(wrong: Exception) -> bytes:
    note_fault(wrong)
    return wire.to_json({"problem": problem_of(wrong)})


async def _status(handler: RequestHandler, request: Request) -> Response:
    state = await handler.lanes.run(READ, handler.host.state)
    return Response(wire.to_json({"result": wire.encode(state, OwnerState), "notices": []}), media_type=JSON)


async def _stop(handler: RequestHandler, request: Request) -> Response:
    asked = understood(StopAsk, await json_in(request))
    await handler.lanes.run(WRITE, lambda: handler.host.stop(asked.why))
    return Response(wire.to_json({"result": None, "notices": []}), media_type=JSON)


async def _page(handler: RequestHandler, request: Request) -> Response:
    folder = absolute(understood(PageAsk, await json_in(request)).repo, "repo")
    if handler.opening is None:
        from companion.surfaces.page.opening import Opening  # nobody who looks at no page waits for its libraries

        handler.opening = Opening(handler)
    url = await handler.opening.link(folder)
    return Response(wire.to_json({"result": url, "notices": []}), media_type=JSON)


async def _attach(handler: RequestHandler, request: Request) -> Response:
    path = absolute(understood(Repo, query_of(request, "repo")), "repo")
    stand = NewsStand(handler.stopping)

    def take_place() -> OwnerState:
        with stand.taking() as held:
            held.enter_context(handler.host.attached())
            held.enter_context(handler.host.news(path, stand.tell))
        return handler.host.state()

    try:
        state = await handler.lanes.run(READ, take_place)
    except BaseException:
        stand.leave()
        raise
    return LinesResponse(stand.lines({"attached": wire.encode(state, OwnerState)}), stand.leave)


async def _openapi(request: Request) -> Response:
    from companion.surfaces.http.openapi import document  # read by few, and takes all verbs to be worked out

    return Response(document(), media_type=JSON)


async def _no_such_place(request: Request, wrong: Exception) -> Response:
    assert isinstance(wrong, HTTPException)
    if wrong.status_code == 405:
        refused = Refused(
            405, "MethodNotAllowed", "The address has no such method.", "See /openapi.json.", wrong.headers
        )
    else:
        refused = Refused(404, "NotFound", "There is nothing at this address.", "See /openapi.json.")
    return response_of(refused)
