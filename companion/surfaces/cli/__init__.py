"""The command line: parse, ask the companion, print. One module a group of commands."""

from __future__ import annotations

from companion.surfaces.cli.main import main

__all__ = ["main"]
