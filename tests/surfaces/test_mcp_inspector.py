"""The MCP Inspector, which speaks both versions of the protocol and knows what some client could not read."""

from __future__ import annotations

import json
import os
import shutil
import subprocess

import pytest
from client.houses import PROGRAM, House
from waiting import DEADLINE_S

INSPECTOR = shutil.which("mcp-inspector")


@pytest.fixture
def inspect(house: House):
    """What the Inspector gets of a request; it must end well."""
    if INSPECTOR is None:
        pytest.skip("the MCP Inspector is not on the PATH (npm: @modelcontextprotocol/inspector, node 22.19 or later)")

    def run(*arguments: str) -> tuple[dict, str]:
        command = [INSPECTOR, "--cli", *PROGRAM, "mcp", "-e", f"COMPANION_HOME={house.home}", *arguments]
        done = subprocess.run(
            command,
            cwd=house.root,
            env={**os.environ, "HOME": str(house.home)},
            capture_output=True,
            text=True,
            check=False,
            timeout=DEADLINE_S,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return json.loads(done.stdout), done.stderr

    return run


@pytest.mark.parametrize("era", ["modern", "legacy"])
def test_the_inspector_finds_nothing_that_some_client_could_not_read(inspect, era):
    listed, said = inspect("--method", "tools/list", "--strict", "--protocol-era", era)
    assert len(listed["tools"]) == 10
    assert "portab" not in said.lower()


def test_the_inspector_calls_a_tool_reads_a_resource_and_gets_a_prompt(inspect):
    called, _ = inspect("--method", "tools/call", "--tool-name", "search_memory", "--tool-arg", "query=prices")
    assert called["structuredContent"].keys() >= {"memories", "turns"}
    read, _ = inspect("--method", "resources/read", "--uri", "companion://conversations", "--protocol-era", "modern")
    assert "conversations" in read["contents"][0]["text"]
    prompts, _ = inspect("--method", "prompts/list")
    assert "start_work" in {one["name"] for one in prompts["prompts"]}
