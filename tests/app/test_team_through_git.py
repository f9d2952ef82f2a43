"""Two people with a clone and a store each share memories through git alone, as the README tells it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from blank import blank_home
from fakes import FakeClock
from privates import MARKER, Privates, declared
from repos import Repo

from companion.api import Note, Order, Verdict
from companion.app.local import LocalCompanion
from companion.app.team import folder, reading
from companion.errors import UsageError
from companion.ports import NoProgress
from companion.records import (
    Format,
    Resolution,
    SearchQuery,
    Signals,
    Visibility,
)
from companion.records.team import Withdrawal
from companion.team.text import ID_DIGITS, record_id

from .conftest import Desk

SHARED = Visibility.PROJECT_SHARED


class Member:
    """Somebody with a name, a clone and a store."""

    def __init__(self, name: str, root: Path, home: Path) -> None:
        self.name, self.repo, self.desk = name, Repo(root), Desk(blank_home(home), FakeClock())
        self.repo.git("config", "user.name", name)
        self.repo.git("config", "user.email", f"{name.lower()}@example.org")

    @contextmanager
    def companion(self) -> Iterator[LocalCompanion]:
        self.desk.clock.advance(hours=1)
        opened = self.desk.open(self.repo.root)
        try:
            yield opened
        finally:
            opened.close()

    def share(self, text: str) -> str:
        with self.companion() as companion:
            (shared,) = companion.team_share([companion.remember(Note(text)).id])
            companion.team_export()
        self.repo.commit(f"{self.name} shares")
        return shared.memory

    def read(self, **given: bool) -> object:
        with self.companion() as companion:
            return companion.team_import(**given)

    def says(self) -> set[tuple[str, str]]:
        with self.companion() as companion:
            return {(one.author.partition(" <")[0], one.text) for one in companion.team_status().shared}

    def files(self) -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in (self.repo.root / ".companion/team").iterdir()}


@pytest.fixture
def two(new_repo: Callable[..., Repo], tmp_path: Path) -> tuple[Member, Member]:
    remote = new_repo("remote")
    remote.write("README.md", "A shop.")
    remote.commit("Begin")
    remote.git("checkout", "-q", "--detach")
    for name in ("ada", "ben"):
        remote.git("clone", "-q", "-b", "main", str(remote.root), str(tmp_path / name))
    return tuple(Member(name.title(), tmp_path / name, tmp_path / f"{name}-home") for name in ("ada", "ben"))  # type: ignore[return-value]  # two of them


def pull(one: Member) -> None:
    one.repo.git("pull", "-q", "--no-rebase", "--no-edit", "origin", "main")


def push(one: Member) -> None:
    one.repo.git("push", "-q", "origin", "HEAD:main")


def test_what_one_shares_the_other_finds_with_its_author(two: tuple[Member, Member]) -> None:
    ada, ben = two
    ada.share("Deploys go out on Tuesdays only")
    push(ada)
    pull(ben)
    with ben.companion() as companion:
        assert companion.team_status().to_read == 1
        came = companion.team_import()
        (hit,) = [one for one in companion.search(SearchQuery("deploys Tuesdays")) if one.memory is not None]
        assert hit.memory.id in came.memories
        assert hit.memory.draft.evidence[0].label() == "Ada, shared 5 January 2026"
        assert companion.team_status().to_read == 0
        assert companion.team_export().written == (), "nothing of hers leaves as his"
        companion.scan(NoProgress())
        context = companion.assemble(2_000, Signals(query="when do deploys go out"), Format.MARKDOWN, Order.PEOPLE)
    assert "Tuesdays" in context.text
    assert "Ada, shared 5 January 2026" in context.text


@pytest.mark.parametrize("how", ["merge", "rebase", "squash", "cherry-pick"])
def test_branches_that_both_share_come_together_without_a_conflict_or_a_loss(
    two: tuple[Member, Member], how: str
) -> None:
    ada, ben = two
    ada.share("We indent with tabs")
    push(ada)
    ben.share("Prices are integer cents")
    ben.repo.git("fetch", "-q", "origin")
    commands = {
        "merge": [("merge", "-q", "--no-edit", "origin/main")],
        "rebase": [("rebase", "-q", "origin/main")],
        "squash": [("merge", "-q", "--squash", "origin/main"), ("commit", "-q", "-m", "Squashed")],
        "cherry-pick": [("cherry-pick", "origin/main")],
    }
    for command in commands[how]:
        ben.repo.git(*command)
    if how in {"merge", "rebase"}:
        push(ben)
        pull(ada)
        assert ada.files() == ben.files()
        ada.read()
    ben.read()
    assert ben.says() == {("Ada", "We indent with tabs"), ("Ben", "Prices are integer cents")}
    assert not [name for name, text in ben.files().items() if b"<<<<" in text]


def test_many_branches_at_once_come_together(two: tuple[Member, Member]) -> None:
    ada, _ = two
    for number in range(3):
        ada.repo.git("checkout", "-q", "-b", f"topic-{number}", "main")
        ada.share(f"Rule number {number} of the shop")
        ada.repo.git("checkout", "-q", "main")
    ada.repo.git("merge", "-q", "--no-edit", *(f"topic-{number}" for number in range(3)))
    assert len(ada.files()) == 3


def test_a_withdrawal_takes_the_text_out_of_the_other_store_and_file(two: tuple[Member, Member]) -> None:
    ada, ben = two
    id_ = ada.share("The customer is called Zanzibar Unobtainium")
    push(ada)
    pull(ben)
    ben.read()
    with ada.companion() as companion:
        private = companion.team_withdraw(id_)
        assert private.draft.visibility is Visibility.USER_PRIVATE
        assert companion.team_status().to_read == 0, "her own file waits to be removed"
        companion.team_export()
    ada.repo.commit("Withdraw")
    push(ada)
    pull(ben)
    ben.read()
    assert ben.says() == set()
    for path in (*ben.desk.home.rglob("*"), *(ben.repo.root / ".companion").rglob("*")):
        assert not path.is_file() or b"Zanzibar" not in path.read_bytes(), path


def test_only_its_author_withdraws_a_memory(two: tuple[Member, Member]) -> None:
    ada, ben = two
    ada.share("We indent with tabs")
    push(ada)
    pull(ben)
    ben.read()
    with ben.companion() as companion:
        (shared,) = companion.team_status().shared
        with pytest.raises(UsageError, match="Only its author"):
            companion.team_withdraw(shared.memory)


def test_a_contradiction_names_both_and_waits_for_who_wrote_what_loses_by_hand(two: tuple[Member, Member]) -> None:
    ada, ben = two
    for one, value in ((ada, "tabs"), (ben, "spaces")):
        with one.companion() as companion:
            companion.store.memories.remember(companion.project, declared(value), companion.now())
            companion.team_export()
        one.repo.commit("Share")
    push(ada)
    pull(ben)
    push(ben)
    pull(ada)
    for one in two:
        one.read()
        with one.companion() as companion:
            (told,) = companion.team_status().contradictions
            assert "Ada: " in told
            assert "Ben: " in told
    with ben.companion() as companion:
        (open_one,) = companion.contradictions()
        spaces = open_one.a.draft.value == "spaces"
        companion.settle(open_one.id, Verdict(Resolution.A_WINS if spaces else Resolution.B_WINS, "as agreed"))
        companion.team_export()
    ben.repo.commit("Resolve")
    push(ben)
    pull(ada)
    ada.read()
    with ada.companion() as companion:
        (waiting,) = companion.contradictions()
        assert "tabs" in {waiting.a.draft.value, waiting.b.draft.value}, "what Ada wrote by hand ends by Ada"
        tabs = waiting.a.draft.value == "tabs"
        companion.settle(waiting.id, Verdict(Resolution.B_WINS if tabs else Resolution.A_WINS, "so be it"))
        assert companion.contradictions() == ()
        active = [memory.draft.value for memory in companion.store.memories.iterate(companion.project)]
        assert "spaces" in active
        assert "tabs" not in active


def test_a_scan_offers_to_read_and_once_agreed_reads_by_itself(two: tuple[Member, Member]) -> None:
    ada, ben = two
    ada.share("We indent with tabs")
    push(ada)
    pull(ben)
    with ben.companion() as companion:
        assert any("`companion team import` reads 1 shared" in note for note in companion.scan(NoProgress()).notes)
        assert companion.team_status().shared == ()
        companion.team_import(always=True)
    ada.share("Prices are integer cents")
    push(ada)
    pull(ben)
    with ben.companion() as companion:
        companion.scan(NoProgress())
        assert {one.text for one in companion.team_status().shared} == {
            "We indent with tabs",
            "Prices are integer cents",
        }


def test_what_is_refused_is_named_with_why_and_is_not_to_be_read_for_ever(two: tuple[Member, Member]) -> None:
    ada, ben = two
    ada.share("We indent with tabs")
    ada.repo.write(".companion/team/half.json", '{"record"')
    ada.repo.commit("Half a file")
    push(ada), pull(ben)
    with ben.companion() as companion:
        assert companion.team_status().to_read == 2
        companion.team_import(always=True)
        standing = companion.team_status()
        assert (standing.to_read, [name for name, _ in standing.refused]) == (0, ["half.json"])
        assert standing.refused == companion.team_import().problems, "said as the import said it"
        assert not any("shared" in note for note in companion.scan(NoProgress()).notes)
    half = ben.repo.root / ".companion/team/half.json"
    half.write_text('{"record": ""')
    os.utime(half, ns=(1, 1))
    with ben.companion() as companion:
        assert companion.team_status().to_read == 1, "what was changed since is looked at again"
        companion.scan(NoProgress())
        assert (companion.team_status().to_read, len(companion.team_status().refused)) == (0, 1)
        half.unlink()
        assert (companion.team_status().to_read, companion.team_status().refused) == (0, ())


def test_what_this_version_refused_another_looks_at_again(
    two: tuple[Member, Member], monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, _ = two
    ada.repo.write(".companion/team/later.json", '{"record": "Vote"}')
    with ada.companion() as companion:
        companion.team_import()
        assert companion.team_status().to_read == 0
        monkeypatch.setattr(reading, "__version__", "99.0")
        assert (companion.team_status().to_read, companion.team_status().refused) == (1, ())


def test_a_scan_reads_only_files_whose_names_say_what_is_not_known(two: tuple[Member, Member]) -> None:
    ada, ben = two
    ada.share("We indent with tabs")
    push(ada), pull(ben)
    ben.read(always=True)
    (known,) = (ben.repo.root / ".companion/team").iterdir()
    known.write_text(known.read_text().replace("Ada <", "Eve <"))
    ada.share("Prices are integer cents")
    push(ada), pull(ben)
    with ben.companion() as companion:
        companion.scan(NoProgress())
    assert ben.says() == {("Ada", "We indent with tabs"), ("Ada", "Prices are integer cents")}
    with ben.companion() as companion:
        assert companion.team_import().changed == (known.name,), "an import by hand opens every file"
    assert ("Eve", "We indent with tabs") in ben.says()


def test_what_somebody_else_says_is_withdrawn_is_read_all_the_same(two: tuple[Member, Member]) -> None:
    ada, ben = two
    ada.share("We indent with tabs")
    (name,) = ada.files()
    theirs = Withdrawal(name.removesuffix(".json")[-ID_DIGITS:], "Mallory <m@example.org>", ada.desk.clock.now())
    folder.write(ben.repo.root / ".companion/team", {record_id(theirs): theirs}, frozenset())
    ben.read(always=True)
    push(ada), pull(ben)
    with ben.companion() as companion:
        companion.scan(NoProgress())
    assert ben.says() == {("Ada", "We indent with tabs")}


def test_without_a_name_in_git_the_command_to_type_is_told(two: tuple[Member, Member]) -> None:
    ada, _ = two
    ada.repo.git("config", "user.name", "")
    with ada.companion() as companion:
        noted = companion.remember(Note("We indent with tabs"))
        with pytest.raises(UsageError, match=r"git config user\.name"):
            companion.team_share([noted.id])


def test_none_of_540_private_texts_is_in_any_exported_byte(two: tuple[Member, Member]) -> None:
    ada, _ = two
    with ada.companion() as companion:
        privates = Privates(companion.store.memories, companion.project, companion.now())
        privates.plant_memories()
        companion.team_export()
    exported = b"".join(ada.files().values()) + str(sorted(ada.files())).encode()
    assert (privates.planted, exported.count(b'"record": "SharedVersion"')) == (540, 60)
    assert MARKER.findall(exported) == []
