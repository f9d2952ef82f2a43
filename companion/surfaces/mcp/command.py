"""`companion mcp`: started by an assistant, or by hand for HTTP."""

from __future__ import annotations

import logging
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from companion.config import DaemonUse, chosen, data_home, load_settings
from companion.errors import CompanionError, SourceError, UsageError
from companion.surfaces.cli.declared import Option, Positional
from companion.surfaces.cli.options import AsJson, choice_of
from companion.surfaces.cli.output import print_json, print_text
from companion.surfaces.mcp.tools import ToolChoice

if TYPE_CHECKING:
    from companion.surfaces.mcp.server import Assistant

PORT_MAX = 65_535
UNREPLACED = "${"
"""In a path, a variable such as `${workspaceFolder}` that this client does not know: the folder is not given then."""


def mcp(
    http: Annotated[
        int | None,
        Option("--http", help="Serve HTTP on this loopback port, with a token; 0: any.", min=0, max=PORT_MAX),
    ] = None,
    profile: Annotated[
        str,
        Option(
            "--profile",
            help="Tools that are listed: default (ten), all, or small (four, for small models).",
            show_default="the setting `assistant_tools`",
        ),
    ] = "",
    repo: Annotated[
        Path | None,
        Option("--repo", "-C", help="The repository.", show_default="the client's folder, else this one"),
    ] = None,
    persona: Annotated[str, Option("--persona", help="The assistant's own memories and to-dos, and all's.")] = "",
    stdio: Annotated[bool, Option("--stdio", help="Standard input and output; the default.")] = False,
    as_json: AsJson = False,
) -> None:
    """Serve an assistant by the Model Context Protocol; it ends with its client.

    `companion connect` writes the settings of the common assistants. With `--http` it says where it listens and
    which file holds the token, with `--json` as one object.

    Example: `companion mcp --profile small`
    """
    if stdio and http is not None:
        raise UsageError("A server speaks one way.", "Give one of --stdio and --http.")
    choice = _choice(profile)
    if http is None:
        threading.Thread(target=_wake_daemon, name="companion-wake", daemon=True).start()
    from companion.surfaces.mcp.folders import Folders
    from companion.surfaces.mcp.server import Assistant

    logging.getLogger("mcp").setLevel(logging.CRITICAL)  # it would write what clients sent
    given = None if repo is None or UNREPLACED in str(repo) else repo.expanduser().absolute()
    if http is None:
        _over_stdio(Assistant(Folders(given), choice, persona=persona))
    else:
        _over_http(Assistant(Folders(given or Path.cwd()), choice, persona=persona), http, as_json=as_json)


def _choice(profile: str) -> ToolChoice:
    """The tools that are listed; where the settings are broken the usual ones: each answer says then what is wrong."""
    if profile:
        return choice_of(ToolChoice, profile, "profile")
    with suppress(UsageError):
        return chosen(ToolChoice, "assistant_tools", load_settings(data_home()).assistant_tools)
    return ToolChoice.DEFAULT


def _wake_daemon() -> None:
    """Have a daemon come up while the protocol is loaded and spoken: the first question finds it there.

    Only over a data folder that is there, and what goes wrong is said when somebody asks.
    """
    from companion.client import daemon_use
    from companion.client.starting import start_daemon

    with suppress(CompanionError, OSError):
        home = data_home()
        if home.is_dir() and daemon_use(home) is not DaemonUse.NEVER:
            start_daemon(home)


def _over_stdio(assistant: Assistant) -> None:
    """Serve one client to its end, then leave at once, whatever threads still wait for a daemon."""
    import anyio

    from companion.surfaces.mcp import ways

    code = 1
    try:
        anyio.run(ways.over_stdio, assistant.server())
        code = 0
    except (KeyboardInterrupt, BrokenPipeError):
        code = 0
    except Exception as wrong:
        print(
            f"the session was interrupted: {type(wrong).__name__}", file=sys.stderr
        )  # no message: it may quote the client
    finally:
        assistant.close()
        ways.leave(code)


def _over_http(assistant: Assistant, port: int, *, as_json: bool) -> None:
    """Say where we listen and serve until we are stopped."""
    from companion.surfaces.http.access import loopback
    from companion.surfaces.mcp import ways

    try:
        plug = loopback(port)
    except OSError as wrong:
        raise SourceError(f"Port {port} cannot be used: {wrong.strerror}.", "Give another, or 0 for any.") from wrong
    path, token = ways.token_in(data_home())
    url = f"http://127.0.0.1:{plug.getsockname()[1]}{ways.PATH}"
    if as_json:
        print_json({"url": url, "token_file": path})
        sys.stdout.flush()
    else:
        print_text(f"{url}  (bearer token in {path})")
    try:
        ways.over_http(assistant.server(), plug, token)
    finally:
        assistant.close()


def hook(
    event: Annotated[str, Positional(metavar="EVENT", help="session-start or session-end.")],
) -> None:
    """Answer an assistant's hook: a short context when a session begins; at its end, what was said is imported.

    It takes a third of a second at most; whatever goes wrong, it prints nothing and ends with exit code 0. What was
    said is only imported if you have allowed it (`companion talk import`), by a process in the background.

    Example: `companion hook session-start`
    """
    from companion.surfaces.mcp import hook as hooks

    if event in hooks.EVENTS:
        hooks.answered(event)


app, hook_app = mcp, hook
"""What the entry points name."""
