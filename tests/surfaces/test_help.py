"""Help fits a screen and leads on; a command that is none, or is called as another program's, is told the right one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import typer

from companion.surfaces.cli.catalog import FORMER, GROUPS, IN_SIGHT
from companion.surfaces.cli.main import app
from surfaces.shells import Shell, refused
from surfaces.test_cli import remembered

FIRST_PAGE_MOST, PAGE_MOST = 48, 40
"""Lines of the first page, and of any other: a screen."""
COLUMNS = {"COLUMNS": "80"}


def page(shell: Shell, *arguments: str) -> list[str]:
    said = shell.plainly(*arguments, environment=COLUMNS)
    assert (said.code, said.err) == (0, ""), said
    return said.out.splitlines()


def names() -> list[str]:
    group = typer.main.get_command(app)
    return list(group.list_commands(typer.Context(group)))


def test_the_first_page_tells_eight_commands_and_names_every_other_in_a_screen(shell: Shell) -> None:
    lines = page(shell, "--help")
    assert len(lines) <= FIRST_PAGE_MOST
    assert max(map(len, lines)) <= 80
    told = [line.split()[0] for line in lines[: lines.index("More, by group")] if re.match(r"  \S", line)]
    assert tuple(told) == IN_SIGHT
    assert set(names()) <= set(re.findall(r"[\w-]+", "\n".join(lines)))
    assert page(shell) == page(shell, "help") == lines


@pytest.mark.parametrize("group", GROUPS)
def test_help_of_a_group_tells_each_of_its_commands(shell: Shell, group: str) -> None:
    lines = page(shell, "help", group)
    assert len(lines) <= PAGE_MOST
    told = {line.split()[0] for line in lines if re.match(r"  \S", line)}
    assert {name for _, some in GROUPS[group] for name in some} <= told


def test_help_of_every_command_fits_a_screen(shell: Shell, capsys: pytest.CaptureFixture[str], monkeypatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    group = typer.main.get_command(app)
    for name in names():
        with pytest.raises(SystemExit) as left:
            group.main([name, "--help"], prog_name="companion")
        assert left.value.code in (0, None)
        lines = capsys.readouterr().out.splitlines()
        assert len(lines) <= PAGE_MOST, (name, len(lines))
        assert max(map(len, lines)) <= 80


def test_help_of_a_command_is_its_page(shell: Shell) -> None:
    assert page(shell, "help", "why") == page(shell, "why", "--help")


@pytest.mark.parametrize(
    ("word", "meant"), [("scan", "init"), ("contxt", "context"), ("blame", "why"), ("tood", "todo")]
)
def test_a_command_that_is_none_names_the_one_that_was_meant(shell: Shell, word: str, meant: str) -> None:
    refused(
        shell.plainly(word, "x"),
        f"There is no command `{word}`. Did you mean `companion {meant}`",
        "`companion --help`",
    )


def test_a_verb_that_has_no_command_of_its_own_is_called_by_its_name(shell: Shell) -> None:
    refused(shell.plainly("accuracy"), "There is no command `accuracy`.", "`companion call accuracy`")


def test_a_word_that_is_like_no_command_names_none(shell: Shell) -> None:
    for word in ("bogus", "nope"):
        assert "Did you mean" not in shell.plainly(word).err


def test_words_without_a_name_are_the_file_and_the_task(shop: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(shop.folder)
    named = ("context", "--file", "shop/cart.py", "--task", "fix the rounding")
    bare = ("context", "fix", "shop/cart.py", "the rounding")
    assert shop.plainly(*bare, "--budget", "500").out == shop.plainly(*named, "--budget", "500").out
    missing = "context", "shop/basket.py"
    assert shop.plainly(*missing).out == shop.plainly(missing[0], "--file", missing[1]).out
    assert shop.plainly("predict", "the", "rounding").out == shop.plainly("predict", "--task", "the rounding").out


@pytest.mark.parametrize("former", FORMER)
def test_a_former_name_goes_on_working_and_says_the_new_one(shell: Shell, former: str) -> None:
    said = shell.plainly(former, "--help")
    assert said.code == 0
    assert f"`companion {former}` is called `companion {' '.join(FORMER[former])}` now" in said.words


def completed(shell: Shell, words: str) -> set[str]:
    asked = {"_COMPANION_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": str(words.count(" "))}
    said = shell.plainly(environment=asked)
    assert said.err == "", said
    return set(filter(None, said.out.splitlines()))


def test_a_shell_completes_files_ids_and_choices(shop: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(shop.folder)
    id_ = remembered(shop)
    assert completed(shop, "companion context --file sh") == {"shop/"}
    assert completed(shop, "companion why shop/c") == {"shop/cart.py"}
    assert completed(shop, f"companion forget {id_[:4]}") == {id_[:12]}
    assert completed(shop, "companion search x --kind e") == {"episode"}
    assert completed(shop, "companion connect curs") == {"cursor"}
    assert completed(shop, "companion consolidate --pass de") == {"dedupe"}
    act = shop("story", "--acts", "--json").json[0]["id"][:12]
    assert act in completed(shop, "companion story --act ")


def test_what_cannot_be_asked_completes_nothing_and_says_nothing(shell: Shell, tmp_path: Path) -> None:
    assert completed(shell.with_(store_wait_s="none"), "companion forget m") == set()
    assert completed(shell, "companion context --file nowhere/") == set()
