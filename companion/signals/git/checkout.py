"""A checkout as it stands: its folders, branch, remote, root commit, and what it is in the middle of.

A remote that is a folder on this machine is not a name others would know: its own remote is taken
instead, so a clone of a clone stays the same project; if it has none, the remote is ''.
The root commit is the oldest root of the default branch, whichever branch is checked out. In a
shallow clone whose cut hides it, it is '' and `shallow` says why.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol
from urllib.parse import unquote, urlsplit

from companion.errors import NotARepository, UsageError
from companion.records import Person, RepoState
from companion.signals.git.running import ask, commit_id, folder_at, folder_of, one_line, refusal, run
from companion.signals.paths import raw_path, shown_path

LOCAL_REMOTE_DEPTH = 3
"""Clones of clones followed to find a remote with a host; also ends a circle of two."""

NOTE_PARTS = 3
"""Words of a note about a git folder's oldest root: the branch's tip, the root's time, the root."""

HEAD_ANSWER_LINES = 2
"""Lines of git's answer to "which commit, which branch"."""

LINK_MAX_BYTES = 4_096
"""Of a file that leads to a git folder: the longest path that systems allow."""

IN_PROGRESS = {
    "rebase-merge": "rebase",
    "rebase-apply": "rebase",
    "MERGE_HEAD": "merge",
    "CHERRY_PICK_HEAD": "cherry-pick",
    "REVERT_HEAD": "revert",
    "BISECT_LOG": "bisect",
}
"""What lies in a checkout's git folder while git is in the middle of something, and of what."""

USUAL_DEFAULTS = ("main", "master", "trunk", "develop")
"""Names of a default branch, tried in this order where the remote names none."""


class KnownRoots(Protocol):
    """A place that keeps one short note for each git folder, between one opening and the next."""

    def note(self, common_dir: str) -> str:
        """What was kept for a git folder; empty if nothing was."""

    def keep(self, common_dir: str, note: str) -> None:
        """Keep a note for a git folder in place of the one before."""


def open_repository(path: Path, roots: KnownRoots | None = None) -> RepoState:
    """The checkout that a folder or file lies in, as it stands.

    `roots` keeps from one opening to the next which commit is the oldest: that spares a walk over all
    history (0.4 s for 40,000 commits). It is asked once git has shown a repository, and told only what
    is new. Raises UsageError if there is nothing at `path`, NotARepository if no git repository is,
    SourceError if git is missing, refuses the folder's owner or cannot read it.
    """
    folder = _existing_folder(path)
    flags = run(folder, "rev-parse", "--is-bare-repository", "--is-inside-work-tree", "--absolute-git-dir")
    if flags.returncode != 0:
        raise refusal(folder, flags.stderr)
    bare_word, inside_word, git_dir_line = flags.stdout.split(b"\n", 2)
    git_dir, bare = folder_at(one_line(git_dir_line)), bare_word == b"true"
    common_dir = common_folder(git_dir)
    if inside_word != b"true" and not bare:
        return open_repository(_work_tree_of(git_dir, common_dir), roots)
    root = git_dir if bare else folder_at(one_line(ask(folder, "rev-parse", "--show-toplevel")))
    branch = _branch(ask(root, "symbolic-ref", "-q", "HEAD", fails=True).decode("utf-8", "replace").strip())
    remote_name, remote = _remote(root, LOCAL_REMOTE_DEPTH)
    default_branch, default_ref = _default_branch(root, remote_name, branch)
    cut, shown_dir = cut_at(common_dir), shown_path(os.fsencode(common_dir))
    return RepoState(
        root=shown_path(os.fsencode(root)),
        common_dir=shown_dir,
        root_commit=_root_commit(root, default_ref, cut, shown_dir, None if cut else roots),
        remote=remote,
        head=commit_id(root, "HEAD"),
        branch=branch,
        default_branch=default_branch,
        bare=bare,
        shallow=bool(cut),
        in_progress=next((what for sign, what in IN_PROGRESS.items() if (git_dir / sign).exists()), ""),
        submodules=_submodules(root, bare),
    )


def head_and_branch(state: RepoState) -> tuple[str, str]:
    """The commit and branch that are checked out now, by one question; what is not there is ''."""
    answer = run(folder_of(state), "rev-parse", "-q", "HEAD", "--symbolic-full-name", "HEAD")
    lines = answer.stdout.decode("utf-8", "replace").split("\n")
    if answer.returncode != 0 or len(lines) < HEAD_ANSWER_LINES:
        root = folder_of(state)
        unborn = ask(root, "symbolic-ref", "-q", "HEAD", fails=True).decode("utf-8", "replace").strip()
        return commit_id(root, "HEAD"), _branch(unborn)
    return lines[0], _branch(lines[1])


def _branch(ref: str) -> str:
    """The branch that a reference is, as people call it; empty where it is none."""
    return ref.removeprefix("refs/heads/") if ref.startswith("refs/heads/") else ""


def user_of(state: RepoState) -> Person:
    """Who commits here, as git's settings say; empty where they say nothing."""
    said = dict(_config(folder_of(state), "--get-regexp", r"^user\.(name|email)$"))
    return Person(said.get("user.name", ""), said.get("user.email", ""))


def git_folder(root: Path) -> Path:
    """The git folder of a checkout: `.git` in it, what a `.git` file points to, or the bare repository itself."""
    entry = root / ".git"
    if entry.is_dir():
        return entry
    said = os.fsdecode(content_of(entry))
    return (root / said.removeprefix("gitdir:").strip()).resolve() if said.startswith("gitdir:") else root


def common_folder(git_dir: Path) -> Path:
    """The git folder that all worktrees share, of a checkout's own git folder."""
    said = os.fsdecode(content_of(git_dir / "commondir")).strip()
    return (git_dir / said).resolve() if said else git_dir


def content_of(path: Path) -> bytes:
    """What stands in a small file of git's; nothing where it cannot be read."""
    try:
        with path.open("rb") as opened:
            return opened.read(LINK_MAX_BYTES)
    except OSError:
        return b""


def cut_at(common_dir: Path) -> frozenset[str]:
    """The commits at which a shallow clone's history ends; empty if it is whole."""
    try:
        return frozenset((common_dir / "shallow").read_text("ascii").split())
    except (OSError, UnicodeDecodeError):
        return frozenset()


def history_ends(state: RepoState) -> frozenset[str]:
    """The commits at which the history of a checkout was cut; empty if it is whole."""
    return cut_at(folder_at(raw_path(state.common_dir)))


def _existing_folder(path: Path) -> Path:
    folder = path.expanduser().absolute()
    try:
        if folder.is_dir():
            return folder
        if folder.exists():
            return folder.parent
    except (OSError, ValueError) as wrong:
        raise UsageError(f"{path} cannot be opened: {wrong}.", "Give a folder inside a git repository.") from wrong
    raise UsageError(f"{path} does not exist.", "Give a folder inside a git repository.")


def _work_tree_of(git_dir: Path, common_dir: Path) -> Path:
    """The work tree whose git folder (or a folder inside it) was given."""
    link = git_dir / "gitdir"
    if link.is_file():
        return folder_at(link.read_bytes().strip()).parent
    if common_dir.name == ".git" and common_dir.parent != git_dir:
        return common_dir.parent
    raise NotARepository(f"{git_dir} is a git folder without a work tree.", "Give the work tree instead.")


def _remote(root: Path, depth: int) -> tuple[str, str]:
    """The remote that names the project (`origin`, else the first by name) and its normalised address."""
    wanted = r"^(remote\..*\.url|url\..*\.insteadof)$"
    pairs = _config(root, "--get-regexp", wanted)
    addresses: dict[str, str] = {}
    for key, value in pairs:
        if key.startswith("remote."):
            addresses.setdefault(key[len("remote.") : -len(".url")], value)
    if not addresses:
        return "", ""
    name = "origin" if "origin" in addresses else min(addresses)
    address = addresses[name]
    if len(pairs) > len(addresses) and not name.startswith("-"):
        rewritten = ask(root, "ls-remote", "--get-url", name, fails=True)
        address = rewritten.decode("utf-8", "replace").strip() or address
    folder = local_folder(address, root)
    if folder is None or depth == 0:
        return name, normalised_remote(address)
    return name, _remote(folder, depth - 1)[1]


def _default_branch(root: Path, remote: str, branch: str) -> tuple[str, str]:
    """The default branch's name and a ref to read it by; HEAD if nothing says which it is."""
    heads = f"refs/remotes/{remote}/" if remote else "refs/heads/"
    asked = [f"{heads}HEAD", *(place + name for name in USUAL_DEFAULTS for place in ("refs/heads/", heads))]
    answer = ask(root, "for-each-ref", "--format=%(refname) %(symref)", *asked, fails=True)
    found = dict(line.split(" ", 1) for line in answer.decode("utf-8", "replace").splitlines())
    named = found.get(f"{heads}HEAD", "")
    if named.startswith(heads):
        return named.removeprefix(heads), named
    for name in USUAL_DEFAULTS:
        for place in (heads, "refs/heads/"):
            if place + name in found:
                return name, place + name
    return branch, "HEAD"


def _root_commit(root: Path, ref: str, cut: frozenset[str], common_dir: str, roots: KnownRoots | None) -> str:
    """The oldest root that `ref` reaches; '' if there is none or a shallow clone's cut hides it.

    History below a commit never changes: a note "tip, time, root" holds for as long as the branch's
    tip does, and where the tip has moved on, only what is new above it can bring another root.
    """
    tip = commit_id(root, ref)
    if not tip:
        return ""
    before = [] if roots is None else roots.note(common_dir).split()
    if len(before) == NOTE_PARTS and before[0] == tip:
        return before[2]
    oldest = _oldest_root(root, (tip,), cut) if len(before) != NOTE_PARTS else _oldest_above(root, tip, before)
    if roots is not None and oldest:
        roots.keep(common_dir, f"{tip} {oldest[0]} {oldest[1]}")
    return oldest[1] if oldest else ""


def _oldest_above(root: Path, tip: str, before: Sequence[str]) -> tuple[int, str] | None:
    """The oldest root of a tip, from what is known of the tip before it."""
    old_tip, at, oldest = before
    moved_on = run(root, "merge-base", "--is-ancestor", old_tip, tip).returncode == 0
    if not moved_on:
        return _oldest_root(root, (tip,), frozenset())
    known = (int(at), oldest)
    return min(known, _oldest_root(root, (tip, f"^{old_tip}"), frozenset()) or known)


def _oldest_root(root: Path, revs: Sequence[str], cut: frozenset[str]) -> tuple[int, str] | None:
    """When the oldest root was committed (seconds since 1970), and its id."""
    answer = ask(root, "rev-list", "--max-parents=0", "--timestamp", *revs, fails=True)
    roots = [line.split() for line in answer.decode("ascii", "replace").splitlines()]
    return min(((int(at), sha) for at, sha in roots if sha not in cut), default=None)


def _submodules(root: Path, bare: bool) -> tuple[str, ...]:
    if not bare and not (root / ".gitmodules").exists():
        return ()
    place = ("--blob", "HEAD:.gitmodules") if bare else ("--file", str(root / ".gitmodules"))
    found = _config(root, *place, "--get-regexp", r"^submodule\..*\.path$")
    return tuple(sorted({value for _, value in found}))


def _config(root: Path, *arguments: str) -> list[tuple[str, str]]:
    answer = ask(root, "config", "-z", *arguments, fails=True)
    pairs = [piece.partition(b"\n") for piece in answer.split(b"\0") if piece]
    return [(key.decode("utf-8", "replace"), shown_path(value)) for key, _, value in pairs]


_URL = re.compile(r"^[a-z][a-z0-9+.-]*://", re.IGNORECASE)
_SCP = re.compile(r"^(?:[^/@:]+@)?(\[[0-9a-fA-F:]+\]|[^/:@\[\]]{2,}):(?!//)(.+)$")
_HELPER = re.compile(r"^[a-z0-9-]+::", re.IGNORECASE)


def normalised_remote(address: str) -> str:
    """`host/owner/name` of an ssh, https, git or scp-like address; '' for anything local."""
    text = _HELPER.sub("", address.strip())
    if _URL.match(text):
        host, path = _split_url(text)
    elif found := _SCP.match(text):
        host, path = found.group(1).strip("[]"), found.group(2)
    else:
        return ""
    parts = [part for part in path.replace("\\", "/").split("/") if part not in ("", ".", "~")]
    if not host or not parts:
        return ""
    if len(parts) > 1 and parts[-1].lower() == ".git":
        parts.pop()
    parts[-1] = re.sub(r"\.git$", "", parts[-1], flags=re.IGNORECASE) or parts[-1]
    return "/".join([host, *parts]).lower()


def local_folder(address: str, base: Path) -> Path | None:
    """The folder that a remote's address means, taken from `base`; None if it is not a local one."""
    text = address.strip()
    if text.lower().startswith("file://"):
        text = unquote(urlsplit(text).path)
    elif _URL.match(text) or _SCP.match(text):
        return None
    try:
        folder = base / text
        return folder if text and folder.is_dir() else None
    except (OSError, ValueError):
        return None


def _split_url(text: str) -> tuple[str, str]:
    try:
        url = urlsplit(text)
        host = url.hostname or ""
    except ValueError:
        return "", ""
    if url.scheme.lower() == "file":
        return "", ""
    return host, unquote(url.path)
