"""The command line: what every command promises, whatever it is about."""

from __future__ import annotations

import os
import re
import shutil
import signal
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path

import pytest
import typer
from repos import Repo
from waiting import until

from companion.records import Activity, Forecast, Prediction, Reason
from companion.surfaces.cli.catalog import PLACES
from companion.surfaces.cli.context import told_forecast
from companion.surfaces.cli.declared import CommandGroup
from companion.surfaces.cli.main import app
from surfaces.conftest import NOTE, Template
from surfaces.shells import Said, Shell, refused, refused_as_json


def remembered(shell: Shell) -> str:
    """The id of what was remembered by hand."""
    (hit,) = [
        hit
        for hit in shell("search", NOTE, "--json").json["hits"]
        if hit["memory"] and hit["memory"]["draft"]["origin"] == "by-hand"
    ]
    return str(hit["memory"]["id"])


# ---------------------------------------------------------------------- every command


def test_every_command_has_help_with_an_example() -> None:
    group = typer.main.get_command(app)
    context = typer.Context(group, info_name="companion")
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        inner = getattr(command, "commands", {name: command})
        for one in inner.values():
            assert "Example: `companion" in one.help, name


def test_every_command_of_a_module_stands_in_a_group_of_the_help() -> None:
    for module in set(filter(None, PLACES.values())):
        names = [name for name, place in PLACES.items() if place == module]
        made = vars(import_module(f"companion.surfaces.cli.{module}"))
        groups = [one for one in made.values() if isinstance(one, CommandGroup)]
        inner = {command for one in groups for command in (one.alone, *one.commands.values())}
        told = [one for one in made.values() if "Example: `companion " in (getattr(one, "__doc__", None) or "")]
        alone = [one for one in told if one.__module__.endswith(f".{module}") and one not in inner]
        assert len(alone) + len(groups) == len(names), module


def test_why_tells_the_commit_of_the_very_line_the_story_around_it_and_of_a_file_the_last_commit(shop: Shell) -> None:
    first, later = (shop("why", f"shop/cart.py:{line}").words for line in (5, 8))
    assert "shop/cart.py:5 is part of checkout, lines 4 to 5 2024-05-01 This line: Add the cart (made checkout" in first
    assert "shop/cart.py:8 is part of step_0, lines 8 to 9 2024-05-01 This line: Fix rounding, step 0 (made " in later
    assert later.partition("floats lose digits")[2], "the message gives a reason"
    assert "Changed last: Fix rounding, step 2" in shop("why", "shop/cart.py").words
    assert "There is no file `shop/nothing.py`" in shop("why", "shop/nothing.py:1").words
    named = shop("why", "checkout").words
    assert re.match(r"checkout, lines \d+ to \d+ of shop/", named), "a definition by its name"
    assert "This line" not in named
    assert "say which companion why shop/cart.py:12 (step_1) def step_1(): companion why" in shop("why", "step_1").words
    assert "No definition is called `nothing`" in shop("why", "nothing").words


def test_json_is_one_document_on_standard_output_and_nothing_else(shop: Shell, tmp_path: Path) -> None:
    id_ = remembered(shop)
    asked: list[tuple[str | Path, ...]] = [
        ("init",),
        ("context", "--file", shop.folder / "shop/cart.py"),
        ("context", "--explain", "--format", "xml"),
        ("predict", "--file", shop.folder / "shop/cart.py"),
        ("timeline",),
        ("call", "accuracy"),
        ("facts",),
        ("judge",),
        ("search", "rounding"),
        ("expand", id_),
        ("expand", "file:shop/cart.py"),
        ("explain",),
        ("explain", "file:shop/cart.py"),
        ("why", "shop/cart.py:5"),
        ("remember", "Staging runs on Tuesdays"),
        ("pin", id_),
        ("pin", id_, "--off"),
        ("downvote", id_),
        ("contradictions",),
        ("consolidate", "--dry-run"),
        ("consolidate",),
        ("reports",),
        ("reports", "last"),
        ("purge", "--dry-run"),
        ("forget", id_),
        ("revive", id_),
        ("greeting",),
        ("talk", "start", "Prices"),
        ("talk", "add", "We decided to use cents because floats lose digits. TODO: mend the test."),
        ("talk", "pause"),
        ("talk", "close"),
        ("review",),
        ("review", "redirect", "shop"),
        ("review", "confirm"),
        ("talk", "list"),
        ("threads",),
        ("todo", "Send the invoice"),
        ("todo",),
        ("story", "--new", "Work"),
        ("story",),
        ("route", id_, "Your Story"),
        ("revise", id_, "Prices are rounded to the cent"),
        ("search", "rounded to the cent"),
        ("talk", "history"),
        ("notes",),
        ("notes", "set", "focus=prices"),
        ("call", "nudges"),
        ("call", "classify", "request=add a test for prices"),
        ("team", "status"),
        ("call", "stats"),
        ("stats",),
        ("doctor",),
        ("doctor", "--repair"),
        ("doctor", "--settings"),
        ("rebuild",),
        ("export", tmp_path / "exported"),
        ("import", tmp_path / "exported"),
        ("backup", tmp_path / "copy.duckdb"),
    ]
    whole: list[tuple[str, ...]] = [
        ("shell-hook", "bash"),
        ("connect", "neovim", "--print"),
        ("start",),
        ("status",),
        ("page", "--no-open", "-C", str(shop.folder)),
        ("stop",),
    ]
    answers = [(arguments, shop(*arguments, "--json")) for arguments in asked]
    answers += [(arguments, shop.plainly(*arguments, "--json")) for arguments in whole]
    for arguments, said in answers:
        one_document(arguments, said)
    named = {str(arguments[0]) for arguments, _ in answers}
    group = typer.main.get_command(app)
    assert named == {*group.list_commands(typer.Context(group)), "init"} - TOLD_ELSEWHERE


def one_document(arguments: Sequence[str | Path], said: Said) -> None:
    """One document of JSON on standard output and nothing on the other; else which command printed what."""
    told = f"`companion {' '.join(map(str, arguments))} --json` left with {said.code} and printed"
    both = f"{told}:\n{said.out[:PRINTED_MOST]}\nand beside it:\n{said.err[:PRINTED_MOST]}"
    assert (said.code, said.err) == (0, ""), both
    try:
        assert said.json is not None, both
    except ValueError as wrong:
        pytest.fail(f"{wrong}: {both}")


PRINTED_MOST = 2_000
"""Characters of an output that a failure tells."""
TOLD_ELSEWHERE = {"eval", "resolve", "undo", "schedule", "run", "lsp", "mcp", "hook", "serve", "logs", "watch"}
"""Commands whose JSON is tested in their own files, and those whose output belongs to someone else: a command, a
protocol, a log."""


@pytest.mark.parametrize(
    ("arguments", "kind"),
    [
        (("search", "x", "--kind", "rumour"), "UsageError"),
        (("search",), "UsageError"),
        (("search", "x", "--limit", "0"), "UsageError"),
        (("context", "--budget", "many"), "UsageError"),
        (("context", "--budget", "-1"), "UsageError"),
        (("init", "--louder"), "UsageError"),
        (("expand", "m1nothing"), "UnknownMemory"),
        (("import", "nowhere.jsonl"), "UsageError"),
        (("gossip",), "UsageError"),
    ],
)
def test_an_error_is_told_as_json_too(shop: Shell, arguments: tuple[str, ...], kind: str) -> None:
    refused_as_json(shop.plainly(*arguments, "--json"), kind)


def test_a_line_beyond_the_end_of_a_file_is_told_the_last_one_to_ask_for(shop: Shell) -> None:
    lines = len((shop.folder / "shop" / "cart.py").read_text().splitlines())
    said = shop("why", "shop/cart.py:99999").words
    assert f"shop/cart.py ends with line {lines}: `companion why shop/cart.py:{lines}`" in said
    assert "part of" in shop("why", f"shop/cart.py:{lines}").words
    assert "ends with" not in shop("why", f"shop/cart.py:{lines}").words


def test_a_measurement_that_users_do_not_run_says_where_it_is(shop: Shell) -> None:
    said = shop.plainly("eval", "latency")
    assert (said.code, said.out) == (2, "")
    assert "`scripts/eval NAME`" in said.err
    assert "prediction, places, useful, junk, and no `latency`" in said.err


def test_a_group_refuses_a_command_that_it_has_not_and_names_those_it_has(shop: Shell) -> None:
    said = shop("schedule", "guess")
    refused(said, "has install, remove, show", "schedule --help`")
    assert "no `guess`" in said.err


def test_a_misused_command_names_the_help_to_read(shop: Shell) -> None:
    said = shop.plainly("init", "--louder")
    assert (said.code, said.out) == (2, "")
    assert "companion init" in said.err or "--louder" in said.err
    assert shop.plainly("init", "--louder", "--json").json["error"]["next_step"].endswith("init --help`.")


def test_a_forecast_names_memories_by_what_they_say(shop: Shell) -> None:
    assert shop("pin", remembered(shop)).code == 0
    said = shop("predict", "--file", shop.folder / "shop/cart.py")
    assert f"{remembered(shop)[:12]}  {NOTE}" in said.out


def test_a_search_may_be_bound_to_a_time_and_a_context_to_a_persona(shop: Shell) -> None:
    def found(*bounds: str) -> list[str]:
        return [hit["title"] for hit in shop("search", "rounding", *bounds, "--json").json["hits"]]

    assert found() and found("--since", "2000-01-01", "--until", "2100-01-01")
    assert found("--until", "2000-01-01") == found("--since", "2100-01-01") == []
    assert shop("context", "shop/price.py", "--persona", "Nova").code == 0
    assert shop("predict", "shop/price.py", "--persona", "Nova").code == 0


def test_a_search_tells_only_reasons_that_are_some_and_each_source_once(shop: Shell) -> None:
    said = shop("search", "rounding").out
    assert "0.00" not in said
    assert "cited 0" not in said
    for line in said.splitlines()[1::2]:
        sources = line.strip().partition(" - ")[0].split(", ")
        assert len(set(sources)) == len(sources)


def test_the_doctor_looks_at_the_model_that_the_settings_name(shop: Shell, tmp_path: Path) -> None:
    without = shop.with_(embeddings=f"sentence-transformers:{tmp_path}")("doctor", "--json")
    (model,) = [found for found in without.json if found["name"] == "model"]
    assert model["state"] == "warning"
    assert f"{tmp_path} holds no model" in model["what"]


def test_a_model_that_does_not_load_leaves_search_by_words_and_the_doctor_says_so(shop: Shell, tmp_path: Path) -> None:
    (tmp_path / "model.safetensors").write_bytes(b"no weights")
    broken = shop.with_(embeddings=f"sentence-transformers:{tmp_path}")
    assert NOTE in broken("search", "rounding").out
    told = {found["name"]: found["state"] for found in broken("doctor", "--json").json}
    assert (told["vectors"], told["model"]) == ("warning", "warning")


def test_errors_show_no_control_characters_and_no_halves(shell: Shell) -> None:
    said = shell.plainly("init", "red\x1b[31m\udce9")
    assert said.code == 2
    assert r"\x1b" in said.err
    assert r"\xe9" in said.err
    assert "\x1b" not in said.err
    assert "\\udc" not in shell.plainly("init", "red\x1b[31m\udce9", "--json").out


def test_the_version_is_told(shell: Shell) -> None:
    assert re.fullmatch(r"companion \d+\.\d+\.\d+\S*\n", shell.plainly("--version").out)


# ---------------------------------------------------------------------- completion


@pytest.mark.parametrize(
    ("kind", "own"), [("bash", "complete -o"), ("zsh", "#compdef"), ("fish", "--command"), ("pwsh", "scriptblock")]
)
def test_completion_is_shown_for_the_shell_that_asks(
    shell: Shell, kind: str, own: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shellingham.detect_shell", lambda: (kind, kind))
    said = shell.plainly("--show-completion")
    assert said.code == 0
    assert "COMPANION_COMPLETE" in said.out
    assert own in said.out


def test_completion_completes_commands_and_options(shell: Shell) -> None:
    def completed(words: str) -> set[str]:
        asked = {"_COMPANION_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": str(words.count(" "))}
        return set(shell.run(environment=asked).out.split())

    assert {"context"} <= completed("companion con")
    assert {"--budget", "--branch"} <= completed("companion context --b")


# ---------------------------------------------------------------------- pins


def test_a_pinned_memory_names_the_command_that_frees_it(shop: Shell) -> None:
    id_ = remembered(shop)
    assert shop("pin", id_).code == 0
    said = shop("forget", id_)
    refused(said, "pinned", f"companion pin {id_} --off")
    (command,) = re.findall(r"`companion (pin \S+ --off)`", said.err)
    assert shop(*command.split()).code == 0
    assert shop("forget", id_).code == 0


def test_a_pinned_memory_is_in_every_context(shop: Shell) -> None:
    id_ = remembered(shop)
    shop("pin", id_[:12])
    assert NOTE in shop("context", "--file", shop.folder / "pyproject.toml").out


def test_what_is_archived_names_the_command_that_brings_it_back_and_then_is_pinned(shop: Shell) -> None:
    id_ = remembered(shop)
    assert f"companion revive {id_[:12]}" in shop("forget", id_).out
    searched = shop("search", NOTE)
    assert NOTE not in searched.out
    assert f"`companion revive {id_[:12]}` brings it back" in searched.err
    said = shop("pin", id_)
    refused(said, "archived", f"companion revive {id_}")
    (command,) = re.findall(r"`companion (revive \S+)`", said.err)
    assert shop(*command.split()).code == 0
    assert NOTE in shop("search", NOTE).out
    assert shop("pin", id_).code == 0


def test_only_a_known_memory_can_be_pinned(shop: Shell) -> None:
    refused(shop("pin", "m1nothing"), "No memory", "companion search")
    refused(shop("revive", "m1nothing"), "No memory", "companion search")


# ---------------------------------------------------------------------- nothing is written beside the store


def test_nothing_is_written_into_the_repository(shop: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(shop.folder)

    def everything() -> dict[Path, tuple[int, bytes]]:
        files = (path for path in shop.folder.rglob("*") if path.is_file())
        return {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in files}

    before, folders = everything(), sorted(shop.folder.rglob("*"))
    for arguments in (("init", "--full"), ("context",), ("predict",), ("search", "price"), ("doctor", "--repair")):
        assert shop(*arguments).code == 0
    assert everything() == before
    assert sorted(shop.folder.rglob("*")) == folders


# ---------------------------------------------------------------------- Ctrl-C


WAITING_GIT = """#!/bin/sh
case "$*" in
*" log "*) [ -e "{marker}" ] || {{ : > "{marker}"; exec sleep 60; }} ;;
esac
exec "{git}" "$@"
"""


@pytest.mark.skipif(os.name != "posix", reason="a signal to a group of processes")
def test_control_c_during_init_says_so_and_a_later_init_completes(
    template: Template, shell: Shell, tmp_path: Path
) -> None:
    git = shutil.which("git")
    marker, tools = tmp_path / "begun", tmp_path / "tools"
    tools.mkdir()
    (tools / "git").write_text(WAITING_GIT.format(marker=marker, git=git))
    (tools / "git").chmod(0o755)
    with shell.at(template.repo.root).start("init", path_first=tools) as begun:
        until(marker.exists)
        os.killpg(begun.pid, signal.SIGINT)
        out, err = begun.communicate(timeout=30)
    assert begun.returncode == 130
    assert out == ""
    assert err == "Stopped. What was done is kept; run the command again to go on.\n"
    again = shell.at(template.repo.root)("init", "--json")
    assert again.json["commits_total"] == 4
    assert again.json["files_total"] == 3


@pytest.mark.skipif(
    not Path(f"/proc/self/task/{os.getpid()}/children").exists(), reason="the system does not tell a process's children"
)
def test_control_c_while_many_files_are_parsed_leaves_no_traceback(shell: Shell, new_repo: Callable[..., Repo]) -> None:
    """Workers are stopped by who started them: the terminal's signal reaches them too."""
    repo = new_repo("many")
    for number in range(170):
        repo.write(f"m{number}.py", f"def f{number}():\n    return {number}\n" * 60)
    repo.commit("Add many")
    with shell.at(repo.root).start("init") as begun:
        until(lambda: _children(begun.pid) >= 2 or begun.poll() is not None)
        os.killpg(begun.pid, signal.SIGINT)
        _, err = begun.communicate(timeout=30)
    assert begun.returncode == 130
    assert "Traceback" not in err
    assert shell.at(repo.root)("init", "--json").json["files_total"] == 170


def _children(pid: int) -> int:
    """How many workers a process has started."""
    try:
        pids = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        return sum(b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes() for child in pids)
    except OSError:  # one of them has just ended
        return 0


# ---------------------------------------------------------------------- what was typed wrongly


@pytest.mark.parametrize(
    ("typed", "needs", "next_step"),
    [
        (("resolve",), "HOW (a_wins, b_wins", "`companion contradictions`"),
        (("undo",), "RUN (a run's id", "`companion reports`"),
        (("expand",), "ID (an id, the start of one", "`companion search TEXT`"),
        (("forget",), "ID (a memory's id", "companion forget m1a2b3c4"),
        (("revive",), "FORGOTTEN (a forgotten memory's id", "`companion search TEXT --archived`"),
        (("remember",), "TEXT (what to remember)", "companion remember"),
    ],
)
def test_a_command_typed_alone_says_what_it_needs_and_where_that_is_found(
    shop: Shell, typed: tuple[str, ...], needs: str, next_step: str
) -> None:
    refused(shop(*typed), needs, next_step)


@pytest.mark.parametrize("group", ["talk", "eval"])
def test_a_group_typed_alone_shows_its_commands_and_no_error_without_words(shop: Shell, group: str) -> None:
    shown = shop.plainly(group)
    assert shown.code == 2
    assert "Commands" in shown.out
    assert shown.err == ""


def test_an_option_or_a_command_that_there_is_not_is_refused_in_a_sentence(shop: Shell) -> None:
    refused(shop("context", "--fil", "x"), "No such option: --fil", "`companion context --help`")
    refused(shop("serch", "x"), "search", "`companion --help`")


# ---------------------------------------------------------------------- what is likely needed


def test_a_forecast_lists_no_file_that_is_not_likely_and_no_reason_twice() -> None:
    seen = tuple(Reason(f"f{n}", 1.0, 1.0, said) for n, said in enumerate(("calls shop/a.py", "calls shop/a.py", "x")))
    late = Reason("recent", 1.0, 9.0, "changed 2 commits ago")
    files = (
        Prediction("shop/b.py", 0.5, 2.0, (late, *seen)),
        *(Prediction(f"shop/c{n}.py", 0.001, 0.1) for n in range(30)),
    )
    told = told_forecast(Forecast(files, (), 0.5, Activity.EXPLORING), "/home/ann/shop/a.py")
    assert told.splitlines()[1:] == [
        "   1st  shop/b.py  (possible)",
        "        calls this file; x",
        "30 files less likely; `--json` lists all with every reason.",
    ]


def test_a_forecast_in_which_nothing_is_likely_names_the_first_few_as_such() -> None:
    files = tuple(Prediction(f"shop/c{n}.py", 0.001, 0.1) for n in range(30))
    told = told_forecast(Forecast(files, (), 0.01, Activity.EXPLORING), "")
    head, *named = told.splitlines()
    assert head.startswith("Nothing is likely needed next; the nearest, of 30 files")
    assert [line.split()[0] for line in named[:3]] == ["1st", "2nd", "3rd"]
    assert named[3:] == ["27 files less likely; `--json` lists all with every reason."]
