"""The life of a conversation: begun once, ended, reviewed, remembered exactly as agreed, or not at all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from repos import Repo

from app.conftest import Desk
from app.reviewed import ALEX, CENTS, TEST, closed, everything, found, kept
from app.talks import say, talking
from companion.api import Edit
from companion.app.local import LocalCompanion, nowhere
from companion.errors import PlaceTaken, UnknownConversation, UsageError, WrongState
from companion.ports import NoProgress
from companion.records import EvidenceKind, Source, Visibility
from companion.records.talk import ItemState, ItemType, Message, Part, Role, TalkState
from companion.store.talk.turn_index import own_spaces


def test_what_was_decided_is_remembered_after_review_and_linked_to_its_turn(opened: LocalCompanion):
    preview = closed(opened, "Hello", f"{CENTS}\n{TEST}")
    assert preview.conversation.state is TalkState.READY_TO_CLOSE
    assert found(opened, "integer cents") == []
    done = opened.confirm_review()
    assert done.conversation.state is TalkState.ARCHIVED
    episode, decision = done.memories
    assert (episode.draft.type, decision.draft.type) == ("conversation", "decision")
    for memory in done.memories:
        assert memory.draft.source is Source.SHADOW
        assert memory.draft.visibility is Visibility.USER_PRIVATE
        (said, *_) = memory.draft.evidence
        assert (said.kind, said.ref, said.line) == (EvidenceKind.CONVERSATION, done.conversation.id, 2)
    assert "prices are integer cents" in found(opened, "integer cents")
    assert {item.memory for item in done.items} == {episode.id}
    assert [one.text for one in opened.threads()] == ["mend the rounding test"]


def test_what_is_remembered_has_its_vectors_when_it_is_committed(opened: LocalCompanion):
    kept(opened, CENTS)
    space, embedder = opened.store.user, opened.runtime.adapters.embedder
    assert embedder is not None
    texts, embedded = opened.store.vectors.extent(space, embedder.model, embedder.dimension)
    assert texts == embedded > 0


def test_a_scan_gives_vectors_to_what_was_said_too(desk: Desk, shop: Repo):
    companion = talking(desk.open(shop.root, embedder=True))
    companion.start_conversation()
    say(companion, CENTS)
    companion.scan(NoProgress())
    runtime = companion.runtime
    assert runtime.adapters.embedder is not None
    for space in own_spaces(runtime.store.user):
        texts, embedded = runtime.store.vectors.extent(
            space, runtime.adapters.embedder.model, runtime.adapters.embedder.dimension
        )
        assert texts == embedded
    assert texts == 1
    companion.close()


def test_nothing_is_remembered_of_a_conversation_in_which_nothing_was_said_that_matters(opened: LocalCompanion):
    assert closed(opened, "Hello", "How are you?").parts == ()
    done = opened.confirm_review()
    assert (done.memories, done.items) == ((), ())
    assert len(opened.transcript(done.conversation.id).turns) == 2
    opened.runtime.adapters.clock.advance(hours=1)
    empty = opened.start_conversation()
    assert opened.close_conversation().parts == ()
    assert opened.confirm_review().conversation.id == empty.id


def test_the_users_own_words_are_remembered_of_a_conversation_in_which_nothing_was_found(opened: LocalCompanion):
    assert closed(opened, "Hello", "How are you?").parts == ()
    seen = opened.edit_review(Edit(narrative="We said hello, and Mara is back."))
    assert opened.story() == ()
    assert [(part.act, part.items) for part in seen.parts] == [(opened.acts()[0].id, ())]
    (memory,) = opened.confirm_review().memories
    assert memory.draft.value == "We said hello, and Mara is back."
    assert opened.story() == (memory,)
    assert opened.active_conversation() is None
    assert found(opened, "Mara") == [memory.draft.value]


def test_the_users_own_words_stay_where_all_items_are_dropped(opened: LocalCompanion):
    item = closed(opened, CENTS).extraction.items[0]
    opened.redirect_review("shop")
    opened.edit_review(Edit(narrative="It was about money.", drop=(item.id,)))
    (memory,) = opened.confirm_review().memories
    assert (memory.draft.value, memory.project) == ("It was about money.", opened.project)


def test_whoever_holds_the_place_is_named_with_its_project_and_how_it_is_put_away(
    opened: LocalCompanion, tmp_path: Path
):
    opened.start_conversation("Prices")
    there = nowhere(opened.runtime, tmp_path, owns_runtime=False)
    with pytest.raises(PlaceTaken) as refused:
        there.start_conversation("Docs")
    assert '"Prices" of shop is going on' in refused.value.what
    assert "companion talk archive" in refused.value.next_step
    assert there.archive_conversation().state is TalkState.ARCHIVED
    assert opened.story() == ()
    opened.runtime.adapters.clock.advance(hours=1)  # type: ignore[attr-defined]
    assert there.start_conversation("Docs").title == "Docs"


def test_candidates_are_seen_in_their_own_conversation_alone(opened: LocalCompanion):
    opened.start_conversation()
    say(opened, TEST)
    (candidate,) = opened.transcript().items
    assert candidate.state is ItemState.CANDIDATE
    assert opened.threads() == ()
    with pytest.raises(UsageError, match="not open yet"):
        opened.settle_thread(candidate.id)
    assert found(opened, "rounding test") == []


def test_an_edit_changes_what_is_remembered_and_the_first_words_stay(opened: LocalCompanion):
    first = closed(opened, f"{CENTS}\n{TEST}\n{ALEX}")
    decision, task, waiting = first.extraction.items
    opened.edit_review(Edit(narrative="From now on we count in cents."))
    opened.edit_review(Edit(drop=(waiting.id[:12],), change={task.id: "mend both rounding tests"}))
    seen = opened.review()
    assert (seen.parts[0].narrative, seen.original) == ("From now on we count in cents.", first.original)
    done = opened.confirm_review()
    assert done.memories[0].draft.value == "From now on we count in cents."
    assert {item.text for item in done.items} == {decision.text, "mend both rounding tests"}
    assert opened.threads((ItemType.WAITING_ON,)) == ()


def test_words_that_nobody_wrote_by_hand_do_not_tell_of_what_was_dropped(opened: LocalCompanion):
    first = closed(opened, f"{CENTS}\n{ALEX}")
    opened.edit_review(Edit(drop=(first.extraction.items[1].id,)))
    done = opened.confirm_review()
    assert not [memory for memory in done.memories if "contract" in memory.draft.levels.full]
    assert [item.type for item in done.items] == [ItemType.DECISION]


@pytest.mark.parametrize(
    "wrong",
    [Edit(narrative="x" * 20_001), Edit(drop=("i1nothing",)), Edit(narrative="Yes.", part=2), Edit(change={"": "a"})],
)
def test_an_edit_of_what_is_not_there_changes_nothing(opened: LocalCompanion, wrong: Edit):
    before = closed(opened, CENTS)
    with pytest.raises(UsageError):
        opened.edit_review(wrong)
    assert opened.review() == before


def test_it_goes_to_your_story_unless_the_user_sends_it_elsewhere(opened: LocalCompanion):
    story, project = opened.acts()
    assert (story.name, story.permanent, project.project) == ("Your Story", True, opened.project)
    at_home = kept(opened, f"{CENTS} in shop")
    assert {memory.project for memory in at_home.memories} == {opened.store.user}
    assert opened.story() == at_home.memories
    closed(opened, "decision: shop sells books")
    assert opened.review().extraction.suggestion is not None
    opened.redirect_review("shop")
    sent = opened.confirm_review()
    assert {memory.project for memory in sent.memories} == {opened.project}
    assert opened.story("shop") == sent.memories
    assert opened.story() == at_home.memories
    assert {item.act for item in sent.items} == {project.id}


def test_a_split_makes_a_memory_for_each_act_and_tells_nothing_twice(opened: LocalCompanion):
    opened.make_act("Work")
    preview = closed(opened, f"{CENTS}\n{ALEX}")
    _, waiting = preview.extraction.items
    opened.split_review([Part("work", "", (waiting.id,))])
    with pytest.raises(UsageError, match="two acts"):
        opened.split_review([Part("Work", "", (waiting.id,)), Part("Your Story", "", (waiting.id,))])
    done = opened.confirm_review()
    work, story = opened.story("Work"), opened.story()
    assert len(work) == 1
    assert "contract" in work[0].draft.value
    assert "contract" not in "".join(memory.draft.levels.full for memory in story)
    assert {item.id: item.act for item in done.items}[waiting.id] == opened.make_act("Work").id
    assert {memory.draft.evidence[0].ref for memory in (*work, *story)} == {done.conversation.id}


def test_an_act_that_is_deleted_under_review_leaves_its_part_to_your_story(opened: LocalCompanion):
    opened.make_act("Work")
    closed(opened, CENTS)
    opened.redirect_review("Work")
    opened.delete_act("Work")
    story = opened.acts()[0]
    assert [part.act for part in opened.review().parts] == [story.id]
    done = opened.confirm_review()
    assert opened.story() == done.memories


def test_there_is_one_conversation_at_a_time_until_it_is_archived(opened: LocalCompanion):
    first = opened.start_conversation("Prices")
    for step in (opened.pause_conversation, opened.resume_conversation, opened.close_conversation):
        with pytest.raises(PlaceTaken, match="Prices"):
            opened.start_conversation("Another")
        step()
    assert opened.active_conversation().id == first.id  # type: ignore[union-attr]
    opened.confirm_review()
    assert opened.active_conversation() is None
    opened.runtime.adapters.clock.advance(hours=1)  # type: ignore[attr-defined]
    assert opened.start_conversation("Another").id != first.id


def test_a_review_that_is_resumed_goes_on_and_remembers_nothing(opened: LocalCompanion):
    one = closed(opened, CENTS).conversation
    assert opened.resume_conversation().state is TalkState.ACTIVE
    with pytest.raises(WrongState):
        opened.review(one.id)
    say(opened, TEST)
    assert len(opened.close_conversation().extraction.items) == 2


def test_what_is_put_away_is_not_remembered_and_its_transcript_stays(opened: LocalCompanion):
    one = closed(opened, CENTS).conversation
    assert opened.archive_conversation().state is TalkState.ARCHIVED
    assert opened.story() == ()
    seen = opened.transcript(one.id)
    assert (len(seen.turns), seen.items, seen.memories) == (1, (), ())


def test_a_closing_that_is_confirmed_twice_is_remembered_once(opened: LocalCompanion):
    done = kept(opened, f"{CENTS}\n{TEST}")
    before = everything(opened.store.database)
    assert opened.confirm_review(done.conversation.id) == done
    assert everything(opened.store.database) == before
    with pytest.raises(WrongState, match="nothing to review"):
        opened.confirm_review()
    with pytest.raises(WrongState, match="archived"):
        opened.resume_conversation(done.conversation.id)
    with pytest.raises(WrongState, match="archived"):
        opened.redirect_review("shop", done.conversation.id)


def test_what_is_done_settles_what_was_open_and_says_by_what(opened: LocalCompanion):
    kept(opened, TEST)
    (task,) = opened.threads()
    done = kept(opened, "done: mend the rounding test")
    assert [(one.id, one.settled_by) for one in done.settled] == [(task.id, done.items[0].id)]
    assert opened.threads() == ()


def test_what_is_said_again_is_open_once_and_fresh(opened: LocalCompanion):
    clock: Any = opened.runtime.adapters.clock
    kept(opened, TEST)
    clock.advance(days=6)
    assert len(opened.greeting().overdue) == 1
    kept(opened, "task: Mend the rounding test")
    assert [one.text for one in opened.threads()] == ["Mend the rounding test"]
    assert opened.greeting().overdue == opened.greeting().stale == ()


def test_what_was_dropped_in_review_settles_nothing(opened: LocalCompanion):
    kept(opened, TEST)
    preview = closed(opened, "done: mend the rounding test")
    opened.edit_review(Edit(drop=(preview.extraction.items[0].id,)))
    opened.confirm_review()
    assert len(opened.threads()) == 1


def test_a_source_whose_review_is_switched_off_is_remembered_at_once(opened: LocalCompanion):
    import dataclasses

    opened.runtime.settings = dataclasses.replace(opened.runtime.settings, unreviewed=("by-hand",))
    assert closed(opened, CENTS).conversation.state is TalkState.ARCHIVED
    assert "prices are integer cents" in found(opened, "integer cents")


def test_empty_messages_are_refused_and_enormous_ones_are_cut(opened: LocalCompanion):
    opened.start_conversation()
    for nothing in ([], [Message(Role.USER, "  \n")]):
        with pytest.raises(UsageError, match="nothing said"):
            opened.add_turn(nothing)
    with pytest.raises(UsageError, match="too many"):
        opened.add_turn([Message(Role.USER, "a")] * 2_000)
    turn = opened.add_turn([Message(Role.USER, "word " * 200_000)])
    assert "more characters were not kept" in turn.messages[0].text
    assert opened.add_turn([Message(Role.ASSISTANT, "\udc80 \x00 ok")]).number == 1


def test_without_a_conversation_the_next_command_is_named(opened: LocalCompanion):
    with pytest.raises(UnknownConversation, match="talk start"):
        say(opened, "Hello")
    with pytest.raises(UnknownConversation):
        opened.transcript("c2nothing")
    with pytest.raises(WrongState, match="nothing to review"):
        opened.review()


def test_what_is_said_while_a_conversation_is_being_read_is_read_too(opened: LocalCompanion):
    opened.start_conversation()
    say(opened, CENTS)
    rules: Any = opened.runtime.talk_rules()
    plain, late = rules.extract, [ALEX]

    def slowly(*asked: Any) -> Any:
        if len(late) and len(asked[0]) == 1:
            text = late.pop()
            rules.extract = plain
            say(opened, text)
        return plain(*asked)

    rules.extract = slowly
    assert [one.type for one in opened.close_conversation().extraction.items] == [
        ItemType.DECISION,
        ItemType.WAITING_ON,
    ]


def test_deleting_the_one_going_on_frees_the_place(opened: LocalCompanion):
    one = opened.start_conversation()
    say(opened, CENTS)
    opened.forget_conversation(one.id)
    assert opened.active_conversation() is None
