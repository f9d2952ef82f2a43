"""After a change of the embedding model vectors are made anew behind the answers; search works at every stage."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from fakes import FakeClock, WordCounter
from repos import Repo
from vectorised import embed_pending

from companion.adapters.nearness import UNKNOWN, nearness_of
from companion.adapters.secrets import SecretRedactor
from companion.app.consolidation.archives import archive_for
from companion.app.local import LocalCompanion
from companion.app.runtime import Adapters, runtime_over
from companion.app.scanning import vectors as filling
from companion.app.scanning.vectors import Slices, fill_vectors
from companion.config import Settings
from companion.ports import NoProgress
from companion.records import Profile, SearchQuery
from companion.signals import git
from companion.store import projects
from companion.store.opening import open_store

UNSEEN = (
    "Each was shown beside what it is made of, and nobody who looked at them saw that they differed before the books of"
    " the month were closed at its very end."
)
"""What makes a reason an explanation that is remembered."""


class Killed(Exception):
    """Stands for a process that ends in the middle."""


@dataclass
class Words:
    """A bag of hashed words of any length; notes what it was asked, and may end after some texts."""

    name: str
    dimension: int
    asked: list[str] = field(default_factory=list)
    lives: int = 10**9

    @property
    def model(self) -> str:
        return f"{self.name}@{self.dimension}"

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        self.lives -= len(texts)
        if self.lives < 0:
            raise Killed
        self.asked += texts
        rows = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in text.lower().split():
                row[int(hashlib.sha256(f"{self.name}{word}".encode()).hexdigest(), 16) % self.dimension] += 1
        return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)


@dataclass
class House:
    """One user's data folder, and the embedders that can be run on the machine, by the name the settings give."""

    home: Path
    root: Path
    known: dict[str, Words]

    @contextmanager
    def companion(self, embeddings: str) -> Iterator[LocalCompanion]:
        database = open_store(self.home, wait_s=0.2, memory_limit="400MB")
        runtime = runtime_over(
            database,
            Settings(embeddings=embeddings),
            Adapters(FakeClock(), WordCounter(), SecretRedactor(), self.known[embeddings]),
        )
        state = git.open_repository(self.root)
        opened = LocalCompanion(runtime, state, *projects.identify(database, state, runtime.adapters.clock.now()))
        try:
            yield opened
        finally:
            opened.close()


@pytest.fixture(scope="module")
def read_house(tmp_path_factory: pytest.TempPathFactory) -> House:
    """A house whose repository was read with the old embedder."""
    folder = tmp_path_factory.mktemp("house")
    repo = Repo(folder / "shop")
    repo.root.mkdir()
    repo.git("init", "-q")
    for number in range(14):
        repo.write(f"shop/part_{number}.py", f"def part_{number}():\n    return {number}\n")
        why = (
            f"Sums were off because the cart rounded each price, so that no total was right when two were up. {UNSEEN}"
        )
        repo.commit(f"Fix the rounding of price {number} in the cart of shop {number}\n\n{why}\n\nFixes #{number + 1}")
    house = House(folder / "home", repo.root, {"old": Words("old", 24), "new": Words("new", 40)})
    with pytest.MonkeyPatch.context() as patched:
        small_slices(patched)
        with house.companion("old") as companion:
            companion.scan(NoProgress())
    return house


@pytest.fixture
def house(read_house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> House:
    """The same with a store of its own."""
    small_slices(monkeypatch)
    return House(shutil.copytree(read_house.home, tmp_path / "home"), read_house.root, deepcopy(read_house.known))


def small_slices(patched: pytest.MonkeyPatch) -> None:
    patched.setattr(filling, "TEXTS_AT_ONCE", 8)
    patched.setattr(filling, "SLICE_TEXTS", 8)


def models(companion: LocalCompanion) -> dict[str, int]:
    with companion.store.database.read() as connection:
        return dict(connection.execute("select model, count(*) from embeddings group by model").fetchall())


def stored(companion: LocalCompanion) -> set[str]:
    with companion.store.database.read() as connection:
        return {row[0] for row in connection.execute("select distinct model from embeddings").fetchall()}


def by_meaning(companion: LocalCompanion) -> bool:
    hits = companion.search(SearchQuery(text="rounding of price in the cart", profile=Profile.LEARNED))
    assert hits, "search has to work at every stage"
    return any(reason.feature == "meaning" for hit in hits for reason in hit.reasons)


def test_words_answer_until_there_are_vectors_and_then_meaning_does_too(house: House) -> None:
    old, new = house.known["old"], house.known["new"]
    old.asked.clear()
    with house.companion("new") as companion:
        assert not by_meaning(companion)
        assert companion.library().readiness().embedded == 0
        fill_vectors(companion.runtime, companion.project, NoProgress())
        assert by_meaning(companion)
        assert stored(companion) == {new.model}
        assert companion.library().readiness().to_embed == 0
    assert not old.asked, "a model that the settings do not name is not loaded"


def test_killed_in_the_middle_it_goes_on_and_repeats_nothing(house: House) -> None:
    new = house.known["new"]
    new.lives = 12
    with house.companion("new") as companion:
        with pytest.raises(Killed):
            fill_vectors(companion.runtime, companion.project, NoProgress())
        made = models(companion)[new.model]
        assert 0 < made < models(companion)["old@24"]
    with house.companion("new") as companion:
        new.lives = 10**9
        assert by_meaning(companion)
        fill_vectors(companion.runtime, companion.project, NoProgress())
        assert len(new.asked) == len(set(new.asked)), "no text is embedded twice"
        assert stored(companion) == {new.model}


def test_a_daemon_makes_them_in_slices_and_search_works_between_any_two(house: House) -> None:
    with house.companion("new") as companion:
        slices, more, steps = Slices(companion.runtime), True, 0
        while more:
            _, more = slices.fill(companion.project)
            by_meaning(companion)
            steps += 1
            assert steps < 1_000
        assert stored(companion) == {house.known["new"].model}
        assert slices.fill(companion.project) == (0, False)


def test_killed_while_old_vectors_are_dropped_the_rest_goes_next_time(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.store.vectors.vectors.DROPPED_AT_ONCE", 5)
    with house.companion("new") as companion:
        embed_pending(companion.store.vectors, companion.project, house.known["new"])
        new = house.known["new"]
        more = companion.store.vectors.drop_others(companion.project, new.model, new.dimension)
        assert more, "some are dropped, and there are more"
        assert models(companion)["old@24"] > 0
    with house.companion("new") as companion:
        companion.scan(NoProgress())
        assert stored(companion) == {house.known["new"].model}


def test_the_same_name_with_another_length_is_another_model(house: House) -> None:
    @dataclass
    class Cut(Words):
        @property
        def model(self) -> str:
            return house.known["old"].model

    house.known["cut"] = Cut("old", 12)
    with house.companion("cut") as companion:
        assert companion.library().readiness().embedded == 0
        fill_vectors(companion.runtime, companion.project, NoProgress())
        assert companion.library().readiness().to_embed == 0
        assert by_meaning(companion)
        with companion.store.database.read() as connection:
            assert connection.execute("select distinct len(vector) from embeddings").fetchall() == [(12,)]


def test_vectors_that_another_project_still_needs_are_left_to_it(house: House, new_repo: Callable[..., Repo]) -> None:
    other = new_repo("other")
    for number in range(5):
        other.write(f"lib/piece_{number}.py", "x = 1\n")
        why = f"Pieces leaked because the closed pool lost them, so that no later one could be had unless it was new. {UNSEEN}"
        other.commit(f"Fix the leak of piece {number} when the pool is closed early\n\n{why}\n\nFixes #{number + 1}")
    beside = House(house.home, other.root, house.known)
    with beside.companion("old") as companion:
        companion.scan(NoProgress())
    with house.companion("new") as companion:
        fill_vectors(companion.runtime, companion.project, NoProgress())
    with beside.companion("new") as companion:
        assert models(companion)["old@24"] > 0
        assert companion.search(SearchQuery(text="leak of the pool", profile=Profile.MEMORY))
        fill_vectors(companion.runtime, companion.project, NoProgress())
        assert stored(companion) == {house.known["new"].model}


def test_a_run_in_the_middle_goes_by_the_vectors_that_are_complete(house: House) -> None:
    house.known["new"].lives = 12
    with house.companion("new") as companion:
        with pytest.raises(Killed):
            fill_vectors(companion.runtime, companion.project, NoProgress())
        assert archive_for(companion.runtime, companion.project, companion.now()).model == "old@24"


def test_each_model_has_thresholds_of_its_own_and_an_unknown_one_cautious_ones() -> None:
    assert nearness_of("nobody-knows@1234") == UNKNOWN
    known = nearness_of("all-MiniLM-L6-v2-int8@8199be6f699a")
    assert known.related < known.same <= UNKNOWN.same
