"""`companion init`: what is seen while it reads, what it comes to, and what to type next."""

from __future__ import annotations

import os

import pytest
from blank import blank_home
from repos import Repo

from companion.records.wording import counted
from surfaces.conftest import Template
from surfaces.shells import PROGRAM, Shell
from surfaces.terminals import terminal


@pytest.mark.skipif(os.name != "posix", reason="a terminal as POSIX has it")
def test_on_a_terminal_what_was_found_is_told_while_it_reads_and_gone_when_it_is_done(template: Template, tmp_path):
    home = tmp_path / "home"
    blank_home(home)
    environment = {**os.environ, "COMPANION_HOME": str(home), "COMPANION_OWNER": "never", "TERM": "xterm"}
    with terminal([*PROGRAM, "init"], template.repo.root, environment) as seen:
        for mark in ("Found so far: 4 commits", "3 files, 8 symbols", "3 past changes", "Next:"):
            seen.wait_for(mark)
        assert seen.end() == 0
    after = seen.said.decode().rpartition("Found so far")[2]
    assert "Read 4 commits and 3 files" in after
    assert "\x1b[2K" in after  # the bars are wiped before the summary is printed


def test_in_a_pipe_there_is_no_progress_and_the_example_is_one_that_why_can_answer(shop: Shell):
    said = shop("init", "--full")
    assert said.code == 0
    assert said.err == ""
    assert "Found so far" not in said.out
    (line,) = (line for line in said.out.splitlines() if line.startswith("  companion why "))
    place = line.split()[2]
    told = shop("why", place)
    assert told.code == 0
    assert "Fix rounding" in told.out
    assert f"companion context {place.rpartition(':')[0]}" in said.out
    assert shop("init", "--json").json["worth_asking"] == place


def test_a_second_look_that_finds_nothing_says_so(shop: Shell):
    assert "Nothing is new in 4 commits and 3 files" in shop("init").out


def test_without_commits_the_next_step_names_no_line(shell: Shell):
    Repo(shell.folder).git("init", "-q")
    (shell.folder / "a.py").write_text("def first():\n    return 1\n")
    said = shell("init", "--no-vectors")
    assert said.code == 0, said.err
    assert "companion why" not in said.out
    assert "  companion context a.py  " in said.out


def test_where_no_file_is_a_source_the_next_step_names_one_all_the_same(shell: Shell):
    Repo(shell.folder).git("init", "-q")
    (shell.folder / "site.yml").write_text("- hosts: all\n")
    assert "  companion context site.yml  " in shell("init", "--no-vectors").out


def test_of_what_is_counted_the_first_word_stands_in_the_plural() -> None:
    assert counted(1, "area of work") == "1 area of work"
    many = [counted(1_234, one) for one in ("area of work", "memory", "past change")]
    assert many == ["1,234 areas of work", "1,234 memories", "1,234 past changes"]
    assert [counted(2, one) for one in ("day", "branch", "class")] == ["2 days", "2 branches", "2 classes"]


def test_where_no_change_is_remembered_the_example_is_a_line_of_a_main_file_and_a_long_command_stands_alone(
    shell: Shell,
):
    repo, core = Repo(shell.folder), "core/of/the/whole/project/prices.py"
    repo.git("init", "-q")
    for number in range(1, 4):
        repo.write(core, "".join(f"price_{one} = {one * 1_000}\n" for one in range(number)))
        repo.commit(f"Price {number}")
    repo.write("extras/odd.py", "odd = 'one more thing'\n")
    repo.commit("Odd")
    said = shell("init", "--no-vectors")
    assert f"  companion why {core}:3\n      # why this line is as it is\n" in said.out
    assert f"  companion context {core}\n" in said.out
