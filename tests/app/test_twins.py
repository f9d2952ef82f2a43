"""What several say alike against one statement is one question and one entry, whoever said it and when."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from companion.api import Note, RunOrder, Verdict
from companion.app.consolidation import judges
from companion.app.local import LocalCompanion
from companion.ports import NoProgress
from companion.records import JudgeAnswer, Resolution, Source
from companion.records.readings import PairReading

PNPM = ("We install packages with pnpm.", "We use pnpm to install the packages.")
NPM = "The packages are installed by npm in every folder."
S3 = ("Each night the backups go to S3.", "The backups of each night are written to S3.")
SHARE = "Each backup goes to the NFS share."


@pytest.fixture
def companion(desk, shop) -> Iterator[LocalCompanion]:
    desk.scan(shop.root)
    opened = desk.open(shop.root)
    yield opened
    opened.close()


def tell(companion: LocalCompanion, *texts: str) -> None:
    for text in texts:
        companion.runtime.adapters.clock.advance(minutes=1)
        companion.remember(Note(text))


def consolidated(companion: LocalCompanion) -> None:
    companion.consolidate(RunOrder(), NoProgress())


def entries(companion: LocalCompanion, text: str) -> list:
    return [one for one in companion.contradictions() if text in [side.draft.levels.full for side in one.members]]


def active(companion: LocalCompanion) -> set[str]:
    kept = companion.store.memories.iterate(companion.project)
    return {one.draft.levels.full for one in kept if one.draft.source is Source.BY_HAND}


def test_who_says_it_again_joins_the_entry_at_once_and_it_is_settled_for_all(companion):
    tell(companion, PNPM[0], NPM, PNPM[1])
    (one,) = entries(companion, NPM)
    assert {side.draft.levels.full for side in one.members} == {NPM, *PNPM}
    how = Resolution.A_WINS if one.a.draft.levels.full == NPM else Resolution.B_WINS
    companion.settle(one.id, Verdict(how))
    assert active(companion) == {NPM}
    companion.unsettle(one.id)
    assert active(companion) == {NPM, *PNPM}
    assert len(entries(companion, NPM)) == 1


class Doubting:
    """A reader that sees nothing contrary in any pair, so that what rules propose is asked."""

    version = "doubting"

    def pair(self, a: str, b: str) -> PairReading:
        return PairReading(0.05, 0.0, 0.0, 0.0, 0.95)


def test_twins_are_one_question_whose_answer_holds_for_all_and_can_be_undone(companion, monkeypatch):
    monkeypatch.setattr(judges, "reader", Doubting)
    tell(companion, S3[0], SHARE)
    consolidated(companion)
    tell(companion, S3[1])
    consolidated(companion)
    (asked,) = [one for one in companion.pending_judgements(50) if SHARE in [said.text for said in one.texts]]
    done = companion.judge([JudgeAnswer(asked.id, "contradict", "one place holds them")])
    (one,) = entries(companion, SHARE)
    assert {side.draft.levels.full for side in one.members} == {SHARE, *S3}
    companion.undo(done.run)
    assert entries(companion, SHARE) == []
