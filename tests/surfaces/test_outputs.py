"""Where answers go: an output that is full or closed is told in words and harms nothing that is kept."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from companion.surfaces.cli import __main__ as door
from surfaces.shells import LINUX, Shell

PROGRAM = (sys.executable, "-m", door.__name__)


def ran(shell: Shell, line: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A command of the program, `"$@"` in a line for the system's shell."""
    environment = {
        **os.environ,
        "COMPANION_HOME": str(shell.home),
        "COMPANION_DAEMON": "never",
        "COMPANION_EMBEDDINGS": "off",
    }
    return subprocess.run(
        ["/bin/sh", "-c", line, "sh", *PROGRAM, *arguments],
        cwd=shell.folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.skipif(not LINUX, reason="a device that is always full")
@pytest.mark.parametrize("asked", [("--version",), ("stats", "--json")], ids=lambda asked: asked[0])
def test_an_answer_that_there_is_no_room_for_is_said_on_the_other_output(shop: Shell, asked: tuple[str, ...]) -> None:
    said = ran(shop, '"$@" >/dev/full', *asked)
    assert said.returncode == 2
    assert "could not be written: No space left on device" in said.stderr
    assert "Next:" in said.stderr
    assert "Traceback" not in said.stderr


@pytest.mark.skipif(os.name != "posix", reason="outputs are closed otherwise elsewhere")
def test_with_every_stream_closed_a_command_does_its_work_and_writes_into_no_file_of_the_store(shop: Shell) -> None:
    assert ran(shop, '"$@" <&- >&- 2>&-', "remember", "Outputs may be closed").returncode == 0
    assert "Outputs may be closed" in shop("search", "outputs closed").out


@pytest.mark.skipif(os.name != "posix", reason="outputs are closed otherwise elsewhere")
def test_streams_that_were_closed_are_there_when_files_are_opened(tmp_path: Path) -> None:
    program = f"""
from {door.__name__} import _have_streams
_have_streams()
print("lost")
raise SystemExit(open({str(tmp_path / "file")!r}, "w").fileno() < 3)
"""
    closed = ["/bin/sh", "-c", '"$@" <&- >&- 2>&-', "sh", sys.executable, "-c", program]
    assert subprocess.run(closed, check=False).returncode == 0
