"""`companion schedule`: have a run come every day, see what was installed for it, and take it out again."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from companion.errors import UsageError
from companion.surfaces.cli.declared import CommandGroup, Option
from companion.surfaces.cli.options import AsJson, Repo, agree, companion_for
from companion.surfaces.cli.output import print_answer, print_text
from companion.surfaces.wording import printable

if TYPE_CHECKING:
    from companion.surfaces.cli.timers import Job

AT = "03:30"
"""When most people sleep; a computer that sleeps too catches up when it wakes."""
_TIME = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)")

With = Annotated[
    str, Option("--with", metavar="TIMER", help="systemd, cron, launchd or schtasks.", show_default="what is there")
]

schedule_app = CommandGroup("Schedule a daily consolidation run; show it, and remove it.")


@schedule_app.command()
def install(
    at: Annotated[str, Option("--at", metavar="HH:MM", help="When, by the clock of this computer.")] = AT,
    system: With = "",
    yes: Annotated[bool, Option("--yes", "-y", help="Do not ask.")] = False,
    as_json: AsJson = False,
    repo: Repo = Path(),
) -> None:
    """Have this repository consolidated every day; shows what will be written, and asks first.

    What each run came to is logged; `companion doctor` looks at the last.

    Example: `companion schedule install --at 03:30`
    """
    from companion.client import schedule_log
    from companion.surfaces.cli.timers import timer_for

    job, timer = _job(repo, at), timer_for(system)
    planned = timer.planned(job)
    if not as_json:
        print_text(f"By {timer.system}, every day at {job.hour:02}:{job.minute:02}:\n\n{planned}")
    if not yes:
        agree("Install this?", as_json=as_json)
    changed = timer.install(job)
    schedule_log(job.root).installed(job.command)
    done = "Installed." if changed else "It was installed already; nothing was changed."
    print_answer(
        {"timer": timer.system, "name": job.name, "changed": changed, "written": planned},
        f"{done}\n`companion schedule show` shows it, `companion schedule remove` removes it.",
        as_json,
    )


@schedule_app.command()
def remove(system: With = "", as_json: AsJson = False, repo: Repo = Path()) -> None:
    """Take this repository's run out of the schedule again.

    Example: `companion schedule remove`
    """
    from companion.client import schedule_log
    from companion.surfaces.cli.timers import timer_for

    timer, root = timer_for(system), _root(repo)
    removed = timer.remove(_name(root))
    schedule_log(root).removed()
    print_answer(
        {"timer": timer.system, "removed": removed},
        "Removed." if removed else "Nothing was installed for this repository.",
        as_json,
    )


@schedule_app.command()
def show(system: With = "", as_json: AsJson = False, repo: Repo = Path()) -> None:
    """Show what is installed for this repository, to the letter.

    Example: `companion schedule show`
    """
    from companion.surfaces.cli.timers import timer_for

    timer = timer_for(system)
    name = _name(_root(repo))
    shown = timer.shown(name)
    none = "Nothing is installed for this repository: `companion schedule install` has a run come every day."
    print_answer(
        {"timer": timer.system, "name": name, "installed": bool(shown), "written": shown},
        f"By {timer.system}:\n\n{shown}" if shown else none,
        as_json,
    )


def _job(repo: Path, at: str) -> Job:
    from companion.surfaces.cli.timers import Job

    found = _TIME.fullmatch(at.strip())
    if found is None:
        raise UsageError(f"`{at}` is not a time of day.", "Write hours and minutes: `--at 03:30`.")
    root, home = _root(repo), os.environ.get("COMPANION_HOME", "")
    command = (sys.executable, "-m", "companion.surfaces.cli", "consolidate", "--scheduled", "-C", root)
    for word in (*command, home):
        if not word.isprintable():
            raise UsageError(f"{printable(word)} cannot be part of a schedule.", "Rename the folder, then try again.")
    home = str(Path(home).expanduser().absolute()) if home else ""
    return Job(_name(root), command, root, home, int(found[1]), int(found[2]))


def _root(repo: Path) -> str:
    """The root of the repository, which must have been read."""
    with companion_for(repo) as companion:
        return companion.stats().root


def _name(root: str) -> str:
    """The name of a checkout's timer."""
    from companion.client import schedule_log

    return schedule_log(root).path.stem
