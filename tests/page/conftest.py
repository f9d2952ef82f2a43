"""A library that was read once, and a page of it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from visits import KEY, Seconds, Visit, enter, make_library, opened

from companion.ports import NoProgress
from companion.surfaces.http.handler import RequestHandler
from companion.surfaces.page.app import Page
from companion.surfaces.page.keys import PageKeys


@pytest.fixture(scope="session")
def read_library(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A library that was read once: its root, and the data folder."""
    folder = tmp_path_factory.mktemp("page")
    root = make_library(folder / "library")
    with ExitStack() as stack:
        opened(folder / "home", stack).companion(root).scan(NoProgress())
    return root, folder / "home"


@pytest.fixture(scope="module")
def visit(read_library: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visit]:
    """A page of a repository that was read, over a copy of its store."""
    root, home = read_library
    copied = shutil.copytree(home, tmp_path_factory.mktemp("visited") / "home")
    with ExitStack() as stack:
        daemon = opened(copied, stack)
        handler = RequestHandler(daemon)
        stack.callback(handler.lanes.close)
        seconds = Seconds()
        page = Page(handler, KEY, PageKeys(seconds))
        yield Visit(daemon, root, page, enter(page, root), seconds)
