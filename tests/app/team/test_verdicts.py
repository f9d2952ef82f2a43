"""What one judges of shared memories need not be judged again by a colleague, nor read by the model of each laptop."""

from __future__ import annotations

import dataclasses
import shutil
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import permutations
from pathlib import Path

import pytest
from fakes import FakeClock, with_language_model
from laptops import PROJECT, Laptop, laptop
from msgspec.structs import replace
from postgres import Base, made_from

from companion.adapters.postgres.server import PostgresServer
from companion.api import Note, RunOrder
from companion.app.consolidation import archives
from companion.app.team import exchange
from companion.app.team.linking import ServerLink, set_link
from companion.ports import NoProgress
from companion.records import JudgeAnswer, Judgement, JudgeVerdict
from companion.records.team import SharedVerdict
from companion.store import judgements
from companion.store.consolidation import by_hand
from companion.store.consolidation.archive import LEFT_TO_TEAM
from companion.team.text import line, record_id

REDIS, POSTGRES = "Sessions go to Redis.", "Our sessions are rows of a Postgres table."


@dataclass
class Reads:
    """A language model that answers every question alike, and keeps what it was asked."""

    answer: str
    name: str = "tiny"
    wrong: str = ""
    asked: list[frozenset[str]] = field(default_factory=list)

    def answers(self, asked: Sequence[Judgement]) -> Iterator[JudgeAnswer]:
        for one in asked:
            self.asked.append(frozenset(text.text for text in one.texts))
            yield JudgeAnswer(one.id, self.answer, "so it reads")


@dataclass(frozen=True)
class Shared:
    """Two laptops that have the same two shared notes, of which each doubts whether both can hold, and their server.

    A laptop knows its repository by its place, so each test has copies of them in one and the same.
    """

    place: Path
    kept: Path
    server: Base

    def open(self, base: Base, open_: ExitStack) -> tuple[Laptop, Laptop]:
        """The laptops as they were, with a copy of the server's database."""
        shutil.rmtree(self.place, ignore_errors=True)
        shutil.copytree(self.kept, self.place, symlinks=True)
        return self._laptops(base, open_)

    def _laptops(self, base: Base, open_: ExitStack) -> tuple[Laptop, Laptop]:
        ada, bob = (open_.enter_context(laptop(self.place / one, one.title(), base.url(one))) for one in ("ada", "bob"))
        return ada, bob

    def make(self) -> None:
        for login in ("ada", "bob", "cem"):
            self.server.admit(login)
        with ExitStack() as open_:
            ada, bob = self._laptops(self.server, open_)
            share_both(ada)
            sync(self.server, ada, bob)
            for one in (ada, bob):
                one.here.scan(NoProgress())
                run(one)
                assert of_the_notes(one).answer is None
        shutil.copytree(self.place, self.kept, symlinks=True)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory, postgres_folder: str) -> Shared:
    made = Shared(
        tmp_path_factory.mktemp("laptops"), tmp_path_factory.mktemp("kept") / "laptops", made_from(postgres_folder)
    )
    made.make()
    return made


@pytest.fixture
def base(postgres_folder: str, shared: Shared) -> Base:
    return made_from(postgres_folder, shared.server.name)


@pytest.fixture
def pair(shared: Shared, base: Base) -> Iterator[tuple[Laptop, Laptop]]:
    with ExitStack() as open_:
        ada, bob = shared.open(base, open_)
        for one in (ada, bob):  # their clocks go on where those of the laptops that were kept stood
            forward(one, minutes=10)
        yield ada, bob


@pytest.fixture
def asks(monkeypatch: pytest.MonkeyPatch):
    """Has a run of a laptop ask a model."""
    monkeypatch.setattr(archives, "ModelBatches", lambda model: model)

    def with_model(one: Laptop, model: Reads) -> dict[str, float | str]:
        before = one.here.runtime
        one.here.runtime = with_language_model(before, lambda: model)
        try:
            return run(one)
        finally:
            one.here.runtime = before

    return with_model


def forward(one: Laptop, minutes: int = 1) -> None:
    clock = one.here.runtime.adapters.clock
    assert isinstance(clock, FakeClock)
    clock.advance(minutes=minutes)


def share_both(one: Laptop) -> None:
    for text in (REDIS, POSTGRES):
        forward(one)
        one.here.team_share([one.here.remember(Note(text)).id])


def sync(base: Base, *laptops: Laptop) -> list[int]:
    """Each synchronises once, by its own login; how many records each sends."""
    return [one.sync(base.url(one.home.parent.name)).pushed for one in laptops]


def run(one: Laptop) -> dict[str, float | str]:
    """A run that looks for contradictions and asks; what it counted of the questions."""
    forward(one)
    one.here.consolidate(RunOrder(passes=("contradict", "judge")), NoProgress())
    return dict(one.here.reports()[0].figures["judge"])


def of_the_notes(one: Laptop) -> Judgement:
    """The question about the two notes."""
    asked = judgements.questions(one.here.store.database, one.here.project)
    (found,) = [one for one in asked if {text.text for text in one.texts} == {REDIS, POSTGRES}]
    return found


def answer(one: Laptop, said: str) -> None:
    """Its user answers."""
    forward(one)
    done = one.here.judge([JudgeAnswer(of_the_notes(one).id, said, "As Carla told me in private.")])
    assert done.taken == 1, done.refused


def verdicts_of(one: Laptop) -> list[SharedVerdict]:
    records = exchange.records_of(one.here.runtime).known(one.here.project).values()
    return [record for record in records if isinstance(record, SharedVerdict)]


@contextmanager
def elected(base: Base) -> Iterator[None]:
    """While somebody else is the one whose model is asked."""
    with base.server("cem") as other:
        assert other.elect()
        yield


def test_what_a_colleague_answered_nobody_else_is_asked(pair: tuple[Laptop, Laptop], base: Base):
    ada, bob = pair
    answer(ada, "contradict")
    sync(base, ada, bob)
    run(bob)
    told = of_the_notes(bob)
    assert (told.answer, told.judge, told.reason) == (JudgeVerdict.CONTRADICT, "colleague Ada", "")
    assert [one.judge for one in bob.here.contradictions()] == ["colleague Ada"]


def test_nothing_that_was_said_beside_an_answer_travels(pair: tuple[Laptop, Laptop], base: Base):
    ada, _ = pair
    answer(ada, "contradict")
    sync(base, ada)
    (told,) = verdicts_of(ada)
    assert "Carla" not in line(told)
    assert "Carla" not in str(base.run("select * from companion.log"))


def test_an_answer_is_told_once_however_often_one_synchronises(pair: tuple[Laptop, Laptop], base: Base):
    ada, _ = pair
    answer(ada, "contradict")
    assert [pushed for _ in range(2) for pushed in sync(base, ada)] == [1, 0]


def test_what_is_said_of_a_private_memory_stays_here(pair: tuple[Laptop, Laptop], base: Base):
    ada, _ = pair
    (note,) = [one for one in ada.here.store.memories.iterate(ada.here.project) if one.draft.levels.full == REDIS]
    ada.here.team_withdraw(note.id)
    run(ada)
    answer(ada, "contradict")
    sync(base, ada)
    assert verdicts_of(ada) == []


@pytest.mark.parametrize("said", ["first_contains_second", "second_contains_first", "beside"])
def test_who_contains_whom_is_the_same_on_both_laptops(pair: tuple[Laptop, Laptop], base: Base, said: str, monkeypatch):
    """Whatever else would keep a note that somebody wrote."""
    monkeypatch.setattr(by_hand, "why_unfolded", lambda *_: "")
    ada, bob = pair
    asked = [text.text for text in of_the_notes(ada).texts]
    answer(ada, said)
    sync(base, ada, bob)
    run(bob)
    told = of_the_notes(bob)
    same = asked == [text.text for text in told.texts]
    turned = {"first_contains_second": "second_contains_first", "second_contains_first": "first_contains_second"}
    assert told.answer == (said if same else turned.get(said, said))


def test_a_person_prevails_over_a_model_and_the_later_over_the_earlier_in_any_order(pair: tuple[Laptop, Laptop]):
    """Of three colleagues, whatever comes first, with a run after each or after all."""
    ada, bob = pair
    answer(ada, "contradict")
    exchange.note_verdicts(ada.here)
    (first,) = verdicts_of(ada)
    model = replace(first, answer=JudgeVerdict.SAME, author="Cem <cem@example.org>", by_person=False)
    later = replace(model, made_at=model.made_at.replace(year=2027))
    for order in permutations((first, model, later)):
        for one in order:
            exchange.take_in(bob.here, {record_id(one): one})
            run(bob)
        assert of_the_notes(bob).judge == "colleague Ada"


def test_a_colleague_cannot_have_a_note_go_that_its_writer_has_here(pair: tuple[Laptop, Laptop]):
    """That one goes into another is for its writer to say; the question stays."""
    ada, _ = pair
    answer(ada, "contradict")
    exchange.note_verdicts(ada.here)
    (first,) = verdicts_of(ada)
    with ada.here.store.database.write() as connection:
        connection.execute("update judgements set answer = '', judge = ''")
        connection.execute("delete from team_records where sort = 'verdict'")
    theirs = replace(first, answer=JudgeVerdict.SAME, author="Cem <cem@example.org>")
    exchange.take_in(ada.here, {record_id(theirs): theirs})
    run(ada)
    assert of_the_notes(ada).answer is None
    active = [one.draft.levels.full for one in ada.here.store.memories.iterate(ada.here.project)]
    assert {REDIS, POSTGRES} <= set(active)


def test_an_author_who_is_called_like_a_judge_here_is_a_colleague(pair: tuple[Laptop, Laptop]):
    ada, bob = pair
    answer(ada, "contradict")
    exchange.note_verdicts(ada.here)
    posing = replace(verdicts_of(ada)[0], author="person <person@example.org>")
    exchange.take_in(bob.here, {record_id(posing): posing})
    run(bob)
    assert of_the_notes(bob).judge == "colleague person"


def test_one_laptop_has_its_model_read_what_all_share(pair: tuple[Laptop, Laptop], base: Base, asks):
    ada, bob = pair
    hers, his = Reads("contradict"), Reads("contradict")
    asks(ada, hers)
    asks(bob, his)
    assert frozenset((REDIS, POSTGRES)) in hers.asked
    assert frozenset((REDIS, POSTGRES)) not in his.asked, "he heard of her answer before he asked"
    assert of_the_notes(bob).judge == "colleague Ada’s model"


def test_while_another_laptop_is_elected_what_is_shared_waits_and_the_rest_is_asked(
    pair: tuple[Laptop, Laptop], base: Base, asks
):
    _, bob = pair
    for text in ("API requests time out after 15 seconds.", "Our API requests have a timeout of 60 seconds."):
        forward(bob)
        bob.here.remember(Note(text))
    model = Reads("unsure")
    with elected(base):
        counted = asks(bob, model)
    assert frozenset((REDIS, POSTGRES)) not in model.asked
    assert model.asked, "his own notes are for his own model"
    assert counted[LEFT_TO_TEAM] == 1
    asks(bob, model)
    assert frozenset((REDIS, POSTGRES)) in model.asked


def test_while_the_server_is_away_what_is_shared_waits(pair: tuple[Laptop, Laptop], base: Base, asks):
    _, bob = pair
    base.run("alter table companion.log rename to gone")
    model = Reads("contradict")
    asks(bob, model)
    base.run("alter table companion.gone rename to log")
    assert frozenset((REDIS, POSTGRES)) not in model.asked
    asks(bob, model)
    assert frozenset((REDIS, POSTGRES)) in model.asked


def test_a_server_that_cannot_be_named_any_more_leaves_what_is_shared_to_wait_and_the_run_goes_on(
    pair: tuple[Laptop, Laptop], asks
):
    """As where the driver was uninstalled, or the URL is one that is refused today."""
    _, bob = pair
    set_link(bob.here.runtime, bob.here.project, ServerLink("postgresql://bob:word@db.example.org/team", PROJECT))
    model = Reads("contradict")
    counted = asks(bob, model)
    assert frozenset((REDIS, POSTGRES)) not in model.asked
    assert (counted["failed"], counted[LEFT_TO_TEAM]) == (0, 1)


def test_a_model_that_has_answered_enough_for_a_day_needs_no_election(
    pair: tuple[Laptop, Laptop], base: Base, asks, monkeypatch
):
    _, bob = pair
    monkeypatch.setattr(PostgresServer, "elect", lambda _: pytest.fail("nothing may be asked"))
    monkeypatch.setattr(
        bob.here.runtime, "settings", dataclasses.replace(bob.here.runtime.settings, judgements_a_day=0)
    )
    model = Reads("contradict")
    assert asks(bob, model)["failed"] == 0
    assert not model.asked


def test_who_shares_through_no_server_asks_the_own_model(tmp_path: Path, asks):
    with laptop(tmp_path, "Ada") as ada:
        share_both(ada)
        ada.here.scan(NoProgress())
        model = Reads("contradict")
        asks(ada, model)
        assert frozenset((REDIS, POSTGRES)) in model.asked
        exported = tmp_path / "exported"
        ada.here.team_export(exported)
        assert len(list(exported.glob("judged-*.json"))) == 1
