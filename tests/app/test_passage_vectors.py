"""Passages worth it are found by meaning too: embedded once, most used first, behind everything else."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pytest
from fakes import HashEmbedder
from repos import Repo

from app.conftest import Desk
from companion.api import Note
from companion.app.local import LocalCompanion
from companion.app.scanning import vectors as filling
from companion.app.scanning.vectors import Slices, fill_vectors
from companion.ports import NoProgress
from companion.records import Passage, PassageKind, SearchQuery, Signals
from companion.store.passages.meaning import meant


class Counting(HashEmbedder):
    """Remembers what it was asked to embed, and is killed after so many texts."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.lives = 10**9

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        if len(self.asked) > self.lives:
            raise KeyboardInterrupt
        self.asked += texts
        return super().embed(texts)


@pytest.fixture
def embedder() -> Counting:
    return Counting()


@pytest.fixture
def opened(desk: Desk, shop: Repo, embedder: Counting) -> Iterator[Callable[[], LocalCompanion]]:
    """Opens companions that embed with the one that counts, one after the other."""
    alive: list[LocalCompanion] = []

    def again() -> LocalCompanion:
        while alive:
            alive.pop().close()
        companion = desk.open(shop.root)
        companion.runtime.adapters.embedder = embedder
        alive.append(companion)
        return companion

    yield again
    while alive:
        alive.pop().close()


def near(companion: LocalCompanion, text: str) -> list[tuple[float, str]]:
    hits = companion.library(Signals()).passages(text, tuple(PassageKind), 20, meaning=True)
    return sorted(((hit.near, hit.passage.path) for hit in hits if hit.near is not None), reverse=True)


def test_what_shares_no_word_as_it_is_searched_is_found_by_its_meaning(opened: Callable[[], LocalCompanion]):
    companion = opened()
    companion.scan(NoProgress())
    said = "about floats of the"  # of which all but one are no words for the index
    by_words = {hit.passage.path for hit in companion.library(Signals()).passages("of the", tuple(PassageKind), 20)}
    assert not by_words
    assert near(companion, said)
    (best, *_) = companion.search(SearchQuery("floats lose cents"))
    assert best.path == "docs/adr/0001-money.md"
    assert {"words", "meaning"} <= {reason.feature for reason in best.reasons}


def test_nothing_is_embedded_twice_and_a_change_embeds_what_it_changes(
    opened: Callable[[], LocalCompanion], shop: Repo, embedder: Counting
):
    opened().scan(NoProgress())
    before = len(embedder.asked)
    assert before == len(set(embedder.asked))
    opened().scan(NoProgress())
    assert len(embedder.asked) == before
    shop.write("docs/new.md", "# Parcels\n\nA parcel leaves the house on the day of its order.\n")
    shop.commit("Tell of parcels")
    opened().scan(NoProgress())
    fresh = [text for text in embedder.asked[before:] if "parcel" in text.lower()]
    assert any("leaves the house" in text for text in fresh)
    assert len(embedder.asked) == len(set(embedder.asked))


def test_killed_in_the_middle_it_goes_on(
    opened: Callable[[], LocalCompanion], embedder: Counting, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(filling, "TEXTS_AT_ONCE", 2)
    embedder.lives = 6
    companion = opened()
    with pytest.raises(KeyboardInterrupt):
        companion.scan(NoProgress())
    embedder.lives = 10**9
    companion = opened()
    assert companion.search(SearchQuery("floats lose cents"))[0].path == "docs/adr/0001-money.md"
    fill_vectors(companion.runtime, companion.project, NoProgress())
    assert len(embedder.asked) == len(set(embedder.asked))
    texts, embedded = companion.store.passage_vectors.extent(companion.project, embedder.model, embedder.dimension)
    assert texts == embedded > 0


def test_a_daemon_embeds_them_in_slices_until_nothing_is_left(
    opened: Callable[[], LocalCompanion], embedder: Counting, monkeypatch: pytest.MonkeyPatch
):
    companion = opened()
    monkeypatch.setattr(companion.runtime.adapters, "embedder", None)
    companion.scan(NoProgress())
    monkeypatch.setattr(companion.runtime.adapters, "embedder", embedder)
    monkeypatch.setattr(filling, "SLICE_TEXTS", 3)
    slices, more, most = Slices(companion.runtime), True, 0
    while more:
        made, more = slices.fill(companion.project)
        most = max(most, made)
    texts, embedded = companion.store.passage_vectors.extent(companion.project, embedder.model, embedder.dimension)
    assert (most, embedded) == (3, texts)


def test_texts_without_a_vector_are_counted_wherever_that_is_told(
    opened: Callable[[], LocalCompanion], monkeypatch: pytest.MonkeyPatch
):
    companion = opened()
    (unread,) = (one.what for one in companion.doctor() if one.name == "vectors")
    assert unread == "Nothing was read yet.", "of no texts nothing is said to be complete"
    fill = filling.fill_vectors
    monkeypatch.setattr(filling, "fill_vectors", lambda *given: fill(*given, passages=1))
    report = companion.scan(NoProgress())
    assert report.readiness.to_embed > 0
    assert companion.stats().readiness == report.readiness
    (finding,) = (one for one in companion.doctor() if one.name == "vectors")
    assert f"{report.readiness.embedded} of {report.readiness.embedded + report.readiness.to_embed}" in finding.what
    assert (finding.state, finding.next_step) == ("ok", ""), "nobody has to do anything"
    settings = companion.runtime.settings
    monkeypatch.setattr(companion.runtime, "settings", replace(settings, daemon="never"))
    (finding,) = (one for one in companion.doctor() if one.name == "vectors")
    assert (finding.state, finding.next_step) == ("warning", "companion init"), "without a service nobody else does"
    monkeypatch.setattr(companion.runtime, "settings", settings)
    fill(companion.runtime, companion.project, NoProgress())
    assert companion.stats().readiness.to_embed == 0
    companion.remember(Note("We never ship on a Friday."))
    (finding,) = (one for one in companion.doctor() if one.name == "vectors")
    assert (finding.state, finding.next_step) == ("ok", ""), finding.what


def test_a_slice_holds_fewer_texts_while_the_computer_is_busy(
    opened: Callable[[], LocalCompanion], embedder: Counting, monkeypatch: pytest.MonkeyPatch
):
    companion = opened()
    monkeypatch.setattr(companion.runtime.adapters, "embedder", None)
    companion.scan(NoProgress())
    monkeypatch.setattr(companion.runtime.adapters, "embedder", embedder)
    moments = iter([0.0, 4.0, 5.0, 5.1, 6.0, 6.1])  # a slice of four seconds, then two quick ones
    slices = Slices(companion.runtime, lambda: next(moments))
    made = [slices.fill(companion.project)[0] for _ in range(3)]
    assert made == [filling.FIRST_TEXTS, 1, 2]


@pytest.mark.parametrize(
    ("passage", "worth"),
    [
        (Passage(PassageKind.DOCUMENT, "Run make.", "Testing", path="README.md"), True),
        (Passage(PassageKind.COMMIT, "Fix it\n\nIt was broken.", "Fix it", ref="c"), True),
        (Passage(PassageKind.COMMIT, "Fix it", "Fix it", ref="c"), False),
        (Passage(PassageKind.CHUNK, "def total(): ...", "def total()", path="a.py", symbol="total"), True),
        (Passage(PassageKind.CHUNK, "def test(): ...", "def test()", path="tests/test_a.py", symbol="test"), False),
        (Passage(PassageKind.CHUNK, "import os", path="a.py"), False),
        (Passage(PassageKind.DOCSTRING, "Adds up.", path="a.py", symbol="total"), True),
        (Passage(PassageKind.COMMENT, "# older ones lack it", path=".github/workflows/ci.yml"), True),
        (Passage(PassageKind.CHUNK, "python: [3.11]", "jobs > test", path=".github/workflows/ci.yml"), True),
        (Passage(PassageKind.CHUNK, "{}", path="tests/data/answer.json"), False),
    ],
)
def test_paragraphs_definitions_settings_and_commits_with_a_body_are_worth_it(passage: Passage, worth: bool):
    assert bool(meant(passage)) == worth


def first_asked(embedder: Counting, *starts: str) -> list[str]:
    """In which order the first texts that begin so were embedded."""
    places = {one: next(n for n, text in enumerate(embedder.asked) if text.startswith(one)) for one in starts}
    return sorted(places, key=places.__getitem__)


def test_documents_come_first_then_code_by_what_most_files_import_then_commits_the_newest_first(
    opened: Callable[[], LocalCompanion], shop: Repo, embedder: Counting
):
    shop.write("shop/a_lone.py", "def alone():\n    return 1\n")
    shop.write("shop/z_base.py", "def base():\n    return 1\n")
    for name in ("one", "two", "three"):
        shop.write(f"shop/{name}.py", f"from shop.z_base import base\n\n\ndef {name}():\n    return base()\n")
    shop.write("docs/a_old.md", "# Old\n\nWhat was said long ago.\n")
    shop.commit("Add a base\n\nSo that there is one.")
    shop.write("docs/b_new.md", "# New\n\nWhat was said last.\n")
    shop.commit("Tell of it\n\nSo that it is known.")
    opened().scan(NoProgress())
    wanted = ["New", "Old", "shop/z_base.py", "shop/a_lone.py", "Tell of it", "Add a base"]
    assert first_asked(embedder, *reversed(wanted)) == wanted


def test_a_file_that_others_come_to_import_has_its_turn_with_the_next_change_of_the_index(
    opened: Callable[[], LocalCompanion], shop: Repo, embedder: Counting
):
    shop.write("shop/a_lone.py", "def alone():\n    return 1\n")
    shop.write("shop/z_base.py", "def base():\n    return 1\n")
    companion = opened()
    companion.scan(NoProgress(), embed=False)
    shop.write("shop/user.py", "from shop.z_base import base\n\n\ndef use():\n    return base()\n")
    companion.scan(NoProgress())
    wanted = ["shop/z_base.py", "shop/a_lone.py"]
    assert first_asked(embedder, *reversed(wanted)) == wanted
