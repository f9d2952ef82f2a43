"""The command line: parse, ask the companion, print. One module a group of commands."""

from __future__ import annotations

try:
    from companion.surfaces.cli.main import main
except KeyboardInterrupt:  # stopped before it began: nothing to tell
    raise SystemExit(130) from None

__all__ = ["main"]
