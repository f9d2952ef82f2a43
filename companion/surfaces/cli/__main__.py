"""Where the program starts: the quick way where that will do, else the whole command line."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import NoReturn

SESSIONS = ("lsp", "mcp")
"""What editors and assistants start; they wait for it, and the whole command line would be a quarter of their
waiting."""
DAEMON = ["serve"]
"""What clients start where there is no daemon, and wait for: the whole command line is a sixth of that waiting."""
HOOK = "hook"
"""What assistants run when a session begins or ends, with a third of a second for all of it."""
COLLECT_AFTER_OBJECTS = 200_000
"""New objects between two searches for cycles, as in the whole command line: loading the protocol makes that many
and drops none."""


def main() -> None:
    """Run the command line. What cannot be printed is said in words."""
    _have_streams()
    try:
        try:
            _run()
        finally:
            sys.stdout.flush()
    except OSError as wrong:
        from companion.surfaces.cli.main import not_printed

        raise SystemExit(not_printed(wrong)) from None


def _run() -> None:
    try:
        if sys.argv[1:2] == [HOOK] and len(sys.argv) == 3 and not sys.argv[2].startswith("-"):
            from companion.surfaces.mcp import hook

            if sys.argv[2] in hook.EVENTS:
                hook.answered(sys.argv[2])
        from companion.surfaces.cli.quick import answered

        if answered(sys.argv[1:]):
            _leave()
        if sys.argv[1:2] and sys.argv[1] in SESSIONS and sys.argv[2:] in ([], ["--stdio"]):
            _session(sys.argv[1])
            return
        if sys.argv[1:] == DAEMON:
            _own()
            return
        if sys.argv[1:2] in (["run"], ["record"]):
            from companion.surfaces.cli.record import taken

            if (code := taken(sys.argv[1:])) is not None:
                raise SystemExit(code)
        from companion.surfaces.cli.main import main as whole
    except KeyboardInterrupt:  # stopped before it began: nothing to tell
        raise SystemExit(130) from None
    whole()


def _leave() -> NoReturn:
    """End at once: everything is printed and the store let go of, and unloading the libraries takes 70 ms."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)


def _have_streams() -> None:
    """Open what our caller has closed of the three standard streams, on nothing.

    The next file would take their numbers else: the store's, and a library's warning would be written into it.
    """
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            os.dup2(os.open(os.devnull, os.O_RDWR), number)
            setattr(sys, name, open(number, "r" if name == "stdin" else "w", encoding="utf-8"))  # noqa: SIM115, PTH123 - a number


def _own() -> None:
    """Be the daemon of the store, as `companion serve` without options says. An error is told as it tells it."""
    import gc

    from companion.errors import CompanionError

    gc.set_threshold(COLLECT_AFTER_OBJECTS)
    try:
        from companion.client.hosting import own
        from companion.config import data_home
        from companion.surfaces.http.serving import answer

        own(data_home(), answer)
    except CompanionError as wrong:
        from companion.surfaces.cli.output import print_error

        print_error(wrong, as_json=False)
        raise SystemExit(wrong.exit_code) from wrong


def _session(name: str) -> None:
    """A session over standard input and output, found as the whole command line finds it: by its name.

    The command is called as the function it is: reading its options would load a tenth of a second of modules.
    """
    import gc
    from importlib.metadata import PackageNotFoundError, distribution

    gc.set_threshold(COLLECT_AFTER_OBJECTS)
    try:
        ours = distribution("companion-context").entry_points.select(group="companion.commands", name=name)
        (command,) = (one.callback for found in ours for one in found.load().registered_commands)
    except (PackageNotFoundError, ValueError):  # run from a folder, or put together in another way
        from companion.surfaces.cli.main import main as whole

        whole()
    else:
        command()


if __name__ == "__main__":
    main()
