"""What each editor needs, where it keeps it, and what to do afterwards. One line in EDITORS a new editor."""

from __future__ import annotations

import json
import os
import sys
import tomllib
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path

from companion.config import data_home
from companion.surfaces.connecting.file_edits import ConfigBlock, ConfigEntry, WholeFile
from companion.surfaces.connecting.targets import (
    ZED_SIGNS,
    Setup,
    SetupTarget,
    Target,
    settings_folder,
    shell_word,
    zed_settings,
)

COMMAND = '"@COMMAND@"'
"""Stands in the set-up files for the path of the program, quoted; all four formats quote as JSON does."""

HELIX_SERVERS: Mapping[str, tuple[str, ...]] = {
    "bash": ("bash-language-server",),
    "c": ("clangd",),
    "c-sharp": ("roslyn-language-server", "omnisharp", "csharp-ls"),
    "cpp": ("clangd",),
    "dart": ("dart",),
    "elixir": ("elixir-ls", "expert"),
    "go": ("gopls", "golangci-lint-lsp"),
    "haskell": ("haskell-language-server",),
    "hcl": ("terraform-ls",),
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

SUBLIME_SIGNS = ("subl", "~/.config/sublime-text", "/Applications/Sublime Text.app", "$APPDATA/Sublime Text")


def _text(*parts: str, command: str) -> str:
    kept = files("companion_lsp") / "editors"
    return kept.joinpath(*parts).read_text("utf-8").replace(COMMAND, json.dumps(command))


def _neovim(place: SetupTarget) -> Setup:
    target = settings_folder("nvim", windows="LOCALAPPDATA") / "plugin" / "companion.lua"
    return Setup(
        (WholeFile(target, _text("neovim", "companion.lua", command=place.command)),),
        "Start Neovim 0.11 or later on a file of a repository: `K` shows why it is as it is, "
        "`:checkhealth vim.lsp` whether Companion is attached.",
    )


def _emacs(place: SetupTarget) -> Setup:
    modern, old = settings_folder("emacs"), Path.home() / ".emacs.d"
    folder = modern if modern.is_dir() and not old.is_dir() else old
    init = Path.home() / ".emacs" if (Path.home() / ".emacs").exists() else folder / "init.el"
    load = f"(load {json.dumps((folder / 'companion').as_posix())} t)"
    return Setup(
        (
            WholeFile(folder / "companion.el", _text("emacs", "companion.el", command=place.command)),
            ConfigBlock(init, load, ";;"),
        ),
        "Restart Emacs, open a file of a repository and type `M-x companion`; with lsp-mode it joins by itself.",
    )


def _helix(place: SetupTarget) -> Setup:
    target = settings_folder("helix") / "languages.toml"
    taken = _helix_languages(target)
    lines = [_text("helix", "languages.toml", command=place.command).rstrip()]
    by_hand: list[str] = []
    for language, servers in HELIX_SERVERS.items():
        if language in taken:
            by_hand.append(language)
        else:
            listed = ", ".join(f'"{server}"' for server in (*servers, "companion"))
            lines.append(f'\n[[language]]\nname = "{language}"\nlanguage-servers = [{listed}]')
    left = f'Add "companion" to `language-servers` of: {", ".join(by_hand)}, in {target}.' if by_hand else ""
    return Setup(
        (ConfigBlock(target, "\n".join(lines) + "\n", "#"),),
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


def _zed(place: SetupTarget) -> Setup:
    folder = data_home() / "editors" / "zed"
    mark = {".toml": "#", ".rs": "//"}
    parts = (("extension.toml",), ("Cargo.toml",), ("src", "lib.rs"))
    pieces = tuple(
        WholeFile(
            folder.joinpath(*part),
            f"{mark[Path(part[-1]).suffix]} Written by `companion connect zed`.\n"
            + _text("zed", *part, command=place.command),
        )
        for part in parts
    )
    binary = {"path": place.command, "arguments": ["lsp", "--stdio"]}
    return Setup(
        (*pieces, ConfigEntry(zed_settings(), ("lsp", "companion", "binary"), binary)),
        f"In Zed run `zed: install dev extension` and choose {folder}; Zed builds it, which needs Rust by rustup.",
    )


def _sublime(place: SetupTarget) -> Setup:
    folder = (
        Path.home() / "Library" / "Application Support" / "Sublime Text"
        if sys.platform == "darwin"
        else settings_folder("Sublime Text" if os.name == "nt" else "sublime-text")
    )
    target = folder / "Packages" / "User" / "LSP.sublime-settings"
    text = "// Written by `companion connect sublime`.\n" + _text(
        "sublime", "LSP.sublime-settings", command=place.command
    )
    then = "Install the package `LSP` by Package Control, then open a file of a repository."
    if target.exists() and "companion connect" not in target.read_text("utf-8", "replace"):
        client = json.dumps(json.loads(text.split("\n", 1)[1])["clients"]["companion"])
        return Setup((), then, f'Add under "clients" in {target}: "companion": {client}')
    return Setup((WholeFile(target, text),), then)


def _other(place: SetupTarget) -> Setup:
    return Setup(
        (),
        "Hover, code lens, diagnostics, code actions and commands come with the protocol; nothing else is needed.",
        f"Tell your editor to run `{shell_word(place.command)} lsp --stdio` as a language server for any file of a git "
        f"repository (or `{shell_word(place.command)} lsp --tcp 127.0.0.1:PORT`), with the repository as its root.",
    )


EDITORS: tuple[Target, ...] = (
    Target("neovim", "Neovim 0.11 and later", "editor", _neovim, signs=("nvim",)),
    Target("emacs", "Emacs with eglot or lsp-mode", "editor", _emacs, signs=("emacs", "/Applications/Emacs.app")),
    Target("helix", "Helix", "editor", _helix, signs=("hx", "helix")),
    Target("zed", "Zed", "editor", _zed, signs=ZED_SIGNS),
    Target("sublime", "Sublime Text with LSP", "editor", _sublime, signs=SUBLIME_SIGNS),
    Target("other", "Any other editor that speaks the Language Server Protocol", "editor", _other),
)
