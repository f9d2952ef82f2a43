"""A program as a language model: asked on its standard input, bounded in time and size, and never left running."""

from __future__ import annotations

import json
import os
import shlex
import sys
import time
from pathlib import Path

import psutil
import pytest
from fakes import PlainRedactor
from waiting import DEADLINE_S, ended, until

from companion.adapters.model_command import REPLY_MAX_BYTES, CommandModel
from companion.errors import ModelSpent, ModelTalkedNonsense, ModelUnavailable, UsageError

SCHEMA = {"type": "object"}
posix_only = pytest.mark.skipif(os.name != "posix", reason="process groups are POSIX")


def model(tmp_path: Path, script: str, *, timeout_s: float = DEADLINE_S, max_calls: int = 9) -> CommandModel:
    """A model that is this Python script."""
    path = tmp_path / "model.py"
    path.write_text(f"import json, os, sys, time\n{script}\n")
    command = " ".join(shlex.quote(str(word)) for word in (sys.executable, path))
    return CommandModel(command, PlainRedactor(), timeout_s, max_calls)


def test_it_reads_the_question_with_its_form_and_prints_the_answer(tmp_path):
    echo = model(tmp_path, "told = sys.stdin.read()\nprint(json.dumps({'read': told}))")
    read = json.loads(echo.complete("Are hunter2-secret and ß the same?", SCHEMA, DEADLINE_S))["read"]
    assert read.startswith("Are [redacted password] and ß the same?")
    assert json.dumps(SCHEMA) in read


@pytest.mark.parametrize(
    "printed",
    [
        'Sure! Here it is:\\n```json\\n{"answers": []}\\n```\\nHave a nice day.',
        '\\x1b[32m{"answers": []}\\x1b[0m',
        '{not this} but {"answers": []}',
    ],
)
def test_json_is_found_in_whatever_stands_around_it(tmp_path, printed):
    assert model(tmp_path, f"print('{printed}')").complete("?", SCHEMA, DEADLINE_S) == '{"answers": []}'


def test_secrets_that_come_back_are_hidden(tmp_path):
    told = model(tmp_path, "print(json.dumps({'a': 'hunter2-secret'}))").complete("?", SCHEMA, DEADLINE_S)
    assert told == '{"a": "[redacted password]"}'


@pytest.mark.parametrize("script", ["pass", "print('no idea')", "print('[1, 2]')", "print('{' * 5000)"])
def test_what_is_no_json_is_nonsense(tmp_path, script):
    with pytest.raises(ModelTalkedNonsense, match="printed no JSON"):
        model(tmp_path, script).complete("?", SCHEMA, DEADLINE_S)


def test_output_without_end_is_cut_off(tmp_path):
    with pytest.raises(ModelTalkedNonsense, match=f"{REPLY_MAX_BYTES:,}"):
        model(tmp_path, "while True: print('x' * 10_000)").complete("?", SCHEMA, DEADLINE_S)


def test_a_program_that_hangs_is_ended_at_the_deadline(tmp_path):
    begun = time.monotonic()
    with pytest.raises(ModelUnavailable, match="in time"):
        model(tmp_path, "time.sleep(600)", timeout_s=0.5).complete("?", SCHEMA, DEADLINE_S)
    assert time.monotonic() - begun < DEADLINE_S


def test_a_program_that_does_not_read_a_long_question_holds_nobody_up(tmp_path):
    told = model(tmp_path, "print('{}')").complete("x" * 2_000_000, SCHEMA, DEADLINE_S)
    assert told == "{}"


@posix_only
def test_what_it_has_started_ends_with_it(tmp_path):
    pid = tmp_path / "pid"
    sleeps = f"import os,time; open({str(pid)!r}, 'w').write(str(os.getpid())); time.sleep(600)"
    script = f"import subprocess\nsubprocess.Popen([sys.executable, '-c', {sleeps!r}])\ntime.sleep(600)"
    with pytest.raises(ModelUnavailable):
        model(tmp_path, script, timeout_s=3).complete("?", SCHEMA, DEADLINE_S)
    child = int(pid.read_text())
    until(lambda: not psutil.pid_exists(child) or ended(psutil.Process(child)))


@posix_only
def test_it_has_no_terminal_to_ask_a_login_at(tmp_path):
    script = "try:\n  open('/dev/tty')\n  print(json.dumps({'tty': True}))\nexcept OSError:\n  print(json.dumps({'tty': False}))"
    assert json.loads(model(tmp_path, script).complete("?", SCHEMA, DEADLINE_S)) == {"tty": False}


def test_it_runs_in_an_empty_folder(tmp_path):
    told = model(tmp_path, "print(json.dumps({'here': os.listdir('.')}))").complete("?", SCHEMA, DEADLINE_S)
    assert json.loads(told) == {"here": []}


def test_one_that_fails_is_told_with_what_it_said_last(tmp_path):
    script = "print('working...')\nprint('Please log in: hunter2-secret', file=sys.stderr)\nsys.exit(3)"
    with pytest.raises(ModelUnavailable, match=r"failed with 3: Please log in: \[redacted password\]"):
        model(tmp_path, script).complete("?", SCHEMA, DEADLINE_S)


def test_it_is_run_so_often_and_no_more(tmp_path):
    twice = model(tmp_path, "print('{}')", max_calls=2)
    for _ in range(2):
        twice.complete("?", SCHEMA, DEADLINE_S)
    with pytest.raises(ModelSpent):
        twice.complete("?", SCHEMA, DEADLINE_S)


@pytest.mark.parametrize("command", ["", "   ", "claude 'unclosed"])
def test_a_command_that_cannot_be_read_is_refused(command):
    with pytest.raises(UsageError, match="model_command"):
        CommandModel(command, PlainRedactor(), 1.0, 1)


def test_a_program_that_is_not_there_is_named_and_nothing_is_run():
    absent = CommandModel("no-such-model -p", PlainRedactor(), 1.0, 1)
    assert absent.name == "no-such-model -p"
    for ask in (absent.look, lambda: absent.complete("?", SCHEMA, 1.0)):
        with pytest.raises(ModelUnavailable, match="no program `no-such-model`"):
            ask()
    assert absent.calls == 0
