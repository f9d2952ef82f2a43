"""What every room's tests may use, and what none of them may touch.

Laws are tried on the same examples each time, so that what fails here fails everywhere and a red run can be repeated.
`pytest --hypothesis-profile=search` draws others.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import settings
from repos import Repo

from companion.adapters.tokens import QuickTokens
from companion.surfaces.cli.__main__ import COLLECT_AFTER_OBJECTS

settings.register_profile("suite", derandomize=True, deadline=None)
settings.register_profile("search", deadline=None, print_blob=True)
settings.load_profile("suite")

WAITING = ("live", "editors", "evals", "client", "daemon", "lsp")
"""Rooms whose tests wait for processes: begun first, they wait while others compute, and none is left for the end."""
PLACES = ("HOME", "COMPANION_HOME", "XDG_DATA_HOME", "APPDATA", "LOCALAPPDATA")
"""Where a program may look for the user's own data folder."""


def pytest_configure(config: pytest.Config) -> None:
    """What is compiled is kept beside the suite's own cache: hundreds of processes are started, each of 700 modules.

    None of it comes to lie among the sources, and no process compiles what another has compiled.
    """
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.dont_write_bytecode = False
    sys.pycache_prefix = os.environ["PYTHONPYCACHEPREFIX"] = str(config.cache.mkdir("bytecode"))
    gc.set_threshold(COLLECT_AFTER_OBJECTS)  # as the command line does, for the same reason


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Rooms that wait come first; `--no-loadscope-reorder` has workers take files in this order."""
    here = Path(__file__).parent

    def place(item: pytest.Item) -> int:
        room = item.path.relative_to(here).parts[0]
        return WAITING.index(room) if room in WAITING else len(WAITING)

    items.sort(key=place)


@pytest.fixture(scope="session", autouse=True)
def users_own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder that stands for everything of the user's; who forgets to name a data folder writes there."""
    own = tmp_path_factory.mktemp("users-own")
    before = {name: os.environ.get(name) for name in PLACES}
    os.environ.update(dict.fromkeys(PLACES, str(own)))
    os.environ["COMPANION_HOME"] = str(own / "companion")
    yield own
    for name, value in before.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value


@pytest.fixture(autouse=True)
def _users_own_is_never_touched(users_own: Path) -> Iterator[None]:
    """The real data folder is out of reach, and the one in its place stays empty."""
    yield
    assert not list(users_own.iterdir())


@pytest.fixture
def new_repo(tmp_path: Path) -> Callable[..., Repo]:
    """Makes an empty repository; arguments are those of `git init`."""

    def make(name: str = "repo", *arguments: str) -> Repo:
        root = tmp_path / name
        root.mkdir(parents=True)
        made = Repo(root)
        made.git("init", "-q", *arguments)
        return made

    return make


@pytest.fixture
def repo(new_repo: Callable[..., Repo]) -> Repo:
    """One empty repository."""
    return new_repo()


@pytest.fixture(autouse=True, scope="session")
def _vocabulary() -> Iterator[None]:
    """Read once: who counts tokens while another does shares what that has read."""
    counter = QuickTokens()
    counter.count("read")
    yield
    counter.unload()


@pytest.fixture(autouse=True, scope="session")
def interruptible() -> Iterator[None]:
    """Ctrl-C works here and in what is started here, even where the suite itself runs in the background."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
