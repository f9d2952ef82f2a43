"""Adding one of each thing touches the files that ARCHITECTURE.md says, and no other; and what is added works.

All is added to one copy of the product, which programs of their own then use.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from house.additions import EVERY, allowed, copied, installed
from repos import Repo
from surfaces.assistants import called, over_stdio, says

FILES_MOST = 4
"""Files that an addition may need; a pass and a change of its own are two additions."""
PROGRAM = (sys.executable, "-P", "-m", "companion.surfaces.cli")


@pytest.mark.parametrize("name", EVERY)
def test_what_is_added_touches_the_files_that_architecture_says_and_no_other(name: str):
    added = EVERY[name]
    places = set.union(*map(allowed, added.rows))
    beside = {path for path in added.touched if not any(path == one or path.startswith(one) for one in places)}
    assert not beside
    assert len(added.touched) <= FILES_MOST


@dataclass(frozen=True)
class Grown:
    """A copy of the product with one more of each, and a repository that it has read."""

    root: Path
    copy: Path
    home: Path

    @property
    def environment(self) -> dict[str, str]:
        parts = ("", "schema", "consolidation", "lsp")
        own = {
            "PYTHONPATH": os.pathsep.join(str(self.copy / part) for part in parts),
            "COMPANION_HOME": str(self.home),
            "COMPANION_EMBEDDINGS": "off",
        }
        return {**os.environ, **own}

    def bytes(self, said: bytes, *arguments: str) -> bytes:
        """What a program of the copy answers to what is said to it."""
        command = [*PROGRAM, *arguments]
        done = subprocess.run(
            command, cwd=self.root, env=self.environment, input=said, capture_output=True, check=False
        )
        assert done.returncode == 0, (arguments, done.stdout, done.stderr)
        return done.stdout

    def __call__(self, *arguments: str) -> str:
        return self.bytes(b"", *arguments).decode()

    def json(self, *arguments: str) -> Any:
        return json.loads(self(*arguments, "--json"))


@pytest.fixture(scope="module")
def grown(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Grown]:
    folder = tmp_path_factory.mktemp("grown")
    (folder / "shop").mkdir()
    repo = Repo(folder / "shop")
    repo.git("init", "-q")
    repo.write("MOTTO", "We measure twice.\n")
    repo.write("blink.ino", EVERY["language"].files["tests/syntax/samples/blink.ino"])
    repo.commit("Begin")
    copy = copied(folder / "copy")
    for added in EVERY.values():
        added.make(copy)
    found = Grown(repo.root, installed(copy), folder / "home")
    found("start")
    try:
        found("init")
        yield found
    finally:
        found("stop")


def test_an_added_language_is_parsed(grown: Grown):
    told = grown("expand", "file:blink.ino")
    assert "setup" in told and "loop" in told


def test_an_added_extractor_learns(grown: Grown):
    assert motto(grown)["value"] == "We measure twice."


def test_an_added_pass_makes_the_added_change_which_is_told_and_can_be_undone(grown: Grown):
    run = grown.json("consolidate")["run"]
    assert motto(grown)["importance"] == 3
    told = grown("reports", run)
    assert "## Highlighted (1)\n\nThey come first." in told
    assert "was lit up. Why: A motto is for everybody." in told
    grown("undo", run)
    assert motto(grown)["importance"] < 3


def motto(grown: Grown) -> Any:
    """The memory that the added extractor taught."""
    return grown.json("search", "motto measure twice")["hits"][0]["memory"]["draft"]


def test_an_added_verb_is_on_the_command_line_in_the_api_and_a_tool(grown: Grown, monkeypatch: pytest.MonkeyPatch):
    assert grown.json("status")["pid"], "there is a daemon, which is asked over HTTP"
    assert grown("call", "sayings", "word=twice") == "1\n"
    for name, value in grown.environment.items():
        monkeypatch.setenv(name, value)
    assert says(over_stdio(called("sayings", word="twice"), grown.root)) == "1 have it."


def test_an_added_judge_is_asked(grown: Grown):
    grown("remember", "Ann likes tea in the morning")
    grown("remember", "Ann likes coffee in the morning")
    assert "nobody likes both" in grown("reports", grown.json("consolidate")["run"])


def test_an_added_editor_feature_answers(grown: Grown):
    about = {"processId": None, "rootUri": grown.root.as_uri(), "capabilities": {}}
    said = [request("initialize", about, 1), request("initialized", {}), request("companion/motto", {}, 2)]
    said += [request("shutdown", None, 3), request("exit", None)]
    assert b'{"motto": "Add in one place."}' in grown.bytes(b"".join(said), "lsp", "--stdio")


def request(method: str, about: object, number: int | None = None) -> bytes:
    """A message as an editor sends it; without a number nothing is asked."""
    message = {"jsonrpc": "2.0", "method": method, "params": about} | ({"id": number} if number else {})
    body = json.dumps(message).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)
