"""A plain reading takes a call as typer does and prints the same, without loading it; what is unusual is typer's."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import wraps
from pathlib import Path

import pytest
import typer
from client.houses import House

from companion.client.starting import start_daemon
from companion.surfaces.cli import plain
from companion.surfaces.cli.catalog import PLACES, SETTINGS, made_for
from companion.surfaces.cli.declared import Command, CommandGroup, Option, Parameter, Positional, parameters
from companion.surfaces.cli.typed import as_typer_takes

SESSION = """
import json, sys
from companion.surfaces.cli.plain import ran
heavy = {"typer", "rich", "duckdb", "numpy"}
if whole := sys.argv[1] == "whole":
    from companion.surfaces.cli.main import app
for words in json.loads(sys.argv[2]):
    sys.argv = ["companion", *words]
    code = 0
    try:
        if whole:
            app()
        else:
            assert ran(words), "left to typer"
            assert not heavy & set(sys.modules), heavy & set(sys.modules)
    except SystemExit as left:
        code = left.code
    sys.stdout.write(f"\\0{code}\\0")
    sys.stdout.flush()
    sys.stderr.write("\\0")
    sys.stderr.flush()
"""
"""Calls one after the other in one process: loading is most of each. What they print is parted by zeros."""


def said(house: House, how: str, calls: Sequence[Sequence[str]]) -> list[tuple[int, bytes, bytes]]:
    """The exit code of each call, and what it printed on either output."""
    command = [sys.executable, "-c", SESSION, how, json.dumps(calls)]
    done = subprocess.run(command, cwd=house.root, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    assert b"Traceback" not in done.stderr, done.stderr
    out, err = done.stdout.split(b"\0"), done.stderr.split(b"\0")
    assert len(out) - 1 == 2 * len(calls) == 2 * (len(err) - 1)
    return list(zip(map(int, out[1::2]), out[::2], err, strict=False))


ANSWERED = (
    ["context", "--file", "shop/cart.py", "--budget", "2000"],
    ["context", "-f", "shop/cart.py", "-q", "prices – in cents", "-n", "500", "--order=assistants"],
    [*["context", "--task=rounding", "--format", "xml", "-a", "debugging"], *["--collaborator", "Ann"] * 2],
    ["context", "--file", "cart.py", "-C", "shop", "--format=json", "--budget", "0"],
    ["context", "shop/cart.py", "the", "rounding"],
    ["context"],
    ["context", "--json"],
    ["search", "prices"],
    ["search", "prices", "-l", "1", "--kind", "episode", "--scope=shop", "-C", "shop"],
    ["search", "walrus"],
    ["expand", "file:shop/cart.py"],
    ["why", "shop/cart.py:1"],
    ["todo"],
)
REFUSED = (
    ["context", "--order", "upside-down"],
    ["context", "--file", "nowhere.py", "--branch", "nowhere"],
    ["search", "price", "--kind", "rumour", "--json"],
    ["expand", "nowhere"],
)
NOTES = (("Prices are integers", "fact"), ("A walrus \x1b]0;title\x07 is no price", "episode"))
UNUSUAL = (
    [],
    ["--version"],
    ["nonsense"],
    ["context", "--help"],
    ["context", "--file"],
    ["context", "--file", "--query"],
    ["context", "--budget", "-5"],
    ["context", "--budget", "many"],
    ["context", "--budget", ""],
    ["context", "--budget", "1", "--budget", "2"],
    ["context", "--explain=yes"],
    ["search"],
    ["search", "price", "--limit", "0"],
    ["search", "-l5", "price"],
    ["search", "--", "-price"],
    ["expand"],
    ["expand", "m1", "m2"],
    ["talk"],
    ["talk", "nonsense"],
    ["review", "nonsense"],
    ["run", "ls"],
)


def test_what_is_read_plainly_prints_what_typer_prints(house: House) -> None:
    start_daemon(house.home)
    kept = [house.run("remember", text, "--kind", kind).stdout for text, kind in NOTES]
    remembered = [line.split()[1].rstrip(":") for line in kept]
    answered = (*ANSWERED, *(["expand", id_] for id_ in remembered))
    printed = said(house, "plain", (*answered, *REFUSED))
    assert printed == said(house, "whole", (*answered, *REFUSED))
    assert [code for code, *_ in printed] == [0] * len(answered) + [2] * len(REFUSED), printed
    assert not any(b"\x1b" in out for _, out, _ in printed)


def test_what_is_unusual_is_left_to_typer(capsys: pytest.CaptureFixture[str]) -> None:
    assert [arguments for arguments in UNUSUAL if plain.ran(arguments)] == []
    assert capsys.readouterr() == ("", "")


def commands() -> Iterator[tuple[str, Command]]:
    """Every command that is read plainly, by its full name."""
    for name in (name for name in PLACES if name not in SETTINGS):
        made = made_for(name)
        if isinstance(made, CommandGroup):
            yield from ((f"{name} {inner}", command) for inner, command in made.commands.items())
            yield from [(name, made.alone)] if made.alone else []
        elif made is not None:
            yield name, made


def calls(declared: Sequence[Parameter]) -> Iterator[list[str]]:
    """Calls of a command: with what it needs, with each option beside that, and with all of them."""
    loose = [one for one in declared if isinstance(one.declared, Positional)]
    needed = [word for one in loose if one.required for word in words_for(one)]
    optional = [word for one in loose if not one.required for word in words_for(one)]
    named = [
        [name, *([] if one.type is bool else words_for(one)[:1])]
        for one in declared
        if isinstance(one.declared, Option)
        for name in one.names
    ]
    once = {tuple(one.names): words for one in declared for words in named if words[0] in one.names}
    yield needed
    yield [*needed, *optional]
    yield from ([*needed, *words] for words in named)
    yield [*(word for words in once.values() for word in words), *needed, *optional]


def words_for(one: Parameter) -> list[str]:
    """Values that a parameter takes: two where it takes several."""
    if one.type in (int, float):
        return [str(one.declared.said.get("min", 1))] * (2 if one.many else 1)
    return ["accepted", "a word"] if one.many else ["accepted"]


def taken_by_typer(command: Command, words: list[str]) -> Mapping[str, object]:
    seen: dict[str, object] = {}

    @wraps(command)
    def recorded(**given: object) -> None:
        seen.update(given)

    app = typer.Typer()
    app.command()(as_typer_takes(recorded))
    typer.main.get_command(app).main(words, standalone_mode=False)
    return seen


@pytest.mark.parametrize(("name", "command"), list(commands()), ids=lambda one: one if isinstance(one, str) else "")
def test_every_call_is_read_as_typer_reads_it(name: str, command: Command) -> None:
    for words in calls(parameters(command)):
        read = plain.read([*name.split(), *words])
        assert read is not None, words
        assert read[0] is command
        assert {**read[1]} == taken_by_typer(command, words), words


def test_words_need_no_quotes() -> None:
    read = plain.read(["search", "prices", "-l", "3", "rounded", "--kind", "fact", "even"])
    assert read is not None
    assert (read[1]["text"], read[1]["limit"], read[1]["kind"]) == (["prices", "rounded", "even"], 3, ["fact"])
    assert read[1]["repo"] == Path()


def test_a_sentence_may_begin_with_the_name_of_an_option() -> None:
    text = "--json prints nothing"
    for words in (["context", text], ["context", "--task", text]):
        read = plain.read([*words, "--budget", "500"])
        assert read is not None
        assert (read[1]["words"] or [read[1]["query"]], read[1]["budget"], read[1]["as_json"]) == ([text], 500, False)
    assert plain.read(["context", "--json prints=nothing"]) is not None
    assert plain.read(["context", "--nonsense=with words"]) is None
    assert plain.read(["context", "-qfix the login"]) is None, "a value that is joined to a short name is typer's"


@pytest.mark.parametrize("arguments", [["lsp"], ["lsp", "--stdio"]])
def test_an_editor_does_not_wait_for_the_whole_command_line(house: House, arguments: list[str]) -> None:
    program = [sys.executable, "-X", "importtime", "-m", "companion.surfaces.cli", *arguments]
    done = subprocess.run(program, cwd=house.root, input=b"", capture_output=True, check=False)
    loaded = {line.rpartition(b"|")[2].strip().decode() for line in done.stderr.splitlines()}
    assert "companion_lsp.server" in loaded
    assert not {"companion.surfaces.cli.main", "pydantic", "duckdb", "numpy"} & loaded
