"""What an assistant runs when a session begins: a short context, or nothing at all, and never a wait.

It stands between a person and their first word, so whatever is not there in a sixth of a second is left out: no
owner, a busy one, a repository that was never read, an answer that is none. It says nothing then and ends well.
An owner that is missing is started for the next time, where one has lived before.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from contextlib import suppress
from typing import Any

DEADLINE_S = 0.15
"""From when this module is loaded, some 0.05 s after the process began; a hook may take 0.3 s in all."""
TOLD_MAX_BYTES = 1_000_000
"""Of what the assistant tells; it says in some 300 bytes where it is."""
BUDGET_TOKENS = 1_500
"""A short context: it is poured, not asked for; the rest is pulled by the tools."""
EVENT = "SessionStart"


def session_start() -> None:
    """Print the context of the folder that the assistant names on standard input, and end the process."""
    deadline = threading.Timer(DEADLINE_S, os._exit, (0,))
    deadline.daemon = True
    deadline.start()
    with suppress(Exception, KeyboardInterrupt):
        if text := _context(_folder()):
            beside = {"hookEventName": EVENT, "additionalContext": text}
            said = json.dumps({"hookSpecificOutput": beside}).encode("ascii")
            deadline.cancel()  # half an answer is none
            os.write(1, said + b"\n")
    os._exit(0)


def _folder() -> str:
    """The folder that a session works in, as the assistant tells it; else this one."""
    told: Any = {}
    if not sys.stdin.isatty():
        with suppress(ValueError):
            told = json.loads(sys.stdin.buffer.read(TOLD_MAX_BYTES))
    folder = told.get("cwd") if isinstance(told, dict) else None
    return folder if isinstance(folder, str) and os.path.isabs(folder) else os.getcwd()  # noqa: PTH109, PTH117


def _context(folder: str) -> str:
    """The context of a repository from an owner that lives; empty where there is none."""
    from companion.client.finding import API, LOCK_NAME, find_owner, home_folder

    home = home_folder()
    owner = find_owner(home)
    if owner is None:
        if os.path.exists(os.path.join(home, LOCK_NAME)):  # noqa: PTH110, PTH118 - pathlib takes 5 ms to import
            _start(home)
        return ""
    if owner.api != API:
        return ""
    from companion.client.speaking import ask

    asked = {"repo": folder, "budget": BUDGET_TOKENS, "format": "xml", "order": "assistants", "count_use": False}
    status, said = ask(owner, "POST", "/context/assemble", asked, timeout_s=DEADLINE_S)
    return str(said["context"]) if status == 200 else ""


def _start(home: str) -> None:
    """Begin an owner and wait for nothing; of several that begin, one stays."""
    from pathlib import Path

    from companion.client import owner_use
    from companion.client.starting import spawn
    from companion.config import OwnerUse

    if owner_use(Path(home)) is not OwnerUse.NEVER:
        spawn(Path(home))
