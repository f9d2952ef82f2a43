"""The rooms where a person decides: contradictions, reviews, and what a run changed."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from visits import Visit

from companion.records import Contradiction, Resolution, Status
from companion.records.talk import Message, Preview, Role, TalkState
from companion.records.tidying import Oppose
from companion.store.memories import conflicts, detection
from companion.surfaces.page.rooms.review import MEANWHILE, digest
from companion.surfaces.wording import judged_by

HOSTILE = 'Beware of <script>alert("x")</script> {{ 7 * 7 }} \x1b[31mred\x1b[0m \u202eevil'


@pytest.fixture
def opposed(visit: Visit) -> Callable[..., Contradiction]:
    """Makes two statements that contradict one another, and opens that."""
    made = 0

    def make(a: str = "Loans end in February.", b: str = "Loans end in March.") -> Contradiction:
        nonlocal made
        made += 1
        ids = [
            visit.remember(f"{text} ({made}, {len(visit.companion.contradictions(settled=True))})") for text in (a, b)
        ]
        database, project = visit.daemon.runtime.store.database, visit.daemon.checkouts.of(visit.root).project
        with database.write() as connection:
            found = [Oppose(*ids, 0.8, "rules <1>", f"{a[:20]} against the other")]
            detection.oppose(connection, project, found, visit.companion.now())
        wanted = conflicts.pair_id(*ids)
        return next(one for one in visit.companion.contradictions() if one.id == wanted)

    return make


def state(visit: Visit, one: Contradiction) -> Contradiction:
    return next(found for found in visit.companion.contradictions(settled=True) if found.id == one.id)


# ---------------------------------------------------------- contradictions


def test_both_statements_stand_side_by_side_with_their_evidence(visit: Visit, opposed: Callable[..., Contradiction]):
    one = opposed()
    page = visit.see("contradictions")
    card = page[page.index(one.id) :]
    for side in (one.a, one.b):
        assert side.draft.levels.full in card
        assert f"memories?id={side.id}" in card
    assert "Loans end in Februar against the other</h2>" in card
    assert "rules &lt;1&gt;, likely" in card
    assert "rules &lt;1&gt;" in card


def test_a_contradiction_is_called_by_what_it_is_about(visit: Visit, opposed: Callable[..., Contradiction]):
    one = opposed()
    heading = re.search(rf'<h2 id="why-{one.id}"[^>]*>(.*?)</h2>', visit.see("contradictions"))
    assert heading and heading[1] == "Loans end in Februar against the other", "the statements stand below it"
    assert [judged_by(name) for name in ("", "rules 2", "rules 2 + a model 7", "rules 2, reader d6-thorough-a@7")] == [
        "comparing values",
        "rules",
        "rules and a model 7",
        "rules and reader",
    ]


@pytest.mark.parametrize(
    ("fields", "resolution"),
    [
        ({"resolution": "a_wins", "note": "the board said so"}, Resolution.A_WINS),
        ({"resolution": "b_wins"}, Resolution.B_WINS),
        ({"resolution": "both_valid", "path_a": "library", "environment_b": "test"}, Resolution.BOTH_VALID),
        ({"resolution": "merged", "merged": "Loans end on the last of the month."}, Resolution.MERGED),
    ],
)
def test_it_is_settled_as_the_form_says_and_can_be_taken_back(
    visit: Visit, opposed: Callable[..., Contradiction], fields: dict[str, str], resolution: Resolution
):
    one = opposed()
    card = visit.do("contradictions/settle", id=one.id, **fields)
    done = state(visit, one)
    assert (done.resolution, done.note) == (resolution, fields.get("note", ""))
    assert "Undo" in card
    assert fields.get("note", "") in card
    assert one.id in visit.see("contradictions?settled=1")
    card = visit.do("contradictions/reopen", id=one.id)
    assert "both sides are kept" in card
    again = state(visit, one)
    assert again.resolution is None
    assert [side.status for side in (again.a, again.b)] == [Status.ACTIVE] * 2


def test_settled_twice_or_in_two_windows_the_first_decision_stays(visit: Visit, opposed: Callable[..., Contradiction]):
    one = opposed()
    visit.do("contradictions/settle", id=one.id, resolution="a_wins", note="first")
    card = visit.do("contradictions/settle", id=one.id, resolution="b_wins", note="second")
    assert "resolved already" in card
    assert (state(visit, one).resolution, state(visit, one).note) == (Resolution.A_WINS, "first")
    visit.do("contradictions/reopen", id=one.id)
    assert "open already" in visit.do("contradictions/reopen", id=one.id)


NONSENSE = (
    {"resolution": "a_wins", "id": "x1nothing"},
    {"resolution": "a_wins", "id": ""},
    {"resolution": "somehow"},
    {},
    {"resolution": "merged", "merged": "  "},
    {"resolution": "both_valid", "path_a": "../../etc"},
    {"resolution": "a_wins", "note": "n" * 3_000},
)


def test_a_form_with_nonsense_settles_nothing_and_says_why(visit: Visit, opposed: Callable[..., Contradiction]):
    one = opposed()
    for fields in NONSENSE:
        answer = visit.do("contradictions/settle", 409, **{"id": one.id, **fields})
        assert 'class="trouble"' in answer, fields
    assert state(visit, one).resolution is None


def test_a_statement_whose_memory_is_gone_is_no_contradiction_any_more(
    visit: Visit, opposed: Callable[..., Contradiction]
):
    one = opposed()
    visit.companion.forget(one.a.id)
    card = visit.do("contradictions/settle", id=one.id, resolution="a_wins")
    assert "resolved already" in card
    assert "Undo" not in card, "nobody settled it"
    assert visit.do("contradictions/reopen", 409, id=one.id)


def test_what_a_statement_says_is_never_markup(visit: Visit, opposed: Callable[..., Contradiction]):
    opposed(HOSTILE, HOSTILE + " no more")
    page = visit.see("contradictions")
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert" in page
    assert "\x1b" not in page
    assert "\u202e" not in page


def test_the_judges_are_asked_and_nothing_is_changed(visit: Visit, opposed: Callable[..., Contradiction]):
    one = opposed("Loans last 14 days.", "Loans last 21 days.")
    assert "nothing was changed" in visit.see(f"contradictions/judge?id={one.id}")
    assert state(visit, one).resolution is None


# ------------------------------------------------------------------ review


@pytest.fixture
def waiting(visit: Visit) -> Preview:
    """A conversation that was ended and waits for review."""
    companion = visit.companion
    if (there := companion.active_conversation()) is not None:
        companion.archive_conversation(there.id)
    visit.daemon.runtime.adapters.clock.advance(minutes=1)  # type: ignore[attr-defined]
    companion.start_conversation("Loans <b>again</b>")
    for text in (
        "I decided that loans end on the last of the month, because people forget.",
        "I still need to add a test for leap years by Friday.",
        "Should we also send a letter? That is still open.",
    ):
        companion.add_turn([Message(Role.USER, text), Message(Role.ASSISTANT, "Noted.")])
    return companion.close_conversation()


def seen(visit: Visit, preview: Preview) -> dict[str, str]:
    """What a form of the preview, as it stands now, says of itself."""
    return {"id": preview.conversation.id, "seen": digest(visit.companion.review(preview.conversation.id))}


def test_what_will_be_remembered_is_shown_before_it_is(visit: Visit, waiting: Preview):
    page = visit.see("review")
    assert "1</strong> conversation waits" in page
    assert "Loans &lt;b&gt;again&lt;/b&gt;" in page
    for item in waiting.extraction.items:
        assert f'name="item-{item.id}"' in page
    assert re.search(r"<bdi>because people forget</bdi> · (nearly certain|likely)", page)
    assert "about <bdi>library</bdi>" in page
    assert "by-hand" not in page
    said = visit.see(f"review/transcript?id={waiting.conversation.id}")
    assert "because people forget" in said


def test_it_is_edited_and_confirmed_once(visit: Visit, waiting: Preview):
    first, *rest = waiting.extraction.items
    fields = {f"item-{one.id}": one.text for one in rest}
    changed = visit.do(
        "review/edit", **seen(visit, waiting), **fields,
        **{f"item-{first.id}": "loans end at month's end", "drop": rest[-1].id, "narrative-1": "Loans end at month's end."},
    )  # fmt: skip
    assert "the first words are kept" in changed
    after = visit.companion.review(waiting.conversation.id)
    assert "loans end at month's end" in {one.text for one in after.extraction.items}
    assert len(after.extraction.items) == len(waiting.extraction.items) - 1
    assert after.parts[0].narrative == "Loans end at month's end."
    fields = seen(visit, waiting)
    assert "Remembered" in visit.do("review/confirm", **fields)
    again = visit.do("review/confirm", **fields)
    assert "is no longer waiting" in again
    told = [one for one in visit.companion.story() if one.draft.origin == waiting.conversation.id]
    assert len({one.id for one in told}) == len(told)
    assert told


def test_what_was_written_in_the_form_is_not_lost_by_whoever_remembers_it_at_once(visit: Visit, waiting: Preview):
    first, *_, last = waiting.extraction.items
    written = {
        f"item-{first.id}": "loans end at month's end",
        "drop": last.id,
        "narrative-1": "Loans: to the last day.",
    }
    assert "Remembered" in visit.do("review/confirm", **seen(visit, waiting), **written)
    told = [one for one in visit.companion.story() if one.draft.origin == waiting.conversation.id]
    assert any("Loans: to the last day." in one.draft.levels.full for one in told)


def test_the_users_own_words_are_remembered_where_nothing_was_found_or_all_is_left_out(visit: Visit, waiting: Preview):
    fields = {"narrative-1": "It was about nothing but money.", "drop": [one.id for one in waiting.extraction.items]}
    assert "Remembered" in visit.do("review/confirm", **seen(visit, waiting), **fields)
    visit.daemon.runtime.adapters.clock.advance(hours=1)  # type: ignore[attr-defined]
    visit.companion.start_conversation("Hello")
    visit.companion.add_turn([Message(Role.USER, "Hello"), Message(Role.ASSISTANT, "Hello")])
    empty = visit.companion.close_conversation()
    assert empty.parts == ()
    assert 'name="narrative-1"' in visit.see(f"review?id={empty.conversation.id}")
    visit.do("review/confirm", **seen(visit, empty), **{"narrative-1": "Mara is back."})
    told = [one.draft.value for one in visit.companion.story()]
    assert told[:2] == ["Mara is back.", "It was about nothing but money."]


def test_what_was_changed_in_another_window_is_shown_and_not_overwritten(visit: Visit, waiting: Preview):
    before = seen(visit, waiting)
    visit.do("review/edit", **before, **{"narrative-1": "In the first window."})
    answer = visit.do("review/confirm", **before)
    assert MEANWHILE in answer
    assert "In the first window." in answer
    assert visit.companion.review(waiting.conversation.id).conversation.state is TalkState.READY_TO_CLOSE


def test_it_is_sent_to_another_line_of_work_or_split_over_two(visit: Visit, waiting: Preview):
    work = visit.companion.make_act("Work at the library")
    sent = visit.do("review/redirect", **seen(visit, waiting), act=work.id)
    assert "For <bdi>Work at the library</bdi>" in sent
    first = visit.companion.review(waiting.conversation.id).extraction.items[0]
    story = visit.companion.acts()[0]
    parted = visit.do("review/split", **seen(visit, waiting), **{f"act-{first.id}": story.id})
    assert "Part 2, for" in parted
    assert visit.do("review/split", 409, **seen(visit, waiting)), "nothing was sent elsewhere"
    assert visit.do("review/redirect", 409, **seen(visit, waiting), act="no such act")


def test_it_is_resumed_or_put_away_and_nothing_is_remembered(visit: Visit, waiting: Preview):
    assert "It goes on" in visit.do("review/resume", **seen(visit, waiting))
    active = visit.companion.active_conversation()
    assert active is not None
    assert active.state is TalkState.ACTIVE
    closed = visit.companion.close_conversation()
    assert "nothing was remembered" in visit.do("review/away", **seen(visit, closed))
    assert visit.companion.active_conversation() is None
    assert "Nothing to review" in visit.see("review")


def test_a_conversation_that_is_gone_is_said_to_be(visit: Visit, waiting: Preview):
    fields = seen(visit, waiting)
    visit.companion.forget_conversation(waiting.conversation.id)
    assert "is no longer waiting" in visit.see(f"review?id={waiting.conversation.id}")
    for deed in ("confirm", "edit", "redirect", "split", "resume", "away"):
        assert "is no longer waiting" in visit.do(f"review/{deed}", **fields)
