"""What each assistant needs, where it keeps it, and what to do afterwards. One row in ASSISTANTS a new assistant.

Places and formats are those that their documentation gives in autumn 2026.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from msgspec import Struct

from companion.client.companions import work_tree
from companion.surfaces.connecting.file_edits import ConfigBlock, ConfigEntry
from companion.surfaces.connecting.targets import (
    ZED_SIGNS,
    Setup,
    SetupTarget,
    Target,
    settings_folder,
    shell_word,
    zed_settings,
)

NAME = "companion"
"""What assistants call the server."""
HOOK = "hook"
STARTS, ENDS = "session-start", "session-end"
"""What an assistant runs when a session begins and ends; the words mark the entries that are ours."""
HOOK_TIMEOUT_S = 5
"""The hook gives up by itself much earlier; an assistant that waits longer has a computer that stands still."""
OWN = "{path} contains a path of this machine: keep it out of commits, or use --global."
OPEN_FOLDER = "${workspaceFolder}"
"""Editors put the folder that is open in its place."""

Server = Callable[[str, tuple[str, ...]], Mapping[str, object]]
"""How an assistant writes down a program and its arguments."""


class Home(Struct, frozen=True):
    """Where an assistant keeps its servers: below a repository, if it can, and for the user; under which names.

    One `in_shells` is started there and sees their PATH; what is started from a menu does not.
    """

    user: Callable[[], Path]
    keys: tuple[str, ...]
    project: str = ""
    server: Server = lambda command, arguments: {"command": command, "args": list(arguments)}
    arguments: tuple[str, ...] = ("mcp",)
    hooks: Hooks | None = None
    in_shells: bool = False


class Hooks(Struct, frozen=True):
    """Where an assistant keeps what it runs when a session begins and ends, and how it writes that down.

    `events` are its own names of the two moments. `by_name` says that the file of a repository goes to others too,
    and that who reads it sees the PATH of shells. `begun` is what a file of its own has to begin with.
    """

    user: Callable[[], Path]
    project: str
    events: tuple[str, str]
    written: Callable[[str], Mapping[str, object]]
    by_name: bool = True
    begun: str = ""

    def entries(self, place: SetupTarget) -> tuple[ConfigEntry, ...]:
        """The entries for a place."""
        path = self.user() if place.project is None else place.project / self.project
        program = shell_word(command_for(place) if self.by_name else place.command)
        return tuple(
            ConfigEntry(path, ("hooks", name), self.written(f"{program} {HOOK} {event}"), f"{HOOK} {event}", self.begun)
            for name, event in zip(self.events, (STARTS, ENDS), strict=True)
        )


def _in_a_group(timeout: int) -> Callable[[str], Mapping[str, object]]:
    """A hook as Claude Code writes it, and those who took that over."""
    return lambda command: {"hooks": [{"type": "command", "command": command, "timeout": timeout}]}


def _stdio(command: str, arguments: tuple[str, ...]) -> Mapping[str, object]:
    return {"type": "stdio", "command": command, "args": list(arguments)}


def _all_tools(command: str, arguments: tuple[str, ...]) -> Mapping[str, object]:
    return {**_stdio(command, arguments), "tools": ["*"]}


def _at_home(*parts: str, variable: str = "") -> Callable[[], Path]:
    """A place in the user's own folder, or in the one that a variable names; there its last part alone."""
    return lambda: (
        Path(os.environ[variable], parts[-1]) if variable and os.environ.get(variable) else Path.home().joinpath(*parts)
    )


def _vscode_user() -> Path:
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "Code" / "User" / "mcp.json"
    return settings_folder("Code", "User", "mcp.json")


def command_for(place: SetupTarget) -> str:
    """The program as it is written: by name in a repository that others have too, if the PATH knows it, else whole."""
    if place.project is None:
        return place.command
    found = shutil.which(NAME)
    return NAME if found and Path(found).resolve() == Path(place.command).resolve() else place.command


def _in_json(then: str, home: Home, place: SetupTarget) -> Setup:
    path = home.user() if place.project is None else place.project / home.project
    command = command_for(place) if home.in_shells else place.command
    entry = ConfigEntry(path, (*home.keys, NAME), home.server(command, home.arguments))
    own = "" if place.project is None or command == NAME else OWN.format(path=home.project)
    return Setup((entry, *(home.hooks.entries(place) if home.hooks else ())), then, own)


def _windsurf(place: SetupTarget) -> Setup:
    root = work_tree(Path.cwd())
    home = Home(
        _at_home(".codeium", "windsurf", "mcp_config.json"),
        ("mcpServers",),
        arguments=("mcp",) if root is None else ("mcp", "--repo", str(root)),
    )
    where = "" if root is None else f" It has one list for all repositories; this entry is for {root}."
    return _in_json(f"Refresh the servers in Windsurf's Cascade.{where}", home, place)


def _codex(place: SetupTarget) -> Setup:
    path = CODEX_SETTINGS() if place.project is None else place.project / ".codex" / "config.toml"
    text = f'[mcp_servers.{NAME}]\ncommand = {json.dumps(command_for(place))}\nargs = ["mcp"]\n'
    only = "" if place.project is None else " Codex reads a repository's settings once you trust it."
    then = f"Start Codex; `/mcp` lists the server, `/hooks` lets its hooks run.{only}"
    return Setup((ConfigBlock(path, text, "#"), *CODEX_HOOKS.entries(place)), then)


def _row(name: str, title: str, then: str, home: Home, *signs: str) -> Target:
    return Target(name, title, "assistant", partial(_in_json, then, home), bool(home.project), signs)


_SERVERS = ("mcpServers",)

CODEX_SETTINGS = _at_home(".codex", "config.toml", variable="CODEX_HOME")
CODEX_HOOKS = Hooks(
    _at_home(".codex", "hooks.json", variable="CODEX_HOME"),
    ".codex/hooks.json",
    ("SessionStart", "Stop"),  # it tells of the end of each turn, not of a session's; what was read is not read again
    _in_a_group(HOOK_TIMEOUT_S),
)

ASSISTANTS: tuple[Target, ...] = (
    _row(
        "claude-code",
        "Claude Code",
        "Start Claude Code in the repository and approve the server; `/mcp` shows it.",
        Home(
            _at_home(".claude.json", variable="CLAUDE_CONFIG_DIR"),
            _SERVERS,
            ".mcp.json",
            _stdio,
            hooks=Hooks(
                _at_home(".claude", "settings.json", variable="CLAUDE_CONFIG_DIR"),
                ".claude/settings.local.json",
                ("SessionStart", "SessionEnd"),
                _in_a_group(HOOK_TIMEOUT_S),
                by_name=False,
            ),
            in_shells=True,
        ),
        "claude",
        "~/.claude",
    ),
    _row(
        "cursor",
        "Cursor",
        "In Cursor's settings, under MCP, switch the server on.",
        Home(
            _at_home(".cursor", "mcp.json"),
            _SERVERS,
            ".cursor/mcp.json",
            arguments=("mcp", "--repo", OPEN_FOLDER),
            hooks=Hooks(
                _at_home(".cursor", "hooks.json"),
                ".cursor/hooks.json",
                ("sessionStart", "sessionEnd"),
                lambda command: {"command": command},
                by_name=False,
                begun='{\n  "version": 1\n}\n',
            ),
        ),
        "cursor",
        "~/.cursor",
        "/Applications/Cursor.app",
    ),
    _row(
        "vscode",
        "Visual Studio Code",
        "Run `MCP: List Servers` in VS Code and start it.",
        Home(_vscode_user, ("servers",), ".vscode/mcp.json", _stdio, ("mcp", "--repo", OPEN_FOLDER)),
        "code",
        "~/.config/Code",
        "/Applications/Visual Studio Code.app",
        "$APPDATA/Code",
    ),
    Target("windsurf", "Windsurf", "assistant", _windsurf, signs=("windsurf", "~/.codeium/windsurf")),
    _row(
        "zed",
        "Zed's agent",
        "Zed's agent settings list the server.",
        Home(zed_settings, ("context_servers",)),
        *ZED_SIGNS,
    ),
    Target("codex", "Codex", "assistant", _codex, for_projects=True, signs=("codex", "~/.codex")),
    _row(
        "gemini",
        "Gemini CLI",
        "Start Gemini CLI in the repository; `/mcp` lists the server.",
        Home(
            _at_home(".gemini", "settings.json"),
            _SERVERS,
            ".gemini/settings.json",
            hooks=Hooks(
                _at_home(".gemini", "settings.json"),
                ".gemini/settings.json",
                ("SessionStart", "SessionEnd"),
                _in_a_group(1_000 * HOOK_TIMEOUT_S),
            ),
            in_shells=True,
        ),
        "gemini",
        "~/.gemini",
    ),
    _row(
        "copilot",
        "GitHub Copilot CLI",
        "Start Copilot CLI in the repository; `/mcp show` lists the server.",
        Home(
            _at_home(".copilot", "mcp-config.json", variable="COPILOT_HOME"),
            _SERVERS,
            ".github/mcp.json",
            _all_tools,
            in_shells=True,
        ),
        "copilot",
        "~/.copilot",
    ),
)
