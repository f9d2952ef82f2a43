"""A shell to type commands into: in this process where that is enough, in a process of its own where it matters."""

from __future__ import annotations

import contextlib
import io
import json
import os
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
import typer
from kept_open import keep_open, let_go

from companion.surfaces.cli.main import app
from companion.surfaces.cli.plain import ran

PROGRAM = (
    sys.executable,
    "-c",
    "import sys; sys.argv[0] = 'companion'; from companion.surfaces.cli.__main__ import main; main()",
)
"""The program as its start script runs it, whether or not that script is on the PATH."""

COMMANDS = typer.main.get_command(app)
"""Made once: it takes as long as many a command."""

SESSION = """
import sys
from companion.surfaces.cli.main import app
for command in eval(sys.argv[1]):
    try:
        app(list(command), prog_name="companion")
    except SystemExit as left:
        assert not left.code, command
"""
"""Several commands in one process, so that what is slow to load is loaded once."""

ELSEWHERE = {"--for-good", "--repair", "--yes", "start", "status", "page", "stop"}
"""Words of commands that put another file in the store's place, or that have another process open it."""

LINUX = sys.platform.startswith("linux")

BOUND = """
import ctypes, os, resource, sys
largest, *command = sys.argv[1:]
if os.geteuid() == 0:
    for capability in (1, 2):  # to override, and to search past, the modes of files
        if ctypes.CDLL(None).prctl(24, capability, 0, 0, 0) != 0:
            sys.exit(77)
if largest:
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(largest), int(largest)))
os.execv(command[0], command)
"""
"""Runs a command that file modes bind, root or not, and that can write no file beyond a size."""
NOT_BOUND = 77


@dataclass(frozen=True)
class Said:
    """What a command answered."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one document on standard output; nothing else may stand there."""
        return json.loads(self.out, parse_constant=_no_constant)

    @property
    def words(self) -> str:
        """Both outputs with all white space made one blank, for looking up what tables wrap."""
        return " ".join(f"{self.out} {self.err}".split())


@dataclass(frozen=True)
class Shell:
    """Runs commands with a data folder of their own, in `folder`; processes find its store closed."""

    home: Path
    folder: Path
    settings: Mapping[str, str] = field(default_factory=dict)

    def __call__(self, *arguments: str | Path) -> Said:
        """A command run in this process."""
        given = [*map(str, arguments), "-C", str(self.folder)]
        if arguments[0] == "init":
            given = [*map(str, arguments), *([] if _names_a_folder(arguments[1:]) else [str(self.folder)])]
        return self.plainly(*given)

    def plainly(self, *arguments: str, environment: Mapping[str, str] | None = None) -> Said:
        """A command run in this process with exactly these arguments."""
        out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", errors) for errors in ("strict", "backslashreplace"))
        before = dict(os.environ)
        opened_here = self.settings.get("daemon") != "always" and ELSEWHERE.isdisjoint(arguments)
        (keep_open if opened_here else let_go)(self.home)
        try:
            os.environ.update({**self._environment(), **(environment or {})})
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                if not ran(arguments):
                    COMMANDS.main(list(arguments), prog_name="companion")
                code = 0
        except SystemExit as left:
            code = int(left.code or 0)
        finally:
            os.environ.clear()
            os.environ.update(before)
        return Said(code, *(_written(stream) for stream in (out, err)))

    def run(
        self,
        *arguments: str | bytes | Path,
        bound: bool = False,
        largest_file: int | None = None,
        python_path: Path | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> Said:
        """A command run in a process of its own, in `folder`.

        `bound` has file modes hold for root too, `largest_file` is all that one file may grow to, in
        bytes; `python_path` is searched for modules first.
        """
        let_go(self.home)
        command: list[str | bytes | Path] = [*PROGRAM, *arguments]
        if bound or largest_file is not None:
            command = [sys.executable, "-c", BOUND, str(largest_file or ""), *command]
        done = subprocess.run(
            command,
            cwd=self.folder,
            env={**self._environment(python_path), **(environment or {})},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            timeout=100,
        )
        if done.returncode == NOT_BOUND:
            pytest.skip("this system does not let root give up its power over file modes")
        said = Said(done.returncode, done.stdout.decode("utf-8"), done.stderr.decode("utf-8"))
        assert "Traceback" not in said.err, said.err
        return said

    def session(self, *commands: Sequence[str], under: Sequence[str] = (), python_path: Path | None = None) -> Said:
        """Several commands one after the other in a process of their own; `under` is what runs it, a tracer say."""
        return self.other([*under, sys.executable, "-c", SESSION, repr(commands)], python_path)

    def other(self, command: Sequence[str], python_path: Path | None = None) -> Said:
        """Another program, run as this user would."""
        let_go(self.home)
        environment = self._environment(python_path)
        done = subprocess.run(command, cwd=self.folder, env=environment, capture_output=True, check=False)
        return Said(done.returncode, done.stdout.decode("utf-8"), done.stderr.decode("utf-8", "replace"))

    def start(self, *arguments: str | Path, path_first: Path | None = None) -> subprocess.Popen[str]:
        """A command begun in a process group of its own, as a terminal does; `path_first` leads its PATH."""
        let_go(self.home)
        environment = self._environment()
        if path_first is not None:
            environment["PATH"] = f"{path_first}{os.pathsep}{environment['PATH']}"
        return subprocess.Popen(
            [*PROGRAM, *arguments],
            cwd=self.folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def at(self, folder: Path) -> Shell:
        """The same user in another folder."""
        return replace(self, folder=folder)

    def with_(self, **settings: str) -> Shell:
        """The same user with settings in the environment, named without their prefix."""
        return replace(self, settings={**self.settings, **settings})

    def _environment(self, python_path: Path | None = None) -> dict[str, str]:
        known = {"COMPANION_HOME": str(self.home), "COMPANION_EMBEDDINGS": "off"}
        known |= {f"COMPANION_{name.upper()}": value for name, value in self.settings.items()}
        paths = [str(python_path)] if python_path else []
        return {**os.environ, **known, "PYTHONPATH": os.pathsep.join(paths), "COLUMNS": "200"}


def refused(said: Said, what: str, next_step: str) -> None:
    """A clear message with the next command on standard error, exit code 2, nothing on standard output."""
    assert said.code == 2, said
    assert said.out == ""
    assert "Error:" in said.err
    before, _, after = said.words.partition("Next: ")
    assert what in before, said.err
    assert next_step in after, said.err


def refused_as_json(said: Said, kind: str, what: str = "") -> None:
    """The same as one JSON document on standard output, and nothing beside it."""
    assert said.code == 2, said
    assert said.err == ""
    assert said.json["error"]["kind"] == kind
    assert what in said.json["error"]["what"]
    assert said.json["error"]["next_step"]


def _written(stream: io.TextIOWrapper) -> str:
    stream.flush()
    return stream.detach().getvalue().decode("utf-8")  # type: ignore[attr-defined]


def _names_a_folder(arguments: Iterable[str | Path]) -> bool:
    return any(not str(argument).startswith("-") for argument in arguments)


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON")
