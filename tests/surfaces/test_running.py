"""`companion run` and the shell hooks: the command is as without us, and what is recorded of it is what it was."""

from __future__ import annotations

import os
import random
import shutil
import signal
import string
import subprocess
import sys
import time
from pathlib import Path

import pytest

from companion.records.command_line import is_ignored, step_of, steps_of, without_variables
from companion.surfaces.cli.streams import KEPT_BYTES, Tail
from companion.surfaces.cli.terminal import run_through
from surfaces.shells import PROGRAM, Shell
from surfaces.terminals import DEADLINE_S, terminal

posix = pytest.mark.skipif(os.name != "posix", reason="terminals and signals are those of POSIX")
TOKEN = "ghp_" + "".join(random.Random(11).choices(string.ascii_letters + string.digits, k=36))

READ = """
import duckdb, json, sys
connection = duckdb.connect(sys.argv[1], read_only=True)
rows = connection.execute("select command, directory, exit_code, step, failure <> '' from commands order by started_at")
print(json.dumps(rows.fetchall()))
"""


@pytest.fixture
def asked(shop: Shell) -> Shell:
    """The shop without a daemon: each command writes for itself."""
    return shop.with_(daemon="never")


def recorded(shell: Shell, least: int = 0) -> list[list[object]]:
    """Commands in the store; waits until there are so many."""
    import json

    end = time.monotonic() + DEADLINE_S
    while True:
        said = shell.other([sys.executable, "-c", READ, str(shell.home / "companion.duckdb")])
        found: list[list[object]] = json.loads(said.out) if said.code == 0 else []
        if said.code == 0 and len(found) >= least:
            return found
        assert time.monotonic() < end, (said.err, found)
        time.sleep(0.1)


def nothing_in(folder: Path, secret: str) -> bool:
    return all(secret.encode() not in file.read_bytes() for file in folder.rglob("*") if file.is_file())


@posix
def test_exit_codes_from_0_to_255_are_the_commands_own():
    assert [run_through(["sh", "-c", f"exit {code}"]).code for code in range(256)] == list(range(256))


@posix
@pytest.mark.parametrize("code", [0, 1, 77, 255])
def test_the_program_ends_as_the_command_did(newcomer: Shell, code: int):
    assert newcomer.run("run", "--", "sh", "-c", f"exit {code}").code == code


@posix
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL, signal.SIGINT, signal.SIGSEGV])
def test_a_command_ended_by_a_signal_ends_us_by_the_same(newcomer: Shell, number: int):
    assert newcomer.run("run", "--", "sh", "-c", f"kill -{int(number)} $$").code == -number


def test_a_missing_program_is_127_and_says_so(newcomer: Shell):
    said = newcomer.run("run", "--", "no-such-program-here")
    assert (said.code, said.err) == (127, "companion: no-such-program-here: command not found\n")


@posix
def test_outputs_arrive_whole_apart_and_in_order(newcomer: Shell):
    apart = newcomer.run("run", "--", "sh", "-c", "echo one; echo two >&2; echo three")
    assert (apart.out, apart.err) == ("one\nthree\n", "two\n")
    script = "for n in 1 2 3 4 5 6 7 8 9; do echo out $n; echo err $n >&2; done"
    done = subprocess.run(
        [*PROGRAM, "run", "--", "sh", "-c", script],
        cwd=newcomer.folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=True,
    )
    assert done.stdout.decode().split("\n") == [
        *(f"{kind} {n}" for n in range(1, 10) for kind in ("out", "err")),
        "",
    ]


@posix
def test_a_reader_that_leaves_ends_the_command_as_without_us(newcomer: Shell):
    line = " ".join(f"'{part}'" if " " in part else part for part in PROGRAM[:1])
    script = f'{line} -c "{PROGRAM[2]}" run -- yes | head -1; echo "${{PIPESTATUS[0]}}"'
    done = subprocess.run(["bash", "-c", script], capture_output=True, cwd=newcomer.folder, timeout=60, check=True)
    assert done.stdout.decode().split() == ["y", "141"]


@posix
def test_what_the_command_leaves_in_the_background_goes_on_writing_and_is_not_waited_for(newcomer: Shell):
    script = "(sleep 1; echo later) & echo now"
    with subprocess.Popen(
        [*PROGRAM, "run", "--", "sh", "-c", script], cwd=newcomer.folder, stdout=subprocess.PIPE
    ) as started:
        assert started.stdout is not None
        assert started.stdout.readline() == b"now\n"
        assert started.wait(DEADLINE_S) == 0
        assert started.stdout.read() == b"later\n"


@posix
def test_a_file_as_output_is_the_commands_own(newcomer: Shell, tmp_path: Path):
    place = tmp_path / "out"
    with place.open("wb") as target:
        subprocess.run(
            [*PROGRAM, "run", "--", sys.executable, "-c", "import os, stat; print(stat.S_ISREG(os.fstat(1).st_mode))"],
            cwd=newcomer.folder,
            stdout=target,
            check=True,
        )
    assert place.read_text() == "True\n"


@posix
def test_the_tail_that_is_kept_is_the_end():
    tail, pieces = Tail(), [b"%05d," % number for number in range(KEPT_BYTES)]
    for piece in pieces:
        tail.add(piece)
    assert tail.text() == b"".join(pieces).decode()[-KEPT_BYTES:]


@posix
class TestInATerminal:
    def test_the_command_has_a_terminal_its_size_and_its_keys(self, newcomer: Shell):
        script = (
            "test -t 0 && test -t 1 && test -t 2 && : < /dev/tty && stty size; read x; echo got $x; stty size; exit 7"
        )
        with terminal([*PROGRAM, "run", "--", "sh", "-c", script], newcomer.folder, newcomer._environment()) as shown:
            shown.wait_for("24 80")
            shown.resize(30, 100)
            shown.type("hello\n")
            shown.wait_for("got hello")
            assert shown.end() == 7
        assert b"30 100" in shown.said

    def test_ctrl_c_reaches_the_command_and_its_answer_is_ours(self, newcomer: Shell):
        script = "trap 'echo caught; exit 5' INT; echo ready; while :; do sleep 0.1; done"
        with terminal([*PROGRAM, "run", "--", "sh", "-c", script], newcomer.folder, newcomer._environment()) as shown:
            shown.wait_for("ready")
            shown.type("\x03")
            shown.wait_for("caught")
            assert shown.end() == 5

    def test_ctrl_c_ends_a_command_that_does_not_listen(self, newcomer: Shell):
        with terminal(
            [*PROGRAM, "run", "--", "sh", "-c", "echo ready; exec sleep 60"], newcomer.folder, newcomer._environment()
        ) as shown:
            shown.wait_for("ready")
            shown.type("\x03")
            assert shown.end() == -signal.SIGINT

    def test_ctrl_z_stops_it_and_fg_goes_on(self, newcomer: Shell, tmp_path: Path):
        environment = {**newcomer._environment(), "PS1": "> ", "TERM": "dumb", "HISTFILE": str(tmp_path / "history")}
        command = f"{sys.executable} -m companion.surfaces.cli run -- sh -c 'echo rea''dy; read x; echo got $x'\n"
        with terminal(["bash", "--norc", "--noprofile", "-i"], newcomer.folder, environment) as shown:
            shown.wait_for("> ")
            shown.type(command)
            shown.wait_for("ready\r\n")
            shown.type("\x1a")
            shown.wait_for("Stopped")
            shown.type("fg\n")
            shown.wait_for("fg")
            shown.type("on\n")
            shown.wait_for("got on")
            shown.wait_for("> ")
            shown.type("exit\n")
            assert shown.end() == 0

    def test_a_hang_up_ends_the_command_too(self, newcomer: Shell, tmp_path: Path):
        mark = tmp_path / "gone"
        script = f"trap 'touch {mark}; exit' HUP TERM; echo ready; while :; do sleep 0.1; done"
        with terminal([*PROGRAM, "run", "--", "sh", "-c", script], newcomer.folder, newcomer._environment()) as shown:
            shown.wait_for("ready")
            os.kill(shown.pid, signal.SIGTERM)
            shown.end()
        assert mark.exists()


@posix
class TestRecording:
    def test_command_folder_exit_code_and_step_are_kept(self, asked: Shell):
        below = asked.at(asked.folder / "shop")
        assert below.run("run", "--", "sh", "-c", "exit 3").code == 3
        assert recorded(asked, 1) == [["sh -c 'exit 3'", "shop", 3, "", False]]

    def test_an_error_that_was_printed_is_known_afterwards(self, asked: Shell):
        script = "import sys; sys.exit(\"KeyError: 'till'\")"
        assert asked.run("run", "--", sys.executable, "-c", script).code == 1
        assert recorded(asked, 1)[0][4] is True
        assert "KeyError: 'till'" in asked.run("search", "KeyError till").out

    def test_neither_arguments_environment_nor_output_bring_a_secret_into_the_store(self, asked: Shell):
        script = "import os, sys; print('token', os.environ['SERVICE_TOKEN']); sys.exit('ValueError: ' + sys.argv[1])"
        said = asked.run(
            "run", "--", sys.executable, "-c", script, f"--token={TOKEN}", environment={"SERVICE_TOKEN": TOKEN}
        )
        assert said.code == 1
        assert len(recorded(asked, 1)) == 1
        assert nothing_in(asked.home, TOKEN)

    @pytest.mark.parametrize("command", ["ssh -V", "sh -c 'echo my-password'", "gpg --version"])
    def test_what_is_to_be_ignored_is_run_and_not_kept(self, asked: Shell, command: str):
        import shlex

        asked.run("run", "--", *shlex.split(command))
        assert recorded(asked) == []

    def test_the_list_of_what_is_ignored_is_a_setting(self, asked: Shell):
        own = asked.with_(run_ignore="sh *;make *")
        own.run("run", "--", "sh", "-c", ":")
        own.run("run", "--", "true")
        assert [row[0] for row in recorded(asked, 1)] == ["true"]

    def test_a_folder_outside_of_any_repository_is_nobodys_business(self, newcomer: Shell):
        said = newcomer.run("run", "--", "true")
        assert (said.code, said.out, said.err) == (0, "", "")
        assert not newcomer.home.exists()

    def test_a_store_that_cannot_be_opened_costs_one_line_and_not_the_command(self, asked: Shell):
        (asked.home / "companion.duckdb").write_bytes(b"not a store")
        said = asked.run("run", "--", "sh", "-c", "echo fine; exit 4")
        assert (said.code, said.out) == (4, "fine\n")
        assert said.err.startswith("companion: this command was not recorded.")
        assert said.err.count("\n") == 1


HOOKED = {
    "bash": (["bash", "--norc", "--noprofile", "-i"], 'eval "$({program} shell-hook bash)"'),
    "zsh": (["zsh", "-f", "-i"], 'eval "$({program} shell-hook zsh)"'),
    "fish": (["fish", "-i"], " {program} shell-hook fish | source"),
}


@posix
@pytest.mark.parametrize("name", HOOKED)
def test_a_hooked_shell_tells_of_its_commands_but_not_of_those_with_a_space_before(
    asked: Shell, name: str, tmp_path: Path
):
    if shutil.which(name) is None:
        pytest.skip(f"{name} is not installed")
    command, hook = HOOKED[name]
    program = f"{sys.executable} -m companion.surfaces.cli"
    environment = {
        **asked._environment(),
        "HOME": str(tmp_path),
        "XDG_CONFIG_HOME": str(tmp_path / "config"),
        "XDG_DATA_HOME": str(tmp_path / "data"),
        "HISTFILE": str(tmp_path / "history"),
        "HISTCONTROL": "ignoreboth",
        "TERM": "dumb",
    }
    typed = [
        "sh -c 'exit 3'",
        " sh -c 'exit 4'",
        f"SERVICE_TOKEN={TOKEN} sh -c 'exit 5'",
        "sh -c 'exit 5' my-password",
        "true && true",
        "true && true",
    ]
    with terminal(command, asked.folder, environment) as shown:
        shown.type(hook.format(program=program) + "\n")
        for number, line in enumerate(typed):
            shown.type(f"{line}\n")
            shown.type(f" echo mark-''{number}\n")
            shown.wait_for(f"mark-{number}")
        shown.type("exit\n")
        shown.end()
    found = recorded(asked, 4)
    # Without a daemon each command is told by a process of its own, and these may overtake one another.
    assert sorted((row[0], row[2]) for row in found) == [
        ("sh -c 'exit 3'", 3),
        ("sh -c 'exit 5'", 5),
        ("true && true", 0),
        ("true && true", 0),
    ]
    assert nothing_in(asked.home, TOKEN)


def test_every_hook_says_how_to_take_it_out(visited_shop: Shell):
    for name in HOOKED:
        said = visited_shop.plainly("shell-hook", name, "--uninstall")
        assert said.code == 0
        assert "companion shell-hook" in said.out
        assert "Remove this line" in said.out


def test_a_shell_there_is_no_hook_for_is_refused(visited_shop: Shell):
    said = visited_shop.plainly("shell-hook", "tcsh")
    assert said.code == 2
    assert "bash, zsh, fish" in said.words


@pytest.mark.parametrize(
    ("typed", "kept", "steps"),
    [
        ("A=1 B='x y' make test -j4", "make test -j4", ("make test",)),
        ("env FOO=$(cat a b) ./run.sh a", "env ./run.sh a", ("./run.sh",)),
        ("git commit -m 'a && b'", "git commit -m 'a && b'", ("git commit",)),
        ("make lint && make test", "make lint && make test", ("make lint", "make test")),
        ("sudo -E apt-get install x", "sudo -E apt-get install x", ("apt-get install",)),
        ("git -C x push", "git -C x push", ("git push",)),
        ("SECRET=abc", "", ()),
        ("ls", "ls", ()),
        ("vim a.py && clear", "vim a.py && clear", ()),
        ("python -m pytest tests", "python -m pytest tests", ("python -m pytest",)),
        ("make || true", "make || true", ()),
        ("pytest 2>&1 | tee log", "pytest 2>&1 | tee log", ("pytest",)),
    ],
)
def test_a_command_line_is_kept_without_variables_and_its_steps_are_known(
    typed: str, kept: str, steps: tuple[str, ...]
):
    assert without_variables(typed) == kept
    assert steps_of(typed) == steps


def test_patterns_fit_the_bare_program_its_path_and_each_part_of_a_line():
    assert all(is_ignored(line, ["ssh *"]) for line in ("ssh", "ssh host", "/usr/bin/ssh host", "make && ssh host"))
    assert not is_ignored("sshd-tool", ["ssh *"])
    assert step_of("git status") == ""
