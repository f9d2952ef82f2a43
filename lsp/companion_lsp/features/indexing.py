"""Reading a repository for the first time: asked once, done with a progress bar, refused for good if so wished."""

from __future__ import annotations

import asyncio
import json
import time
import uuid
from contextlib import suppress
from pathlib import Path

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from companion.client.so_far import ReadingSoFar
from companion.errors import CompanionError
from companion.ports import FOUND
from companion.records.wording import counted
from companion_lsp.server import CompanionServer, OpenDocument

QUESTION = "Read this repository? {name} has not been read yet. What Companion learns stays on this machine."
READ, NOT_NOW, NEVER = "Read", "Not now", "Never"
REFUSED_FILE = "not-to-read.json"
"""In the data folder: work trees that the user does not want to be asked about again."""
SCAN_S = 6 * 3_600.0
"""Longer than the largest repository takes to be read; its end is seen in the progress, not by a clock."""
REPORTED_EACH_S = 0.2
"""Time between two reports: as often as a person can see."""


class ReadingStopped(CompanionError):
    """The user stopped the reading."""


def register(server: CompanionServer) -> None:
    """Offers to read a repository when a file of one that was never read is looked at."""
    offered: set[Path] = set()
    tasks: set[asyncio.Task[None]] = set()

    def offer(place: OpenDocument) -> None:
        asks = server.settings.unread == "ask" and server.folders()
        if not asks or place.root in offered or is_refused(place.root):
            return
        offered.add(place.root)
        task = asyncio.get_running_loop().create_task(_offer(server, place))
        tasks.add(task)
        task.add_done_callback(tasks.discard)

    server.on_unread.append(offer)


async def _offer(server: CompanionServer, place: OpenDocument) -> None:
    asked = types.ShowMessageRequestParams(
        types.MessageType.Info,
        QUESTION.format(name=place.root.name),
        [types.MessageActionItem(title) for title in (READ, NOT_NOW, NEVER)],
    )
    chosen = None
    with suppress(JsonRpcException):  # a client that cannot ask has not agreed
        chosen = await server.window_show_message_request_async(asked)
    if chosen is None or chosen.title == NOT_NOW:
        return
    if chosen.title == NEVER:
        refuse(place.root)
        return
    await read(server, place)


async def read(server: CompanionServer, place: OpenDocument) -> bool:
    """Read a repository with a progress bar; whether it came to its end."""
    bar = _Bar(server, place.root.name)
    await bar.begin()
    try:
        report = await server.ask(place, lambda companion, _: companion.scan(bar), SCAN_S)
    except (CompanionError, OSError) as wrong:
        bar.end("stopped")
        level = types.MessageType.Info if isinstance(wrong, ReadingStopped) else types.MessageType.Error
        server.window_show_message(types.ShowMessageParams(level, f"{place.root.name} was not read: {wrong}"))
        return False
    bar.end(f"{counted(report.files_total, 'file')}, {counted(report.commits_total, 'commit')}")
    server.changed(place.root, "refreshed")
    for opened in server.open_places():
        server.on_shown(opened)
    return True


class _Bar:
    """Passes the steps of a scan on to the editor; told by another thread. Implements `companion.ports.Progress`."""

    def __init__(self, server: CompanionServer, name: str) -> None:
        self._server = server
        self._name = name
        self._token = f"companion-{uuid.uuid4()}"
        self._shown = False
        self._reported_at = 0.0
        self._so_far = ReadingSoFar(time.monotonic)

    async def begin(self) -> None:
        """Show the bar, where the client has one."""
        if self._server.abilities.shows_progress:
            with suppress(JsonRpcException):
                await self._server.work_done_progress.create_async(self._token)
            title = f"Companion reads {self._name}"
            begun = types.WorkDoneProgressBegin(title=title, cancellable=True, percentage=0)
            self._server.work_done_progress.begin(self._token, begun)
            self._shown = True

    def step(self, stage: str, done: int, total: int | None) -> None:
        """Called while it is read. Raises ReadingStopped after the user stopped it."""
        asked = self._server.work_done_progress.tokens.get(self._token)
        if asked is not None and asked.cancelled():
            raise ReadingStopped("you stopped it. What was read is kept.", "Run `companion init` to go on.")
        self._so_far.step(stage, done, total)
        now = time.monotonic()
        if self._shown and not stage.startswith(FOUND) and now - self._reported_at >= REPORTED_EACH_S:
            self._reported_at = now
            message = "; ".join(filter(None, (stage, self._so_far.found, self._so_far.left)))
            report = types.WorkDoneProgressReport(cancellable=True, message=message, percentage=self._so_far.percent)
            self._server.soon(self._report, report)

    def end(self, message: str) -> None:
        """Take the bar away."""
        if self._shown:
            self._shown = False
            self._server.work_done_progress.end(self._token, types.WorkDoneProgressEnd(message=message))
            self._server.work_done_progress.tokens.pop(self._token, None)

    def _report(self, report: types.WorkDoneProgressReport) -> None:
        if self._shown:
            self._server.work_done_progress.report(self._token, report)


def is_refused(root: Path) -> bool:
    """Whether the user said never to ask about a work tree."""
    from companion.config import data_home

    return str(root) in _refused(data_home() / REFUSED_FILE)


def refuse(root: Path) -> None:
    """Never ask about a work tree again; `companion init` in it still reads it."""
    from companion.config import data_home, write_private

    file = data_home() / REFUSED_FILE
    roots = sorted({*_refused(file), str(root)})
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_private(file, json.dumps(roots, indent=1) + "\n")
    except OSError:
        return  # it is asked again then


def _refused(file: Path) -> list[str]:
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return []
    return [one for one in found if isinstance(one, str)] if isinstance(found, list) else []
