"""Runs from the command line: carried out, reported on a page that nothing can break, undone, scheduled and logged."""

from __future__ import annotations

import os
import plistlib
import re
import sys
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from msgspec.structs import replace

from companion.api import DecisionNeeded, Detail, Involved, PassReport, RunChange, RunReport
from companion.escape import markdown_literal, one_line
from companion.records import Merge, Oppose, Relate, Relation, Retire, Shorten, Supersede, Unite, Warm
from companion.records.runs import ChangeState, RunState
from companion.records.sorts import Level, Warmth
from companion.surfaces.cli.run_report import page
from companion.surfaces.cli.timers import Cron, Job, Launchd, Systemd, WindowsTasks
from surfaces.conftest import NOTE
from surfaces.shells import PROGRAM, Shell
from surfaces.terminals import terminal

posix = pytest.mark.skipif(os.name != "posix", reason="stand-ins for the system's commands are shell scripts")
EVIL = "# Heading\n</details><script>alert(1)</script> [click](http://x) `code` | cell | ~~gone~~ \u202ekcab &lt;"


@pytest.fixture
def shell(shop: Shell) -> Shell:
    """The shop without a daemon: each command opens the store itself."""
    return shop.with_(daemon="never")


# ------------------------------------------------------------------------------- commands


def test_a_dry_run_tells_how_to_look_and_how_to_do_it_and_is_done_exactly(shell: Shell):
    planned = shell("consolidate", "--dry-run", "--json").json
    assert planned["dry_run"]
    assert shell("reports", "--json").json[0]["id"] == planned["run"]
    done = shell("consolidate", "--run", planned["run"][:10], "--json").json
    assert (done["run"], done["state"]) == (planned["run"], "applied")
    assert [one["change"] for one in done["changes"]] == [one["change"] for one in planned["changes"]]
    again = shell("consolidate", "--run", planned["run"])
    assert again.code == 2
    assert "companion consolidate --dry-run" in again.words


def test_people_are_told_what_was_done_and_how_to_take_it_back(shell: Shell):
    said = shell("consolidate")
    assert said.code == 0
    assert "companion undo n1" in said.words
    run = shell("reports", "--json").json[0]["id"]
    assert f"companion undo {run[:12]}" in shell("reports", "last").words
    taken = shell("undo", "last")
    assert "undone." in taken.words
    assert "was left to undo" in shell("undo", run).words
    assert shell("undo", run, "--json").json["undone"] == 0
    assert shell("reports", "--json").json[0]["state"] == "undone"


def test_one_change_is_taken_back_by_its_number(shell: Shell):
    told = shell("consolidate", "--json").json
    numbers = [one["number"] for one in told["changes"] if one["state"] == "applied"]
    assert numbers
    assert shell("undo", told["run"], str(numbers[0]), "--json").json["undone"] == 1
    assert shell("undo", told["run"], "1000000").code == 2


def test_the_report_is_a_page_or_json_with_every_change(shell: Shell):
    assert shell("consolidate").out.startswith("# shop: consolidation of ")
    told = shell("reports", "last", "--all", "--json").json
    assert [one["number"] for one in told["changes"]] == list(range(1, told["changes_total"] + 1))


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("consolidate", "--pass", "gossip"), "Choose among"),
        (("consolidate", "--run", "n1nothing"), "companion reports"),
        (("undo", "n1nothing"), "companion reports"),
        (("reports", "n1nothing"), "companion reports"),
        (("schedule", "install", "--at", "25:00"), "--at 03:30"),
        (("schedule", "show", "--with", "sundial"), "systemd"),
    ],
)
def test_what_makes_no_sense_is_refused_with_what_does(shell: Shell, arguments: tuple[str, ...], says: str):
    refused = shell(*arguments)
    assert refused.code == 2
    assert says in refused.words


def test_a_purge_asks_first_and_does_nothing_where_nobody_can_be_asked(shell: Shell):
    told = shell("purge", "--dry-run", "--json").json
    assert (told["dry_run"], told["grace_days"], told["memories"]) == (True, 180, 0)
    assert shell("purge", "--yes").code == 0


def test_a_shell_completes_the_names_of_passes_and_runs(shell: Shell):
    run = shell("consolidate", "--dry-run", "--json").json["run"][:12]
    for typed, wanted in (("companion consolidate --pass ", "compress"), ("companion consolidate --run ", run)):
        asking = {"_COMPANION_COMPLETE": "complete_bash", "COMP_WORDS": typed, "COMP_CWORD": "3"}
        assert wanted in shell.run(environment=asking).out.split()


# ------------------------------------------------------------------------------- the page

MARKDOWN = MarkdownIt("commonmark").enable(["strikethrough", "table"])
TEXTS = st.text(alphabet=st.sampled_from("ab #*_`[]()<>&|~\\!-\n\r\t\x00\u2028\u202e\ud800"), max_size=60)


@given(TEXTS, st.integers(2, 60))
def test_no_text_of_a_memory_opens_anything_on_the_page(text: str, most: int):
    shown = markdown_literal(text, most)
    for before in ("", "# ", "- ", "- `17` ") if shown else ():
        (inline,) = (one for one in MARKDOWN.parse(f"{before}{shown}") if one.type == "inline")
        parts = [one for one in inline.children or () if one.type != "code_inline"]
        assert {one.type for one in parts} <= {"text", "text_special"}
        assert "".join(one.content for one in parts).strip() == one_line(text, most)


def full_report() -> RunReport:
    """A run with a change of each sort, about memories whose texts mean harm."""
    evil = Involved("m1" + "a" * 30, "fact", EVIL, EVIL, (EVIL, "a`b"))
    other = replace(evil, id="m1" + "b" * 30)
    changes = (
        Oppose(evil.id, other.id, 0.9, "rules", EVIL),
        Merge(evil.id, (other.id,), EVIL),
        Supersede(evil.id, other.id, EVIL),
        Shorten(evil.id, Level.SUMMARY, 12, EVIL),
        Retire(evil.id, EVIL),
        Unite(EVIL, "file:x", EVIL),
        Warm(evil.id, Warmth.COLD, EVIL),
        Relate(Relation.NEAR, evil.id, other.id, 0.5, EVIL),
    )
    told = tuple(
        RunChange(number, EVIL, change, EVIL, ChangeState.APPLIED, "", (evil, other), "x1abc" if number == 1 else "")
        for number, change in enumerate(changes, 1)
    )
    refused = RunChange(9, "forget", Retire(evil.id, "old"), "old", ChangeState.REFUSED, EVIL, ())
    now = datetime(2026, 1, 5, 3, 30)
    return RunReport(
        run="n1abc",
        project=EVIL,
        dry_run=False,
        state=RunState.APPLIED,
        asked_by="idle",
        planned_at=now,
        started_at=now,
        ended_at=now + timedelta(seconds=2),
        deduped=1,
        superseded=1,
        compressed=1,
        tokens_saved=12,
        forgotten=1,
        contradictions_found=1,
        decisions=(DecisionNeeded("x1abc", EVIL, 0.9, (evil, other), "companion resolve x1abc", ("a_wins", "merged")),),
        decisions_total=3,
        questions_waiting=2,
        linked=1,
        moved=1,
        united=1,
        refused=1,
        details=(Detail("Relate", "near", 1),),
        passes=(PassReport(EVIL, 1, 0.5, 1, (("kept", 2),), EVIL),),
        changes_total=9,
        changes=(*told, refused),
        notes=(EVIL,),
    )


def test_the_page_has_each_section_once_in_order_and_every_line_is_ours():
    text = page(full_report(), everything=True)
    headings = [line.partition(" (")[0] for line in text.splitlines() if line.startswith("##")]
    assert headings == [
        *("## Forgotten", "## Merged", "## Superseded or outdated", "## For you to decide", "## Summarised"),
        *("## Renames and aliases", "## Not done", "## Contradictions found", "## Related", "## Warmth and rank"),
        "## Steps",
    ]
    prose = re.sub("`[^`]*`", "", text)
    assert not re.search(r"(?<!\\)<", prose)
    assert not re.search(r"(?<!\\)\]\(", prose)
    assert "\u202e" not in text
    starts = ("#", "- ", "1. ", "   - ", "|", "> ", "**", "Run `", "`companion", "2 more")
    sentences = {line for line in text.splitlines() if line and not line.startswith(starts)}
    assert all(line[0].isupper() or line.startswith("something") for line in sentences), sentences


def test_links_and_warmth_are_one_line_until_all_is_asked_for():
    text = page(full_report())
    assert "linked" not in text
    assert "moved to cold" not in text
    (line,) = [one for one in text.splitlines() if one.startswith("Not shown: ")]
    assert "1 under “Related”, 1 under “Warmth and rank”" in line
    assert "companion reports n1abc --all" in line


def test_a_list_is_cut_and_says_how_all_of_it_is_shown():
    report = full_report()
    many = tuple(replace(report.changes[4], number=number) for number in range(1, 14))
    long = replace(report, changes=many, forgotten=30)
    assert "- … and 20 more: `companion reports n1abc --all` shows all." in page(long)
    assert page(long, everything=True).count(" was forgotten. ") == 13


def test_the_page_says_how_to_decide_how_to_get_back_and_how_to_undo():
    text = page(full_report())
    for command in ("companion resolve x1abc a_wins`, or `merged`", "companion search WORDS", "companion undo n1abc"):
        assert command in text
    assert "companion consolidate --run n1abc" in page(replace(full_report(), state=RunState.PLANNED, dry_run=True))


def test_what_was_forgotten_and_merged_leads_the_headline_and_an_undone_change_is_only_said_beside_it():
    report = full_report()
    headline = "1 memory was forgotten, 1 was merged into others, 1 was superseded or outdated and 1 was summarised."
    assert f"**{headline} 3 decisions are up to you.**" in page(report)
    undone = tuple(replace(one, state=ChangeState.UNDONE) for one in report.changes[:2]) + report.changes[2:]
    later = page(replace(report, changes=undone, undone=2))
    assert f"**{headline} 3 decisions are up to you. 2 of its changes were undone later.**" in later


def test_a_run_that_changed_nothing_says_so_in_one_sentence():
    quiet = RunReport(
        run="n1abc",
        project="shop",
        dry_run=False,
        state=RunState.APPLIED,
        asked_by="command",
        planned_at=datetime(2026, 1, 5),
    )
    text = page(quiet)
    assert "**This run changed nothing.**" in text
    assert "##" not in text
    assert "undo" not in text


# --------------------------------------------------------------------------- the schedule

JOB = Job(
    "companion-night-0123456789", ("/opt/a b/python", "-m", "x", "100%", "$HOME"), '/src/100% "mine"', "/data", 3, 5
)

SYSTEMCTL = """#!/bin/sh
echo "$@" >> "$FAKES/asked"
"""
CRONTAB = """#!/bin/sh
if [ "$1" = "-l" ]; then
    if [ -e "$FAKES/table" ]; then cat "$FAKES/table"; else echo "no crontab for me" >&2; exit 1; fi
else
    cat > "$FAKES/table"
    echo written >> "$FAKES/asked"
fi
"""


@pytest.fixture
def fakes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Stand-ins for the system's commands on the PATH, and a home of nobody's."""
    folder = tmp_path / "fakes"
    folder.mkdir()
    for name, text in (("systemctl", SYSTEMCTL), ("crontab", CRONTAB), ("launchctl", SYSTEMCTL)):
        (folder / name).write_text(text)
        (folder / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("FAKES", str(folder))
    monkeypatch.setenv("HOME", str(tmp_path / "me"))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    return folder


def asked(fakes: Path) -> list[str]:
    path = fakes / "asked"
    return path.read_text().splitlines() if path.exists() else []


@posix
def test_systemd_gets_two_files_that_mean_what_they_say_and_loses_them_again(fakes: Path, tmp_path: Path):
    timer = Systemd()
    units = tmp_path / "me" / ".config" / "systemd" / "user"
    planned = timer.planned(JOB)
    assert not units.exists()
    assert not asked(fakes)
    assert timer.install(JOB)
    service = (units / f"{JOB.name}.service").read_text()
    assert 'ExecStart="/opt/a b/python" "-m" "x" "100%%" "$$HOME"' in service
    assert 'Environment="COMPANION_HOME=/data"' in service
    assert "OnCalendar=*-*-* 03:05:00" in (units / f"{JOB.name}.timer").read_text()
    assert all(line.strip() in planned for line in service.splitlines())
    assert asked(fakes) == ["--user daemon-reload", f"--user enable --now {JOB.name}.timer"]
    assert not timer.install(JOB), "the same again changes nothing"
    assert "ExecStart" in timer.shown(JOB.name)
    assert timer.remove(JOB.name)
    assert not list(units.iterdir())
    assert not timer.remove(JOB.name)
    assert timer.shown(JOB.name) == ""


@posix
def test_cron_gets_one_line_between_marks_and_all_others_stay(fakes: Path):
    (fakes / "table").write_text("MAILTO=me\n0 1 * * * backup # 100%\n")
    timer = Cron()
    assert timer.install(JOB)
    first = (fakes / "table").read_text()
    assert first.startswith("MAILTO=me\n0 1 * * * backup # 100%\n")
    assert "5 3 * * * env COMPANION_HOME=/data nice -n 10 '/opt/a b/python' -m x 100\\% '$HOME' >/dev/null" in first
    assert not timer.install(JOB)
    assert timer.install(replace(JOB, hour=4))
    assert (fakes / "table").read_text().count(JOB.name) == 2
    assert "5 4 * * *" in timer.shown(JOB.name)
    assert timer.remove(JOB.name)
    assert (fakes / "table").read_text() == "MAILTO=me\n0 1 * * * backup # 100%\n"
    assert not timer.remove(JOB.name)


@posix
def test_a_crontab_without_the_end_mark_loses_no_line(fakes: Path):
    begin = f"# {JOB.name}: written by `companion schedule install`"
    (fakes / "table").write_text(f"{begin}\n0 1 * * * mine\n")
    Cron().remove(JOB.name)
    assert "0 1 * * * mine" in (fakes / "table").read_text()


@posix
def test_launchd_gets_an_agent_and_loses_it_again(fakes: Path, tmp_path: Path):
    timer = Launchd()
    assert timer.install(JOB)
    path = tmp_path / "me" / "Library" / "LaunchAgents" / f"{JOB.name}.plist"
    told = plistlib.loads(path.read_bytes())
    assert told["ProgramArguments"] == list(JOB.command)
    assert told["StartCalendarInterval"] == {"Hour": 3, "Minute": 5}
    assert told["EnvironmentVariables"] == {"COMPANION_HOME": "/data"}
    assert not timer.install(JOB)
    assert timer.remove(JOB.name)
    assert not path.exists()
    assert [line.split()[0] for line in asked(fakes)] == ["load", "unload", "load", "unload"], (
        "an earlier one goes first"
    )


def test_windows_is_told_one_command_that_names_program_hour_and_data_folder():
    planned = WindowsTasks().planned(JOB)
    assert "/SC DAILY /ST 03:05" in planned
    assert "COMPANION_HOME=/data" in planned


@posix
def test_a_schedule_is_shown_agreed_to_installed_once_and_taken_out(fakes: Path, shell: Shell):
    refused = shell("schedule", "install", "--with", "cron")
    assert refused.code == 2
    assert "--yes" in refused.words
    assert "30 3 * * *" in refused.words
    assert not (fakes / "table").exists(), "nothing before somebody agreed"
    installed = shell("schedule", "install", "--with", "cron", "--yes", "--json").json
    assert installed["changed"]
    assert str(shell.folder) in (fakes / "table").read_text()
    assert f"COMPANION_HOME={shell.home}" in (fakes / "table").read_text()
    assert not shell("schedule", "install", "--with", "cron", "--yes", "--json").json["changed"]
    assert shell("schedule", "show", "--with", "cron", "--json").json["installed"]
    assert "Removed" in shell("schedule", "remove", "--with", "cron").words
    assert not shell("schedule", "show", "--with", "cron", "--json").json["installed"]


@posix
def test_what_was_scheduled_runs_and_doctor_says_how_that_went(fakes: Path, shell: Shell):
    shell("schedule", "install", "--with", "cron", "--yes")
    assert "has not run yet" in scheduled(shell)["what"]
    (line,) = [one for one in (fakes / "table").read_text().splitlines() if not one.startswith("#")]
    command = line.split(" ", 5)[5].removesuffix(" >/dev/null 2>&1").replace("\\%", "%")
    said = shell.other(["/bin/sh", "-c", command])
    assert said.code == 0, said.err
    assert [one["asked_by"] for one in shell("reports", "--json").json] == ["schedule"]
    assert "ended well" in scheduled(shell)["what"]
    (log,) = (shell.home / "logs").glob("*.log")
    run = shell("reports", "--json").json[0]["id"][:12]
    assert f"companion reports {run}" in log.read_text()
    assert NOTE not in log.read_text() + said.out, "what is erased must not stay in a log"
    shell("schedule", "remove", "--with", "cron")
    assert scheduled(shell) == {}


@posix
def test_a_scheduled_run_that_failed_is_named_by_doctor_with_its_words_and_the_next_command(shell: Shell):
    assert shell("consolidate", "--scheduled", "--run", "n1nothing").code == 2
    found = scheduled(shell)
    assert (found["state"], found["next_step"]) == ("warning", "`companion reports` lists them.")
    assert "No run begins with 'n1nothing'" in found["what"]


def scheduled(shell: Shell) -> dict[str, str]:
    """What `doctor` says of the last scheduled run."""
    return next((one for one in shell("doctor", "--json").json if one["name"] == "scheduled run"), {})


@posix
def test_where_the_system_refuses_its_words_are_told(fakes: Path, shell: Shell):
    (fakes / "table").write_text("")
    (fakes / "systemctl").write_text("#!/bin/sh\necho 'no bus' >&2; exit 1\n")
    refused = shell("schedule", "install", "--with", "systemd", "--yes")
    assert refused.code == 2
    assert "no bus" in refused.words


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="what Linux chooses")
def test_without_a_systemd_of_the_users_own_cron_is_chosen(fakes: Path, shell: Shell):
    (fakes / "systemctl").write_text("#!/bin/sh\nexit 1\n")
    assert shell("schedule", "show", "--json").json["timer"] == "cron"


@posix
def test_at_a_terminal_the_question_is_answered(fakes: Path, shell: Shell):
    command = (*PROGRAM, "schedule", "install", "--with", "cron")
    with terminal(command, shell.folder, shell._environment()) as screen:
        screen.wait_for("Install this?")
        screen.type("n\n")
        screen.wait_for("Nothing was changed.")
        assert screen.end() == 0
    assert not (fakes / "table").exists()
