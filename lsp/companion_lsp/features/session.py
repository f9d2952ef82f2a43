"""Beginning and end: what the client can do and wants, which folders it has open, whether it still lives."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from contextlib import suppress

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from companion_lsp.abilities import abilities_of
from companion_lsp.convert import path_of
from companion_lsp.server import CompanionServer, root_of
from companion_lsp.settings import SECTION, in_force, with_given

LOAD_AFTER_S = 0.005
"""So long after the greeting its answer is on its way, and the client is busy with it."""
PARENT_LOOKED_AT_S = 3.0
"""Time between two looks whether the editor still lives; normally the end of its stream tells it at once."""
_SYNCHRONIZE, _STILL_RUNNING = 0x00100000, 0x00000102
"""Windows: the right to wait for a process, and the answer of a wait that ran out."""


def register(server: CompanionServer) -> None:
    """Answers initialize, initialized, changes of settings and folders, shutdown."""

    @server.feature(types.INITIALIZE)
    def initialize(ls: CompanionServer, params: types.InitializeParams) -> None:
        ls.abilities = abilities_of(params)
        ls.complaints = take_settings(ls, params.initialization_options)
        if params.process_id is not None:
            end_with(params.process_id)
        asyncio.get_running_loop().call_later(LOAD_AFTER_S, load)

    @server.feature(types.INITIALIZED)
    async def initialized(ls: CompanionServer, _: types.InitializedParams) -> None:
        ls.begin()
        for complaint in ls.complaints:
            ls.say(complaint, types.MessageType.Warning)
        if ls.abilities.takes_registrations:
            changes = types.Registration(
                "companion-settings",
                types.WORKSPACE_DID_CHANGE_CONFIGURATION,
                types.DidChangeConfigurationRegistrationOptions(section=SECTION),
            )
            with suppress(JsonRpcException):  # a client that says it can and then does not is told of changes anyway
                await ls.client_register_capability_async(types.RegistrationParams([changes]))
        if ls.abilities.gives_configuration:
            await fetch_settings(ls)

    @server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)
    async def configured(ls: CompanionServer, params: types.DidChangeConfigurationParams) -> None:
        before = ls.settings
        if params.settings is None and ls.abilities.gives_configuration:
            await fetch_settings(ls)
        else:
            for complaint in take_settings(ls, params.settings):
                ls.say(complaint, types.MessageType.Warning)
        if ls.settings != before:  # some clients tell them once more as soon as they may
            ls.changed()

    @server.feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    def folders(ls: CompanionServer, params: types.DidChangeWorkspaceFoldersParams) -> None:
        for gone in params.event.removed:
            path = path_of(gone.uri)
            root = root_of(path / "any") if path is not None else None
            if root is not None and not any(place.root == root for place in ls.open_places(text=False)):
                threading.Thread(target=ls.companions.leave, args=(root,), daemon=True).start()

    @server.feature(types.SHUTDOWN)
    def shutdown(ls: CompanionServer, _: object) -> None:
        ls.say("Companion ends with the editor.", types.MessageType.Log)


def load() -> None:
    """Have what the first question needs loaded while the editor has not asked it yet."""

    def work() -> None:
        import companion.client.remote
        import companion.wire  # noqa: F401 - only to be there

    threading.Thread(target=work, name="loading", daemon=True).start()


def take_settings(server: CompanionServer, given: object) -> tuple[str, ...]:
    """Use what the editor sent; a sentence for each thing that could not be used."""
    server.wanted, complaints = with_given(server.wanted, given)
    server.settings = in_force(server.wanted)
    return complaints


async def fetch_settings(server: CompanionServer) -> None:
    """Ask the client for our section. What is not set there goes back to its default or initial option."""
    asked = types.ConfigurationParams([types.ConfigurationItem(section=SECTION)])
    given: object = None
    with suppress(JsonRpcException):
        given = await server.workspace_configuration_async(asked)
    if isinstance(given, (list, tuple)) and given and given[0]:
        for complaint in take_settings(server, {SECTION: given[0]}):
            server.say(complaint, types.MessageType.Warning)


def end_with(pid: int) -> None:
    """End this process when another one has: a client that is killed may leave its pipe open to a child."""
    if not is_alive(pid):
        return  # it lives where we cannot see it: in another container or on another machine

    def watch() -> None:
        while is_alive(pid):
            threading.Event().wait(PARENT_LOOKED_AT_S)
        os._exit(1)

    threading.Thread(target=watch, name="parent", daemon=True).start()


def is_alive(pid: int) -> bool:
    """Whether a process is there."""
    if sys.platform == "win32":
        import ctypes

        kernel = ctypes.windll.kernel32
        handle = kernel.OpenProcess(_SYNCHRONIZE, False, pid)
        if not handle:
            return False
        try:
            return bool(kernel.WaitForSingleObject(handle, 0) == _STILL_RUNNING)
        finally:
            kernel.CloseHandle(handle)
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
