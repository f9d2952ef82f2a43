"""How git is run: without hooks, monitors, pagers, external programs, locks or network.

In the C locale, with the settings that change its output pinned. Nothing is ever written. All of git
that Companion runs, it runs here.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from companion.errors import NotARepository, SourceError, UsageError
from companion.records import RepoState
from companion.signals.git.processes import LineDialogue, Stream
from companion.signals.paths import raw_path

ANSWER_WAIT_S = 120
"""Seconds for one small question; a cold disk has taken ten for a large index."""

_SETTINGS = (
    "core.fsmonitor=false",
    "core.quotepath=false",
    "log.showSignature=false",
    "log.diffMerges=off",
    "log.follow=false",
    "log.mailmap=true",
    "diff.relative=false",
)

_KEPT = ("GIT_CONFIG_", "GIT_CEILING_", "GIT_DISCOVERY_", "GIT_EXEC_PATH", "GIT_TEST_")
"""How git's own variables begin that it is given: what it is set to, how far up it looks, where it is installed.

A hook or a script may have left others in the environment, which would point git elsewhere or have it speak out.
"""

_LEFT_OUT = frozenset({"GIT_CONFIG_PARAMETERS", "LANGUAGE"})
"""What a command above handed to its own git, and the user's language before that of `LC_ALL`."""

BARE_DIFF = ("--unified=0", "--no-color", "--no-ext-diff", "--no-textconv")
"""Options of every command that shows what changed: the changed lines alone, as they stand."""

_SET = {
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}
"""GIT_ALLOW_PROTOCOL keeps versions before 2.45, which do not know GIT_NO_LAZY_FETCH, off the network."""


def folder_of(state: RepoState) -> Path:
    """The folder of a checkout on disk; its name in the state may be an escaped one."""
    return folder_at(raw_path(state.root))


def run(
    folder: Path,
    *arguments: str,
    given: bytes | None = None,
    wait_s: float = ANSWER_WAIT_S,
    beside: Mapping[str, str] | None = None,
) -> subprocess.CompletedProcess[bytes]:
    """One git command to its end, whatever it answers; SourceError if git is missing or does not end in time.

    `beside` is added to the environment.
    """
    try:
        return subprocess.run(
            command(folder, *arguments),
            env={**environment(), **(beside or {})},
            input=given if given is not None else b"",
            capture_output=True,
            timeout=wait_s,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise SourceError(
            f"`git {arguments[0]}` did not answer within {wait_s:g} s in {folder}.",
            "Is the disk reachable? Try the command by hand.",
        ) from None


def ask(folder: Path, *arguments: str, fails: bool = False) -> bytes:
    """What git prints; with `fails`, whatever it printed before it failed."""
    answer = run(folder, *arguments)
    if answer.returncode != 0 and not fails:
        raise refusal(folder, answer.stderr)
    return answer.stdout


def dialogue(folder: Path, *arguments: str) -> LineDialogue:
    """A git process that answers line by line."""
    return LineDialogue(command(folder, *arguments), environment())


def stream(folder: Path, *arguments: str, wait_s: float | None = None) -> Stream:
    """The output of one git command, as it comes, for `wait_s` at most."""
    return Stream(command(folder, *arguments), environment(), wait_s)


def names_commit(rev: str) -> bool:
    """Whether a text may be handed to git as the name of a commit: it is no option, and ends nowhere early."""
    return bool(rev) and not rev.startswith("-") and "\0" not in rev


def commit_id(root: Path, rev: str) -> str:
    """The full id of what names a commit; '' if nothing here does."""
    if not names_commit(rev):
        return ""
    answer = ask(root, "rev-parse", "-q", "--verify", f"{rev}^{{commit}}", fails=True)
    return answer.decode("ascii", "replace").strip()


def commit_ids(root: Path, revs: Sequence[str]) -> tuple[str, ...]:
    """The full id of each name of a commit, in their order and by one question; '' for what names none here."""
    asked = [rev if names_commit(rev) and "\n" not in rev else "" for rev in revs]
    given = "".join(f"{rev}^{{commit}}\n" for rev in asked).encode("utf-8", "surrogateescape")
    told = run(root, "cat-file", "--batch-check=%(objectname) %(objecttype)", given=given)
    if told.returncode != 0:
        return tuple(commit_id(root, rev) for rev in asked)  # that says what is wrong
    lines = told.stdout.decode("ascii", "replace").splitlines()
    return tuple(line.removesuffix(" commit") if line.endswith(" commit") else "" for line in lines)


def known_commit(root: Path, rev: str) -> str:
    """The full id of a commit; UsageError if nothing here has that name."""
    sha = commit_id(root, rev)
    if not sha:
        raise UsageError(f"`{rev}` names no commit of {root}.", "See `git log` for those there are.")
    return sha


def refusal(folder: Path, stderr: bytes) -> Exception:
    """Why git would not open a folder, as an error that says what to do."""
    words = stderr.decode("utf-8", "replace")
    if "dubious ownership" in words or "is owned by someone else" in words:
        named = re.search(r"repository (?:at )?'(.+?)'", words)
        place = named.group(1) if named else str(folder)
        return SourceError(
            f"git refuses {place}: it belongs to another user.",
            f"If you trust it, run `git config --global --add safe.directory '{place}'`.",
        )
    closed = _closed_git_folder(folder)
    if closed is not None:
        return SourceError(f"{closed} cannot be read with your rights.", f"See `ls -ld {closed}`.")
    lost = re.search(r"not a git repository: (.+)", words)
    if lost:
        return SourceError(
            f"{folder} belongs to a git folder that is not there: {lost.group(1)}.",
            "If the repository was moved, run `git worktree repair` in it (for a submodule `git submodule update "
            "--init` in the repository around it); else this folder is nobody's any more.",
        )
    if "not a git repository" in words:
        return NotARepository(
            f"{folder} is not inside a git repository.",
            "Run `git init` there, or give another folder.",
        )
    return SourceError(f"git cannot open {folder}: {said(stderr)}.", next_step(folder, stderr))


def _closed_git_folder(folder: Path) -> Path | None:
    """The git folder that is there and cannot be opened; git itself speaks of no repository then."""
    for above in (folder, *folder.parents):
        for place in (above / ".git", above / ".git" / "objects"):
            try:
                if place.is_dir() and not os.access(place, os.R_OK | os.X_OK):
                    return place
            except OSError:
                return place.parent
    return None


def folder_at(raw: bytes) -> Path:
    """The folder whose name git gave as bytes."""
    return Path(os.fsdecode(raw))


def one_line(raw: bytes) -> bytes:
    """An answer without its line end (a folder's name may hold others)."""
    return raw.removesuffix(b"\n").removesuffix(b"\r")


def said(stderr: bytes) -> str:
    """The first line of a complaint."""
    lines = stderr.decode("utf-8", "replace").strip().splitlines()
    return lines[0].rstrip(".") if lines else "it gave no reason"


def next_step(folder: Path, stderr: bytes) -> str:
    """What to do about a complaint: look at the settings where it is about them, else for damage."""
    if _ABOUT_SETTINGS.search(said(stderr)):
        return f"See git's settings: `git config --list --show-origin` in {folder}."
    return f"Run `git -C {folder} fsck` to see what is wrong."


_ABOUT_SETTINGS = re.compile(r"\bconfig\b|\bexclude file\b|\brepo version\b|\brepository extensions?\b")
"""Words of git's complaints about its settings; a repository that it cannot read for them is whole."""


def command(folder: Path, *arguments: str) -> list[str]:
    """A git command line; raises SourceError if there is no git."""
    settings = [part for setting in _SETTINGS for part in ("-c", setting)]
    return [_program(), "--no-pager", *settings, "-C", str(folder), *arguments]


def environment() -> Mapping[str, str]:
    """The environment git runs in: the user's, less what would point it elsewhere or let it speak out."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_") or name.startswith(_KEPT)}
    return {name: value for name, value in kept.items() if name not in _LEFT_OUT} | _SET


def _program() -> str:
    found = shutil.which("git")
    if not found:
        raise SourceError("git was not found.", "Install git and make sure it is on the PATH.")
    return found
