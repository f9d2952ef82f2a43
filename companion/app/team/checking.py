"""Whether a project's server can be used, as `companion doctor` tells it: asked once, and within seconds."""

from __future__ import annotations

import threading
from concurrent.futures import Future

from companion.api import Finding
from companion.app.team.linking import ServerLink
from companion.app.team.servers import open_server
from companion.errors import CompanionError, TeamServerUnreachable
from companion.ports import Redactor

OK, WARNING = "ok", "warning"
WITHIN_S = 8.0
"""Who has not answered by then is told as absent: five seconds to be greeted, and some for three questions."""
AGAIN = "Local work goes on without it. When it is there again: `companion team sync`."
VECTORS = "Ask who looks after it to install the extension `vector` and to run `companion team prepare {url}`."


def server_finding(link: ServerLink | None, redactor: Redactor, within_s: float = WITHIN_S) -> tuple[Finding, ...]:
    """What is to be said of a project's server; nothing where it has none."""
    if link is None:
        return ()
    try:
        vectors = _keeps_vectors(link, within_s)
    except CompanionError as wrong:  # no answer, a refusal, no driver, or a URL that may not be used as things are now
        step = AGAIN if isinstance(wrong, TeamServerUnreachable) else wrong.next_step
        return (Finding("team's server", WARNING, redactor.redact(wrong.what), step),)
    if not vectors:
        what = f"{link.url} keeps no vectors: `companion team search` finds words alone."
        return (Finding("team's server", WARNING, what, VECTORS.format(url=link.url)),)
    return (Finding("team's server", OK, f"{link.url} answers; this project is {link.project} there."),)


def _keeps_vectors(link: ServerLink, within_s: float) -> bool:
    """Whether the server, which can be used, keeps vectors. Raises what it raises, UsageError for its URL.

    Asked on a thread, since neither the system's look-up of names nor a server that stops in the middle ends by itself.
    """
    server = open_server(link)
    done: Future[bool] = Future()

    def ask() -> None:
        try:
            server.check()
            done.set_result(server.keeps_vectors)
        except Exception as wrong:
            done.set_exception(wrong)
        finally:
            server.release()

    threading.Thread(target=ask, name="companion-team-check", daemon=True).start()
    try:
        return done.result(within_s)
    except TimeoutError:
        server.close()
        raise TeamServerUnreachable(f"The team's server {link.url} did not answer within {within_s:g} s.") from None
