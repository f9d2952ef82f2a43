"""A page over a real store, asked in this process as a browser would ask it: what its tests are made of."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from blank import blank_home
from fakes import FakeClock, WordCounter
from repos import Repo
from starlette.testclient import TestClient

from companion.adapters.secrets import SecretRedactor
from companion.api import Companion, Note
from companion.app.local import LocalCompanion
from companion.app.runtime import Adapters, runtime_over
from companion.app.team import exchange
from companion.config import Settings, WatchBy
from companion.daemon.daemon import Daemon
from companion.daemon.log import DaemonLog
from companion.kinds.by_hand import draft_from_note
from companion.records import Kind, Scope, Visibility
from companion.records.team import TeamRecord
from companion.store.opening import open_store
from companion.surfaces.page.app import Page
from companion.surfaces.page.page_access import PageAccess
from companion.team.text import record_id

HERE = "http://127.0.0.1:7391"
KEY = "key-of-the-tests"
PATIENT_S = 60
"""On a machine ten times slower the first context is still a whole one."""


@dataclass
class Seconds:
    """A clock of seconds that stands still until told to move."""

    at: float = 0.0

    def __call__(self) -> float:
        return self.at


@dataclass
class Visit:
    """A page, and a browser that has been let in to it."""

    daemon: Daemon
    root: Path
    page: Page
    browser: TestClient
    seconds: Seconds = field(default_factory=Seconds)

    @property
    def companion(self) -> Companion:
        return self.daemon.companion(self.root)

    @property
    def folder(self) -> str:
        return self.page.folders.name(self.root)

    def at(self, place: str) -> str:
        return f"/{self.page.key}/{self.folder}/{place}"

    def see(self, place: str, status: int = 200) -> str:
        """A room, or a part of one, without what only says where a name may be broken."""
        answer = self.browser.get(self.at(place))
        assert answer.status_code == status, answer.text
        return answer.text.replace("<wbr>", "")

    def do(self, place: str, status: int = 200, **fields: str) -> str:
        """Send a form as the page's script does."""
        heads = {"Origin": HERE, "Sec-Fetch-Site": "same-origin", "HX-Request": "true"}
        answer = self.browser.post(self.at(place), data=fields, headers=heads)
        assert answer.status_code == status, answer.text
        return answer.text

    def remember(self, text: str, **more: object) -> str:
        return self.companion.remember(Note(text, **more)).id  # type: ignore[arg-type]

    def keep(self, *texts: str) -> list[str]:
        """Many texts at once, however long."""
        now, project = self.companion.now(), self.daemon.checkouts.of(self.root).project
        drafts = [
            draft_from_note(text, Kind.FACT, Scope(), Visibility.PROJECT_SHARED, False, "", now) for text in texts
        ]
        return [one.id for one in self.daemon.runtime.store.memories.keep(project, "by-hand", drafts, now)]

    @property
    def here(self) -> LocalCompanion:
        """The checkout itself, behind its verbs."""
        live = self.daemon.checkouts.of(self.root)
        return LocalCompanion(self.daemon.runtime, live.state, live.project, live.checkout, owns_runtime=False)

    def came(self, *records: TeamRecord) -> tuple[str, ...]:
        """Records that colleagues made come in; the memories that they make."""
        return exchange.take_in(self.here, {record_id(one): one for one in records})[0].memories


def stranger(page: Page) -> TestClient:
    """A browser that has not been let in."""
    return TestClient(PageAccess(page.app()), base_url=HERE, follow_redirects=False)


def enter(page: Page, root: Path) -> TestClient:
    """A browser that has followed the link."""
    browser = stranger(page)
    answer = browser.get(page.link(root))
    assert answer.status_code == 200, answer.text
    return browser


def make_library(root: Path) -> Path:
    """A repository with two modules that change together."""
    root.mkdir()
    repo = Repo(root)
    repo.git("init", "-q")
    repo.write(
        "pyproject.toml", '[project]\nname = "library"\nrequires-python = ">=3.11"\n[tool.ruff]\nline-length = 100\n'
    )
    for number in range(3):
        for name in ("loans", "dates"):
            repo.write(f"library/{name}.py", f'def {name}_{number}():\n    """Keeps {name}."""\n    return {number}\n')
        repo.commit(
            f"Fix due dates, step {number}\n\nA loan of February was due a day late, because its dates were counted "
            "from March, so that nobody was warned until it was over. "
            "The dates are counted from the first day of the loan now, and whoever is late by a day is told in the "
            "morning of that day."
        )
    return root


def opened(home: Path, stack: ExitStack) -> Daemon:
    """A daemon of a home, until the stack is closed."""
    database = open_store(blank_home(home), wait_s=0.2, memory_limit="400MB")
    runtime = runtime_over(
        database,
        Settings(embeddings="off", cold_wait_s=PATIENT_S),
        Adapters(FakeClock(), WordCounter(), SecretRedactor(), None),
    )
    stack.callback(runtime.close)
    daemon = Daemon(runtime, DaemonLog(home), idle_s=600, watch=WatchBy.OFF)
    stack.callback(daemon.close)
    daemon.start()
    stack.enter_context(daemon.asked())  # tests ask its companions by hand: it must not rest meanwhile
    return daemon
