"""The application: a route for each verb and for the daemon itself, over whoever hosts the companions.

Requests are read on the event loop, worked off in the lanes' threads, and answered with the result beside
what the user should know (`notices`). Nothing of a request or an answer is ever logged.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from companion import wire
from companion.api import DaemonState, Host
from companion.client.calling import REQUEST_ID
from companion.errors import UsageError
from companion.ports import NoProgress
from companion.surfaces.http.asks import PageAsk, Repo, StopAsk, absolute
from companion.surfaces.http.handler import RequestHandler, note_fault
from companion.surfaces.http.lanes import LONG, READ, WRITE
from companion.surfaces.http.problems import Refused, problem_of, response_of
from companion.surfaces.http.requests import ask_in, json_in, query_of, understood
from companion.surfaces.http.streams import MEDIA_TYPE, LinesResponse, NewsStand, Reporting, work_lines
from companion.surfaces.http.verbs import PLAIN_VERBS, VERBS, Verb

JSON = "application/json"
REQUEST_ID_MAX = 100
"""Characters of a request's id; ours have 32."""


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
    for verb in (*VERBS, *PLAIN_VERBS):
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
    return Response(wire.to_json({"result": wire.encode(state, DaemonState), "notices": []}), media_type=JSON)


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

    def take_place() -> DaemonState:
        with stand.taking() as held:
            held.enter_context(handler.host.attached())
            held.enter_context(handler.host.news(path, stand.tell))
        return handler.host.state()

    try:
        state = await handler.lanes.run(READ, take_place)
    except BaseException:
        stand.leave()
        raise
    return LinesResponse(stand.lines({"attached": wire.encode(state, DaemonState)}), stand.leave)


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
