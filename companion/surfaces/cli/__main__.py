"""Where the program starts: what editors and hooks wait for first, then plain calls, then all that typer does."""

from __future__ import annotations

import gc
import os
import sys
import threading

HOOK = "hook"
"""What assistants run when a session begins or ends, with a third of a second for all of it."""
COLLECT_AFTER_OBJECTS = 200_000
"""New objects between two searches for cycles. One command makes fewer, a scan makes millions that it keeps:
looking at them every 700, as Python does, takes a twentieth of the time. 200,000 objects are some 20 MB."""


def main() -> None:
    """Run the command line. What cannot be printed is said in words."""
    _have_streams()
    gc.set_threshold(COLLECT_AFTER_OBJECTS)
    try:
        try:
            _run()
        finally:
            sys.stdout.flush()
    except OSError as wrong:
        from companion.surfaces.cli.failures import not_printed

        raise SystemExit(not_printed(wrong)) from None


def _run() -> None:
    try:
        if sys.argv[1:2] == [HOOK] and len(sys.argv) == 3 and not sys.argv[2].startswith("-"):
            from companion.surfaces.mcp import hook

            if sys.argv[2] in hook.EVENTS:
                hook.answered(sys.argv[2])
        if sys.argv[1:2] in (["run"], ["record"]):
            from companion.surfaces.cli.record import taken

            if (code := taken(sys.argv[1:])) is not None:
                raise SystemExit(code)
        from companion.surfaces.cli.plain import ran

        if ran(sys.argv[1:]):
            _leave()
            return
        from companion.surfaces.cli.main import app
    except KeyboardInterrupt:  # stopped before it began: nothing to tell
        raise SystemExit(130) from None
    app()


def _leave() -> None:
    """End at once, where nothing runs on: all is printed and the store let go of; unloading libraries takes 70 ms."""
    sys.stdout.flush()
    sys.stderr.flush()
    if threading.active_count() == 1:
        os._exit(0)


def _have_streams() -> None:
    """Open what our caller has closed of the three standard streams, on nothing.

    The next file would take their numbers else: the store's, and a library's warning would be written into it.
    """
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            os.dup2(os.open(os.devnull, os.O_RDWR), number)
            setattr(sys, name, open(number, "r" if name == "stdin" else "w", encoding="utf-8"))  # noqa: SIM115, PTH123 - a number


if __name__ == "__main__":
    main()
