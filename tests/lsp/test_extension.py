"""The extension for VS Code and the language server name the same things, and nothing twice."""

from __future__ import annotations

import json
import re
from dataclasses import fields
from pathlib import Path

import pytest
from companion_lsp.features.commands import COMMANDS
from companion_lsp.settings import EditorSettings

EXTENSION = Path(__file__).parents[2] / "lsp" / "vscode"
OWN_DEFAULTS = {"unreadRepositories": "never"}
"""Where the extension differs from what the server does for editors without views: its own view offers the reading."""
pytestmark = pytest.mark.skipif(not EXTENSION.is_dir(), reason="the extension's sources are not here")


@pytest.fixture(scope="module")
def manifest():
    return json.loads((EXTENSION / "package.json").read_text("utf-8"))


@pytest.fixture(scope="module")
def sources():
    return {file: file.read_text("utf-8") for file in (EXTENSION / "src").rglob("*.ts")}


def test_every_setting_of_the_server_can_be_set_in_the_editor_with_the_same_default_and_choices(manifest):
    known = {name: one for part in manifest["contributes"]["configuration"] for name, one in part["properties"].items()}
    for setting in fields(EditorSettings):
        shown = known[f"companion.{setting.metadata['name']}"]
        assert shown["default"] == OWN_DEFAULTS.get(setting.metadata["name"], setting.default)
        assert tuple(sorted(shown.get("enum", ()))) == tuple(sorted(setting.metadata["choices"]))
    assert all(0 < len(one["markdownDescription"]) < 400 for one in known.values())
    assert all({"default", "scope", "order"} <= set(one) for one in known.values())


def test_no_command_of_the_extension_has_the_name_of_one_of_the_server(manifest, sources):
    ids = {one["command"] for one in manifest["contributes"]["commands"]}
    assert not ids & set(COMMANDS), "the language client registers those itself, and a second one is an error"
    written = set(re.findall(r'registerCommand\(\s*"([^"]+)"', "".join(sources.values())))
    assert not written & set(COMMANDS)
    assert written <= ids, "a command that is registered is contributed too"


def test_whatever_a_menu_view_or_button_names_is_there(manifest):
    given = manifest["contributes"]
    ids = {one["command"] for one in given["commands"]}
    views = {one["id"] for one in given["views"]["companion"]}
    rows = [row for menu in given["menus"].values() for row in menu]
    assert {row["command"] for row in rows if "command" in row} <= ids
    assert {one["view"] for one in given["viewsWelcome"]} <= views
    assert len(views) <= 2
    told = json.dumps([given["viewsWelcome"], given["walkthroughs"]])
    assert {name for name in re.findall(r"command:(companion\.[\w.]+)", told)} <= ids
    media = [step["media"]["svg"] for walk in given["walkthroughs"] for step in walk["steps"]]
    assert 3 <= len(media) <= 5
    for file in [*media, manifest["icon"], given["viewsContainers"]["activitybar"][0]["icon"]]:
        assert (EXTENSION / file).is_file()


def test_what_menus_and_views_wait_for_is_set_somewhere(manifest, sources):
    whens = " ".join(re.findall(r'"when": "((?:[^"\\]|\\.)*)"', json.dumps(manifest)))
    views = {one["id"] for one in manifest["contributes"]["views"]["companion"]}
    keys = set(re.findall(r"(?<!\w)companion\.[a-z]+\b", whens)) - views
    assert keys
    assert keys <= set(re.findall(r'"setContext",\s*"([^"]+)"', "".join(sources.values())))


def test_commands_stand_under_one_category_with_titles_and_no_keys_of_ours(manifest):
    for one in manifest["contributes"]["commands"]:
        assert one["category"] == "Companion"
        assert one["title"][0].isupper()
        assert "Companion:" not in one["title"]
    assert "keybindings" not in manifest["contributes"]


def test_what_runs_a_program_is_restricted_and_nothing_is_told_of_anybody(manifest, sources):
    trust = manifest["capabilities"]["untrustedWorkspaces"]
    assert trust["supported"] == "limited"
    assert "companion.interpreter" in trust["restrictedConfigurations"]
    assert manifest["capabilities"]["virtualWorkspaces"]["supported"] is False
    assert manifest["extensionKind"] == ["workspace"]
    assert manifest["activationEvents"] == ["onStartupFinished"]
    for file, text in sources.items():
        for word in ("createTelemetryLogger", "fetch(", "node:http", "node:net"):
            assert word not in text, file


def test_the_lock_file_names_no_registry(manifest):
    lock = json.loads((EXTENSION / "package-lock.json").read_text("utf-8"))
    assert lock["packages"][""]["devDependencies"] == manifest["devDependencies"]
    assert all("resolved" not in one for one in lock["packages"].values())
    assert all("integrity" in one for name, one in lock["packages"].items() if name)


def test_the_extension_has_the_programs_version_from_one_place(manifest):
    assert manifest["version"] == "0.0.0", "the build writes companion.__about__'s"
