"""Which project and which checkout a repository is.

A project is one root commit and one normalised remote, never a folder's name. Its worktrees share
it, clones of the same remote share it, a fork has its own. A repository without a remote is told
from its copies by its git folder: while the known folder is still there, another one is a copy;
when it is gone, the repository was moved.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from companion.records import RepoState
from companion.store.binding import duckdb
from companion.store.by_columns import column_where
from companion.store.rows import Table
from companion.store.texts import clean, hashed_id


class Checkout(Struct, frozen=True):
    """A work tree of a project, as it was at its last scan."""

    id: str
    project: str
    common_dir: str
    root: str
    branch: str
    head: str
    scanned_at: datetime | None


class Project(Struct, frozen=True):
    """A project the store knows; `copy_of` is the git folder that tells a copy from its original."""

    id: str
    root_commit: str
    remote: str
    copy_of: str
    name: str
    first_seen_at: datetime
    consent_at: datetime | None


PROJECTS = Table(Project, "projects")
CHECKOUTS = Table(Checkout, "checkouts")

_TRIES = 64
"""A checkout that moved keeps its id, so its old folder may need another; nobody moves 64 times."""

_BY_FOLDER = PROJECTS.select("""
where id in (select project_id from checkouts where common_dir = $common_dir)
order by first_seen_at, id
""")

_BY_REMOTE = PROJECTS.select("""
where remote = $remote
    and (root_commit = $root_commit or root_commit = '' or $root_commit = '')
order by root_commit desc, first_seen_at, id
""")


def comparable(state: RepoState) -> RepoState:
    """The state as projects are compared by.

    A shallow clone does not show where history began, so its remote alone decides; folders with
    undecodable names are kept with the signs replaced.
    """
    beginning = "" if state.shallow and state.remote else state.root_commit
    return replace(state, root_commit=beginning, root=clean(state.root), common_dir=clean(state.common_dir))


def known(connection: duckdb.DuckDBPyConnection, state: RepoState) -> tuple[str, str] | None:
    """The ids where nothing has to be written: the usual case."""
    found = _same_folder(connection, state)
    if found is None or _needs_update(found, state):
        return None
    for checkout in checkouts_of(connection, found.id):
        if (checkout.common_dir, checkout.root) == (state.common_dir, state.root):
            return found.id, checkout.id
    return None


def recognised(connection: duckdb.DuckDBPyConnection, state: RepoState) -> str:
    """The project a repository is, by its folder or its remote; empty where it is none that is known."""
    found = _same_folder(connection, state) or (_same_remote(connection, state) if state.remote else None)
    return "" if found is None else found.id


def settle(connection: duckdb.DuckDBPyConnection, state: RepoState, now: datetime) -> tuple[str, str]:
    """The ids of the project and the checkout, making and updating what is needed."""
    project = _project_of(connection, state, now)
    return project, _checkout_of(connection, state, project)


def _project_of(connection: duckdb.DuckDBPyConnection, state: RepoState, now: datetime) -> str:
    found = _same_folder(connection, state)
    if found is not None:
        return _update(connection, found, state) if _needs_update(found, state) else found.id
    if state.remote:
        found = _same_remote(connection, state)
        if found is not None:
            return _update(connection, found, state) if _needs_update(found, state) else found.id
        return _create(connection, state, "", now)
    if not state.root_commit:
        return _create(connection, state, state.common_dir, now)
    known = PROJECTS.where(connection, order="first_seen_at, id", remote="", root_commit=state.root_commit)
    for candidate in known:
        checkouts = checkouts_of(connection, candidate.id)
        if checkouts and not any(Path(one.common_dir).exists() for one in checkouts):
            gone = next((one for one in checkouts if not Path(one.root).exists()), None)
            if gone is not None:  # the first whose folder is gone is the one that now stands here
                CHECKOUTS.change(connection, gone.id, common_dir=state.common_dir, root=state.root)
            return candidate.id
    return _create(connection, state, state.common_dir if known else "", now)


def _same_folder(connection: duckdb.DuckDBPyConnection, state: RepoState) -> Project | None:
    """The project this git folder is known as, if what stands there is still the same.

    It is when the remote is the same, when it has gained its first remote or lost it, and when it
    has made its first commit; another remote is another project, and so is another beginning.
    """
    known = _BY_FOLDER.all(connection, common_dir=state.common_dir)
    exact = [one for one in known if (one.root_commit, one.remote) == (state.root_commit, state.remote)]
    same_remote = [one for one in known if one.remote and one.remote == state.remote]
    grown = [
        one for one in known if (not one.remote or not state.remote) and one.root_commit in {state.root_commit, ""}
    ]
    candidates = exact or same_remote or grown
    return candidates[0] if candidates else None


def _same_remote(connection: duckdb.DuckDBPyConnection, state: RepoState) -> Project | None:
    known = _BY_REMOTE.all(connection, remote=state.remote, root_commit=state.root_commit)
    return known[0] if known else None


def _needs_update(known: Project, state: RepoState) -> bool:
    gained_remote = bool(state.remote) and known.remote != state.remote
    return gained_remote or (bool(state.root_commit) and known.root_commit != state.root_commit)


def _update(connection: duckdb.DuckDBPyConnection, known: Project, state: RepoState) -> str:
    """Write down what a project has gained, unless another is known by that already: then it is that one."""
    remote = state.remote or known.remote
    taken = [
        one
        for one in (_BY_REMOTE.all(connection, remote=remote, root_commit=state.root_commit) if remote else [])
        if one.id != known.id and one.root_commit == state.root_commit
    ]
    if taken:
        return taken[0].id
    begun, copy_of = state.root_commit or known.root_commit, "" if remote else known.copy_of
    PROJECTS.change(connection, known.id, root_commit=begun, remote=remote, copy_of=copy_of)
    return known.id


def _create(connection: duckdb.DuckDBPyConnection, state: RepoState, copy_of: str, now: datetime) -> str:
    taken = set(column_where(connection, "projects", "id"))
    id_ = _free_id("p1", (state.root_commit, state.remote, copy_of), taken)
    new = Project(id_, state.root_commit, state.remote, copy_of, _name(state), first_seen_at=now, consent_at=None)
    PROJECTS.insert(connection, [new])
    return id_


def _checkout_of(connection: duckdb.DuckDBPyConnection, state: RepoState, project_id: str) -> str:
    root, common_dir = state.root, state.common_dir
    for checkout in checkouts_of(connection, project_id):
        if checkout.root == root:
            if checkout.common_dir != common_dir:
                CHECKOUTS.change(connection, checkout.id, common_dir=common_dir, root=root)
            return checkout.id
    candidates = [hashed_id("c1", project_id, root, str(number)) for number in range(_TRIES)]
    taken = column_where(connection, "checkouts", "id", id=candidates)
    id_ = next(candidate for candidate in candidates if candidate not in taken)
    new = Checkout(id_, project_id, common_dir, root, branch="", head="", scanned_at=None)
    CHECKOUTS.insert(connection, [new])
    return id_


def checkouts_of(connection: duckdb.DuckDBPyConnection, project_id: str) -> tuple[Checkout, ...]:
    """The checkouts of a project, by folder."""
    return CHECKOUTS.where(connection, order="root, id", project_id=project_id)


def _name(state: RepoState) -> str:
    if state.remote:
        return state.remote.rpartition("/")[2]
    folder = Path(state.root)
    return folder.name.removesuffix(".git") or str(folder)


def _free_id(tag: str, parts: tuple[str, ...], taken: Collection[str]) -> str:
    """A project that was made under other circumstances may hold the plain id; count on from it."""
    number = 0
    while (id_ := hashed_id(tag, *parts, *([str(number)] if number else []))) in taken:
        number += 1
    return id_
