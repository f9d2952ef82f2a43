"""A language model behind a program that reads a question on its standard input and prints the answer.

Any will do: `claude -p`, `codex exec -`, `gemini -p ""`, `ollama run qwen3`. It runs in an empty folder, so that an
assistant takes the question for no work on the project, without a terminal to ask a password at, and not a moment
longer than it may: at the deadline it ends with all that it started. Of what it prints the JSON is taken, whatever
stands around it. Text is redacted before it is handed over, and what comes back before anyone sees it.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import PurePath
from tempfile import TemporaryDirectory

from companion.errors import ModelSpent, ModelTalkedNonsense, ModelUnavailable, UsageError
from companion.ports import Redactor

REPLY_MAX_BYTES = 256_000
"""A larger answer is no answer."""
PIECE_BYTES = 65_536
"""Read at a time."""
SAID_CHARACTERS = 160
"""Of what a program prints when it fails: the line that says why."""
END_S = 2.0
"""How long a program that has closed its output may take to end."""

_COLOURS = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07]*\x07")
_QUIET = {"NO_COLOR": "1", "TERM": "dumb", "CI": "1"}
"""Asks programs for plain text and no questions."""
_FORM = "\n\nAnswer with JSON of this schema and nothing else: "


@dataclass
class CommandModel:
    """One program, run at most `max_calls` times in its life: make one a consolidation run."""

    command: str
    redactor: Redactor
    timeout_s: float
    max_calls: int
    calls: int = field(default=0, init=False)
    """Runs so far, failed ones included."""

    def __post_init__(self) -> None:
        """Raises UsageError for a command that cannot be understood."""
        try:
            self._words = shlex.split(self.command, posix=os.name == "posix")
        except ValueError as wrong:
            raise UsageError(f"The setting `model_command` cannot be read: {wrong}.", "Close its quotes.") from None
        if not self._words:
            raise UsageError("The setting `model_command` names no program.", "Set it to one, as `claude -p`.")

    @property
    def name(self) -> str:
        """The program and its arguments, without what could be a secret."""
        return self.redactor.redact(" ".join((PurePath(self._words[0]).stem, *self._words[1:])))

    def complete(self, prompt: str, schema: Mapping[str, object], timeout_s: float) -> str:
        """The JSON that the program prints, redacted; it was asked to follow `schema` and may not.

        Raises ModelUnavailable where it cannot be run, fails or takes too long, ModelSpent (one of those) where it
        was asked often enough, ModelTalkedNonsense where it prints no JSON.
        """
        program = self._program()
        if self.calls >= self.max_calls:
            raise ModelSpent(
                f"`{self.name}` was asked {self.calls} times, the limit of one run.",
                "The rest waits for the next run; the setting `model_max_calls` is the limit.",
            )
        self.calls += 1
        text = self.redactor.redact(prompt) + _FORM + json.dumps(schema)
        printed = self._printed([program, *self._words[1:]], text, min(timeout_s, self.timeout_s))
        return self.redactor.redact(_json_in(printed, self.name))

    def look(self) -> None:
        """Whether there is such a program; it is not run. Raises ModelUnavailable."""
        self._program()

    def _program(self) -> str:
        found = shutil.which(self._words[0])
        if found is None:
            raise ModelUnavailable(
                f"There is no program `{self._words[0]}`, which the setting `model_command` names.",
                "Install it, give its full path, or clear the setting.",
            )
        return found

    def _printed(self, words: list[str], text: str, timeout_s: float) -> str:
        deadline = time.monotonic() + timeout_s
        with TemporaryDirectory(prefix="companion-", ignore_cleanup_errors=True) as folder:
            try:
                process = subprocess.Popen(
                    words,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.STDOUT,
                    cwd=folder,
                    env={**os.environ, **_QUIET},
                    start_new_session=True,
                )
            except OSError as wrong:
                raise ModelUnavailable(f"`{self.name}` cannot be run ({type(wrong).__name__}).", "") from None
            return self._heard(process, text, deadline)

    def _heard(self, process: subprocess.Popen[bytes], text: str, deadline: float) -> str:
        """Hand over the question and read to the end, the limit or the deadline; nothing is left running."""
        late = threading.Event()

        def cut() -> None:
            late.set()
            _end(process)

        timer = threading.Timer(max(0.0, deadline - time.monotonic()), cut)
        timer.daemon = True
        asking = threading.Thread(target=_hand_over, args=(process, text.encode("utf-8", "replace")), daemon=True)
        timer.start()
        asking.start()
        printed = b""
        assert process.stdout is not None
        output = process.stdout.fileno()
        try:
            while len(printed) <= REPLY_MAX_BYTES and (piece := os.read(output, PIECE_BYTES)):
                printed += piece
            with suppress(subprocess.TimeoutExpired):
                process.wait(END_S)
        finally:
            timer.cancel()
            _end(process)
            process.wait()
        process.stdout.close()
        if late.is_set():
            raise ModelUnavailable(f"`{self.name}` did not answer in time.", "Set `model_timeout_s` higher.")
        if len(printed) > REPLY_MAX_BYTES:
            raise ModelTalkedNonsense(f"`{self.name}` printed more than {REPLY_MAX_BYTES:,} bytes.")
        told = _COLOURS.sub("", printed.decode("utf-8", "replace"))
        if process.returncode > 0:
            raise ModelUnavailable(
                f"`{self.name}` failed with {process.returncode}: {self._last_line(told)}",
                "Run it once by hand; it may need a login.",
            )
        return told

    def _last_line(self, told: str) -> str:
        lines = [line.strip() for line in told.splitlines() if line.strip()]
        return self.redactor.redact(lines[-1])[:SAID_CHARACTERS] if lines else "it said nothing."


def _hand_over(process: subprocess.Popen[bytes], text: bytes) -> None:
    assert process.stdin is not None
    with suppress(OSError, ValueError):  # it may end without having read
        process.stdin.write(text)
    with suppress(OSError, ValueError):
        process.stdin.close()


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a program and, where the system tells, all that it has started."""
    with suppress(OSError):
        if os.name == "posix":
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()


def _json_in(printed: str, name: str) -> str:
    """The first JSON object in what was printed. Raises ModelTalkedNonsense where there is none."""
    decoder = json.JSONDecoder()
    for found in re.finditer(r"\{", printed):
        try:
            _, end = decoder.raw_decode(printed, found.start())
        except (ValueError, RecursionError):
            continue
        return printed[found.start() : end]
    raise ModelTalkedNonsense(f"`{name}` printed no JSON.")
