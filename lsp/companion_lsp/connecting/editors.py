"""What each editor needs, where it keeps it, and what to do afterwards. One line in EDITORS a new editor."""

from __future__ import annotations

import json
import os
import sys
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path

from companion.config import data_home
from companion_lsp.connecting.writing import Piece

COMMAND = '"@COMMAND@"'
"""Stands in the set-up files for the path of the program, quoted; all four formats quote as JSON does."""

HELIX_SERVERS: Mapping[str, tuple[str, ...]] = {
    "bash": ("bash-language-server",),
    "c": ("clangd",),
    "c-sharp": ("roslyn-language-server", "omnisharp", "csharp-ls"),
    "cpp": ("clangd",),
    "go": ("gopls", "golangci-lint-lsp"),
    "java": ("jdtls",),
    "javascript": ("typescript-language-server",),
    "jsx": ("typescript-language-server",),
    "kotlin": ("kotlin-language-server",),
    "lua": ("lua-language-server",),
    "markdown": ("marksman", "markdown-oxide", "rumdl"),
    "php": ("intelephense",),
    "python": ("ty", "ruff", "jedi", "pylsp", "zuban"),
    "ruby": ("ruby-lsp", "solargraph"),
    "rust": ("rust-analyzer",),
    "scala": ("metals",),
    "swift": ("sourcekit-lsp",),
    "tsx": ("typescript-language-server",),
    "typescript": ("typescript-language-server",),
}
"""Servers that Helix itself names for a language (its languages.toml of autumn 2026): a list of ours replaces
its own, so they must stand in it."""


@dataclass(frozen=True, slots=True)
class Setup:
    """The pieces that connect an editor, what to do then, and what a person has to do by hand."""

    pieces: tuple[Piece, ...]
    then: str
    by_hand: str = ""


@dataclass(frozen=True, slots=True)
class Editor:
    """An editor by the name that is typed, and how its set-up is made for the program at a path."""

    name: str
    title: str
    setup: Callable[[str], Setup] = field(repr=False)


def program() -> str:
    """The path of the `companion` that runs: an editor started from a menu knows no PATH of a shell."""
    beside = Path(sys.executable).with_name("companion.exe" if os.name == "nt" else "companion")
    return str(beside) if beside.exists() else "companion"


def _text(*parts: str, command: str) -> str:
    kept = files("companion_lsp") / "editors"
    return kept.joinpath(*parts).read_text("utf-8").replace(COMMAND, json.dumps(command))


def _config(*unix: str, windows: str = "APPDATA") -> Path:
    """A folder below where programs keep their settings."""
    if os.name == "nt":
        return Path(os.environ.get(windows, str(Path.home())), *unix)
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config", *unix)


def _neovim(command: str) -> Setup:
    target = _config("nvim", windows="LOCALAPPDATA") / "plugin" / "companion.lua"
    return Setup(
        (Piece(target, _text("neovim", "companion.lua", command=command)),),
        "Start Neovim 0.11 or later on a file of a repository: `K` shows why it is as it is, "
        "`:checkhealth vim.lsp` whether Companion is attached.",
    )


def _emacs(command: str) -> Setup:
    modern, old = _config("emacs"), Path.home() / ".emacs.d"
    folder = modern if modern.is_dir() and not old.is_dir() else old
    init = Path.home() / ".emacs" if (Path.home() / ".emacs").exists() else folder / "init.el"
    load = f"(load {json.dumps((folder / 'companion').as_posix())} t)"
    return Setup(
        (Piece(folder / "companion.el", _text("emacs", "companion.el", command=command)), Piece(init, load, ";;")),
        "Restart Emacs, open a file of a repository and type `M-x companion`; with lsp-mode it joins by itself.",
    )


def _helix(command: str) -> Setup:
    target = _config("helix") / "languages.toml"
    taken = _helix_languages(target)
    lines = [_text("helix", "languages.toml", command=command).rstrip()]
    by_hand: list[str] = []
    for language, servers in HELIX_SERVERS.items():
        if language in taken:
            by_hand.append(language)
        else:
            listed = ", ".join(f'"{server}"' for server in (*servers, "companion"))
            lines.append(f'\n[[language]]\nname = "{language}"\nlanguage-servers = [{listed}]')
    left = f'Add "companion" to `language-servers` of: {", ".join(by_hand)}, in {target}.' if by_hand else ""
    return Setup(
        (Piece(target, "\n".join(lines) + "\n", "#"),),
        "Start Helix on a file of a repository; `hx --health python` lists Companion among the servers.",
        left,
    )


def _helix_languages(target: Path) -> frozenset[str]:
    """Languages the user has settings for outside our block; the same again would be an error there."""
    try:
        text = target.read_text("utf-8").split("# >>>")[0]
        known = tomllib.loads(text).get("language", [])
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError):
        return frozenset()
    return frozenset(str(one.get("name")) for one in known if isinstance(one, dict))


def _zed(command: str) -> Setup:
    folder = data_home() / "editors" / "zed"
    mark = {".toml": "#", ".rs": "//"}
    parts = (("extension.toml",), ("Cargo.toml",), ("src", "lib.rs"))
    pieces = tuple(
        Piece(
            folder.joinpath(*part),
            f"{mark[Path(part[-1]).suffix]} Written by `companion connect zed`.\n"
            + _text("zed", *part, command=command),
        )
        for part in parts
    )
    settings = json.dumps({"lsp": {"companion": {"binary": {"path": command, "arguments": ["lsp", "--stdio"]}}}})
    return Setup(
        pieces,
        f"In Zed run `zed: install dev extension` and choose {folder}; Zed builds it, which needs Rust by rustup.",
        f"If `companion` is not on the PATH, add to Zed's settings: {settings}",
    )


def _sublime(command: str) -> Setup:
    folder = (
        Path.home() / "Library" / "Application Support" / "Sublime Text"
        if sys.platform == "darwin"
        else _config("Sublime Text" if os.name == "nt" else "sublime-text")
    )
    target = folder / "Packages" / "User" / "LSP.sublime-settings"
    text = "// Written by `companion connect sublime`.\n" + _text("sublime", "LSP.sublime-settings", command=command)
    then = "Install the package `LSP` by Package Control, then open a file of a repository."
    if target.exists() and "companion connect" not in target.read_text("utf-8", "replace"):
        client = json.dumps(json.loads(text.split("\n", 1)[1])["clients"]["companion"])
        return Setup((), then, f'Add under "clients" in {target}: "companion": {client}')
    return Setup((Piece(target, text),), then)


def _other(command: str) -> Setup:
    return Setup(
        (),
        "Hover, code lens, diagnostics, code actions and commands come with the protocol; nothing else is needed.",
        f"Tell your editor to run `{command} lsp --stdio` as a language server for any file of a git repository "
        f"(or `{command} lsp --tcp 127.0.0.1:PORT`), with the repository as its root.",
    )


EDITORS: tuple[Editor, ...] = (
    Editor("neovim", "Neovim 0.11 and later", _neovim),
    Editor("emacs", "Emacs with eglot or lsp-mode", _emacs),
    Editor("helix", "Helix", _helix),
    Editor("zed", "Zed", _zed),
    Editor("sublime", "Sublime Text with LSP", _sublime),
    Editor("other", "Any other editor that speaks the Language Server Protocol", _other),
)
