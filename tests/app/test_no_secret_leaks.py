"""A secret that is anywhere in a repository, or typed by hand, is nowhere in what Companion keeps, writes or says."""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from kept_open import kept_open
from msgspec import Struct, to_builtins
from repos import Repo
from surfaces.shells import Shell

from app.conftest import Desk
from app.planting import NEVER_OPENED, Planted, asked_by_hand, drawn, everything_in, plant
from companion.api import Note, Order
from companion.app.local import LocalCompanion
from companion.errors import CompanionError
from companion.ports import NoProgress
from companion.records import Format, Profile, Scope, SearchQuery, Signals

PLACES = 60
"""Secrets planted in the repository, at least: every place where people have been seen to leave one."""
BUDGETS = (400, 8_000, 50_000)


@pytest.fixture
def secret() -> Planted:
    return drawn(20)


@pytest.fixture
def leaky(new_repo: Callable[..., Repo], secret: Planted) -> Repo:
    repo = new_repo("leaky")
    plant(repo, secret)
    assert len(secret.by_place) >= PLACES
    files = [path.read_text("utf-8") for path in repo.root.rglob("*") if path.is_file() and ".git" not in path.parts]
    names = repo.git("log", "--all", "--name-status", "--format=%an %ae %D %B") + repo.git("remote", "-v")
    assert secret.left_in("\n".join([*files, names])) == list(secret.by_place)  # the search finds what is there
    return repo


def test_nothing_that_is_kept_written_logged_or_answered_holds_a_secret(
    leaky: Repo, secret: Planted, desk: Desk, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    typed = asked_by_hand(secret)
    companion = desk.open(leaky.root, embedder=True)
    try:
        answers = [companion.scan(NoProgress()), *_all_answers(companion, typed, tmp_path)]
        leaky.write(
            "app/client.py", (leaky.root / "app/client.py").read_text("utf-8") + "\n\ndef last():\n    return 3\n"
        )
        answers += [
            companion.scan(NoProgress()),
            companion.rebuild(NoProgress()),
            companion.doctor(),
            companion.stats(),
        ]
    finally:
        companion.close()
    leaks = {"answers": secret.left_in(_as_json(answers)), "log": secret.left_in(caplog.text)}
    for folder in (desk.home, tmp_path / "export", tmp_path / "backup"):
        leaks |= {f"{folder.name}/{where}": secret.left_in(text) for where, text in everything_in(folder)}
    assert not {where: found for where, found in leaks.items() if found}


def test_what_was_said_of_a_place_is_kept_without_its_secret(leaky: Repo, desk: Desk) -> None:
    companion = desk.open(leaky.root)
    try:
        companion.scan(NoProgress())
        shown = companion.expand("file:app/client.py").text
        signed = companion.expand("file:lib/sign.rb").text
        found = companion.search(SearchQuery("login token", profile=Profile.MEMORY))
    finally:
        companion.close()
    assert 'password: str = "[redacted password]"' in shown
    lines = (leaky.root / "lib/sign.rb").read_text("utf-8").splitlines()
    assert signed.splitlines().index("def sign(text)") == lines.index("def sign(text)")
    assert any("[redacted GitHub token]" in hit.memory.draft.levels.full for hit in found)


def test_a_few_lines_out_of_a_file_show_no_secret_whose_name_or_edges_they_leave_out(
    leaky: Repo, secret: Planted, desk: Desk
) -> None:
    companion = desk.open(leaky.root)
    try:
        companion.scan(NoProgress())
        library = companion.library()
        shown = [
            library.body(path, first, first + 2)
            for path, forms in library.paths().items()
            for first in range(1, forms.lines + 1, 2)
        ]
    finally:
        companion.close()
    assert any("[redacted" in text for text in shown)
    assert not secret.left_in("\n".join(shown))


def test_no_command_prints_a_secret(leaky: Repo, secret: Planted, tmp_path: Path) -> None:
    typed = asked_by_hand(secret)
    shell = Shell(tmp_path / "home", leaky.root)
    (tmp_path / "error.txt").write_text(typed["error"])
    with kept_open(shell.home):
        said = [
            shell(*command)
            for command in (
                ("init", "--json"), ("init",), ("context", "--file", "app/client.py", "--query", typed["query"], "--explain"),
                ("context", "--error", tmp_path / "error.txt", "--format", "xml"), ("predict", "--file", "app/client.py"),
                ("remember", typed["remember"]), ("search", typed["query"]), ("search", "password", "--json"), ("expand", "file:app/client.py"),
                ("expand", "file:Makefile"), ("explain",), ("stats", "--json"), ("doctor",), ("export", tmp_path / "export"), ("backup",), ("rebuild",),
                ("context", "--file", secret.by_place["file name"]), ("context", "--branch", secret.by_place["tag"]), ("expand", secret.by_place["tag"]),
            )
        ]  # fmt: skip
    assert {one.code for one in said} == {0, 2}
    assert not [(one, found) for one in said if (found := secret.left_in(one.out + one.err))]
    kept = [*everything_in(shell.home), *everything_in(tmp_path / "export")]
    assert not {where: found for where, text in kept if (found := secret.left_in(text))}


def test_a_bare_repository_gives_nothing_away_either(leaky: Repo, secret: Planted, desk: Desk, tmp_path: Path) -> None:
    leaky.git("clone", "-q", "--bare", str(leaky.root), str(tmp_path / "bare.git"))
    report = desk.scan(tmp_path / "bare.git")
    assert not secret.left_in(_as_json([report]))
    assert not {where: found for where, text in everything_in(desk.home) if (found := secret.left_in(text))}


def test_an_import_is_redacted_as_it_comes_in(leaky: Repo, secret: Planted, desk: Desk, tmp_path: Path) -> None:
    companion = desk.open(leaky.root)
    try:
        companion.remember(Note("Releases go out on Tuesdays, after the tests have passed twice, see NOTE"))
        (lines,) = [path for path in companion.export(tmp_path / "export") if path.suffix == ".jsonl"]
        text = lines.read_text("utf-8").replace("NOTE", f"api_key={secret('imported', 'urlsafe token')}")
        lines.write_text(text, "utf-8")
    finally:
        companion.close()
    other = Desk(tmp_path / "other", desk.clock)
    companion = other.open(leaky.root)
    try:
        assert companion.import_file(lines) == 1
    finally:
        companion.close()
    assert not {where: found for where, text in everything_in(other.home) if (found := secret.left_in(text))}


def test_files_that_hold_secrets_and_ignored_files_are_never_opened(leaky: Repo, desk: Desk) -> None:
    opened = _Opened()
    sys.addaudithook(opened.note)
    opened.on = True
    try:
        report = desk.scan(leaky.root)
    finally:
        opened.on = False
    assert str(leaky.root / "app/a.py") in opened.paths  # the hook sees what is opened
    assert not [path for path, _, _ in NEVER_OPENED if str(leaky.root / path) in opened.paths]
    skipped = {row.path for row in report.skipped}
    assert {".env", "config/.env.production", "deploy/id_rsa", "certs/server.pem", "config/secrets.yaml"} <= skipped


def _all_answers(companion: LocalCompanion, typed: dict[str, str], folder: Path) -> list[object]:
    """What every verb answers, asked with what a person may type."""
    signals = Signals(
        current_file="app/client.py",
        query=typed["query"],
        errors=(typed["error"],),
        collaborators=(typed["collaborator"],),
    )
    answers: list[object] = [
        companion.assemble(budget, signals, shown, order)
        for budget in BUDGETS for shown in Format for order in Order
    ]  # fmt: skip
    answers += [companion.predict(signals), companion.explain_last(None, None)]
    answers += [companion.explain(8_000, signals, None, leave_one_out=False)]
    notes = [
        Note(typed["remember"]),
        Note(typed["remembered phrase"], label=typed["label"], scope=Scope(language=typed["label"])),
    ]
    answers += [companion.remember(note) for note in notes]
    for text in (typed["query"], "login", "password", "token", "rounding", "vault"):
        answers.append(
            companion.search(
                SearchQuery(
                    text, entities=(typed["entity"],) if text == "login" else (), limit=50, profile=Profile.MEMORY
                )
            )
        )
    answers += [companion.expand(f"file:{path}") for path in companion.library().paths()]
    answers += [_refused(companion, typed)]
    companion.cite([], typed["query"])
    answers += [companion.export(folder / "export"), companion.backup(folder / "backup" / "copy.duckdb")]
    (lines,) = [path for path in (folder / "export").rglob("*.jsonl")]
    return [*answers, companion.import_file(lines)]


def _refused(companion: LocalCompanion, typed: dict[str, str]) -> list[str]:
    """What is said to somebody who asks for something that is not there."""
    said = []
    for ask in (
        lambda: companion.expand(typed["entity"]),
        lambda: companion.expand(f"file:{typed['entity']}"),
        lambda: companion.assemble(100, Signals(branch=typed["entity"]), Format.MARKDOWN, Order.PEOPLE),
        lambda: companion.assemble(100, Signals(current_file=f"../{typed['entity']}"), Format.MARKDOWN, Order.PEOPLE),
    ):
        with pytest.raises(CompanionError) as refused:
            ask()
        said.append(str(refused.value))
    return said


class _Opened:
    """Remembers what was opened while it is on; a hook of the interpreter can never be taken out."""

    def __init__(self) -> None:
        self.on = False
        self.paths: set[str] = set()

    def note(self, event: str, arguments: tuple[object, ...]) -> None:
        if self.on and event == "open":
            self.paths.add(str(arguments[0]))


def _as_json(answers: list[object]) -> str:
    def plain(value: object) -> object:
        return to_builtins(value) if isinstance(value, Struct) else str(value)

    return json.dumps(answers, default=plain, ensure_ascii=False)
