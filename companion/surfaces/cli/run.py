"""Commands about commands: run one and remember how it went, or have a shell tell of all that it runs."""

from __future__ import annotations

import shlex
import shutil
import sys
from importlib.resources import files
from typing import Annotated

from companion.errors import UsageError
from companion.surfaces.cli.declared import Option, Positional
from companion.surfaces.cli.output import Verbatim, print_answer

SHELLS = {"bash": "~/.bashrc", "zsh": "~/.zshrc", "fish": "~/.config/fish/config.fish"}
"""Shells there is a hook for, and the file that each reads when it starts."""
LINES = {
    "bash": 'eval "$(companion shell-hook bash)"',
    "zsh": 'eval "$(companion shell-hook zsh)"',
    "fish": "companion shell-hook fish | source",
}
"""What is written into that file."""


def run(
    command: Annotated[list[str], Positional(metavar="-- COMMAND…", help="The command and its arguments.")],
) -> None:
    """Run a command as it is, and remember how it went: exit code, duration, and the errors it printed.

    Terminal, colours, signals and exit code are the command's own. Never kept: its environment, secrets, and
    what the setting `run_ignore` names. Once it passes again, the change between is remembered as the fix.

    Example: `companion run -- pytest -q`
    """
    from companion.surfaces.cli.record import run as run_it

    raise SystemExit(run_it(command))


def shell_hook(
    shell: Annotated[str, Positional(help="bash, zsh or fish.")],
    uninstall: Annotated[bool, Option("--uninstall", help="Show how to remove the hook.")] = False,
    as_json: Annotated[bool, Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Print a hook that tells the companion of each command you type: what, where, exit code and duration.

    Putting it into your shell's file is your consent; outside of repositories that `companion init` has read
    nothing is kept. A space before a command leaves it out, and so do your history's own rules and the
    setting `run_ignore`.

    Example: `companion shell-hook bash >> ~/.bashrc`
    """
    if shell not in SHELLS:
        raise UsageError(f"There is no hook for `{shell}`.", f"Choose one of: {', '.join(SHELLS)}.")
    text = _how_to_remove(shell) if uninstall else hook_text(shell)
    print_answer({"shell": shell, "file": SHELLS[shell], "line": LINES[shell], "text": text}, Verbatim(text), as_json)


def hook_text(shell: str) -> str:
    """The hook for a shell, as that shell reads it."""
    text = (files("companion.surfaces.cli") / "hooks" / f"hook.{shell}").read_text(encoding="utf-8")
    return text.replace("@RECORD@", f"command nohup {_program()} record" if shell == "fish" else f"{_program()} record")


def _program() -> str:
    """This program as a shell can call it, whatever its PATH will be."""
    found = shutil.which(sys.argv[0])
    return shlex.quote(found) if found else f"{shlex.quote(sys.executable)} -m companion.surfaces.cli"


def _how_to_remove(shell: str) -> str:
    return "\n".join(
        (
            f"Remove this line from {SHELLS[shell]} (or the hook, if you copied it there), then open a new shell:",
            f"  {LINES[shell]}",
            "What was recorded stays; `companion forget ID` forgets what you name.",
        )
    )
