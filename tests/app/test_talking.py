"""The life of a conversation: begun once, ended, reviewed, remembered exactly as agreed, or not at all."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from adapters.planted import SHAPED
from repos import Repo

from app.conftest import Desk
from app.talks import LabelledLines, say
from companion.api import Edit, Remembered, Todo
from companion.app.local import LocalCompanion
from companion.app.replay import Unseen
from companion.errors import PlaceTaken, UnknownConversation, UsageError, WrongState
from companion.records import EvidenceKind, SearchQuery, Source, Visibility
from companion.records.talk import ItemState, ItemType, Message, Part, Preview, Role, TalkState, TodoSort
from companion.store.database import Database
from companion.store.talk import finding
from companion.store.talk.turn_index import own_spaces

CENTS = "decision: prices are integer cents"
TEST = "task: mend the rounding test by 2026-01-08"
ALEX = "waiting-on: the contract from Alex"


def talking(companion: LocalCompanion) -> LocalCompanion:
    rules = LabelledLines()
    companion.rooms.talk_rules = lambda: rules
    return companion


@pytest.fixture
def opened(desk: Desk, shop: Repo) -> Iterator[LocalCompanion]:
    companion = talking(desk.open(shop.root, embedder=True))
    yield companion
    companion.close()


def closed(companion: LocalCompanion, *texts: str, title: str = "Prices") -> Preview:
    companion.rooms.clock.advance(hours=1)  # type: ignore[attr-defined]
    companion.start_conversation(title)
    say(companion, *texts)
    return companion.close_conversation()


def kept(companion: LocalCompanion, *texts: str, title: str = "Prices") -> Remembered:
    closed(companion, *texts, title=title)
    return companion.confirm_review()


def found(companion: LocalCompanion, text: str) -> list[str]:
    return [hit.memory.draft.value for hit in companion.search(SearchQuery(text))]


def spoken(companion: LocalCompanion, text: str) -> list[str]:
    """Conversations in which something was said, by the index of turns."""
    rooms = companion.rooms
    hits = finding.turns(rooms.database, rooms.text_index, None, rooms.user, finding.Asked(text), 5)
    return [hit.conversation for hit in hits]


def rows(database: Database, statement: str) -> list[tuple[Any, ...]]:
    with database.read() as connection:
        return connection.execute(statement).fetchall()


def everything(database: Database) -> str:
    """All that the store holds, in one text."""
    tables = [row[0] for row in rows(database, "select table_name from information_schema.tables")]
    return "".join(repr(rows(database, f'select * from "{table}"')) for table in tables)


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
    space, embedder = opened.rooms.user, opened.rooms.embedder
    assert embedder is not None
    texts, embedded = opened.rooms.vectors.extent(space, embedder.model, embedder.dimension)
    assert texts == embedded > 0


def test_a_scan_gives_vectors_to_what_was_said_too(desk: Desk, shop: Repo):
    companion = talking(desk.open(shop.root, embedder=True))
    companion.start_conversation()
    say(companion, CENTS)
    companion.scan(Unseen())
    rooms = companion.rooms
    assert rooms.embedder is not None
    for space in own_spaces(rooms.user):
        texts, embedded = rooms.vectors.extent(space, rooms.embedder.model, rooms.embedder.dimension)
        assert texts == embedded
    assert texts == 1
    companion.close()


def test_nothing_is_remembered_of_a_conversation_in_which_nothing_was_said_that_matters(opened: LocalCompanion):
    assert closed(opened, "Hello", "How are you?").parts == ()
    done = opened.confirm_review()
    assert (done.memories, done.items) == ((), ())
    assert len(opened.transcript(done.conversation.id).turns) == 2
    opened.rooms.clock.advance(hours=1)
    empty = opened.start_conversation()
    assert opened.close_conversation().parts == ()
    assert opened.confirm_review().conversation.id == empty.id


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
    [Edit(narrative="x" * 5_000), Edit(drop=("i1nothing",)), Edit(narrative="Yes.", part=2), Edit(change={"": "a"})],
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
    assert {memory.project for memory in at_home.memories} == {opened.rooms.user}
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


def test_an_act_that_is_deleted_later_leaves_its_memories_to_your_story(opened: LocalCompanion):
    opened.make_act("Work")
    closed(opened, CENTS)
    opened.redirect_review("Work")
    done = opened.confirm_review()
    assert [hit.memory.id for hit in opened.search(SearchQuery("cents", act="Work"))]
    opened.delete_act("Work")
    assert {memory.id for memory in opened.story()} == {memory.id for memory in done.memories}
    assert opened.search(SearchQuery("cents", act="Work")) == ()


def test_there_is_one_conversation_at_a_time_until_it_is_archived(opened: LocalCompanion):
    first = opened.start_conversation("Prices")
    for step in (opened.pause_conversation, opened.resume_conversation, opened.close_conversation):
        with pytest.raises(PlaceTaken, match="Prices"):
            opened.start_conversation("Another")
        step()
    assert opened.active_conversation().id == first.id  # type: ignore[union-attr]
    opened.confirm_review()
    assert opened.active_conversation() is None
    opened.rooms.clock.advance(hours=1)  # type: ignore[attr-defined]
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
    before = everything(opened.rooms.database)
    assert opened.confirm_review(done.conversation.id) == done
    assert everything(opened.rooms.database) == before
    with pytest.raises(WrongState, match="Nothing waits"):
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
    clock: Any = opened.rooms.clock
    kept(opened, TEST)
    clock.advance(days=6)
    assert len(opened.greeting().stale) == 1
    kept(opened, "task: Mend the rounding test")
    assert [one.text for one in opened.threads()] == ["Mend the rounding test"]
    assert opened.greeting().stale == ()


def test_what_was_dropped_in_review_settles_nothing(opened: LocalCompanion):
    kept(opened, TEST)
    preview = closed(opened, "done: mend the rounding test")
    opened.edit_review(Edit(drop=(preview.extraction.items[0].id,)))
    opened.confirm_review()
    assert len(opened.threads()) == 1


def test_a_thread_is_settled_by_hand(opened: LocalCompanion):
    kept(opened, ALEX)
    (open_one,) = opened.threads((ItemType.WAITING_ON,))
    assert opened.settle_thread(open_one.id[:12]).settled_by == "user"
    assert opened.threads() == ()


def test_a_source_whose_review_is_switched_off_is_remembered_at_once(opened: LocalCompanion):
    from dataclasses import replace

    opened.rooms.settings = replace(opened.rooms.settings, unreviewed=("by-hand",))
    assert closed(opened, CENTS).conversation.state is TalkState.ARCHIVED
    assert "prices are integer cents" in found(opened, "integer cents")


def test_a_day_begins_with_what_waits_or_with_what_is_open_due_and_stale(opened: LocalCompanion):
    clock: Any = opened.rooms.clock
    assert opened.greeting() == type(opened.greeting())()
    kept(opened, f"{CENTS}\n{TEST}\n{ALEX}\nquestion: which format for dates?\ntask: write the page by next year")
    told = opened.greeting()
    assert [one.text for one in told.threads] == ["which format for dates?"]
    assert [one.text for one in told.waiting_on] == ["the contract from Alex"]
    assert [one.text for one in told.decisions] == ["prices are integer cents"]
    assert [one.text for one in told.due] == ["mend the rounding test"]
    assert told.stale == ()
    clock.advance(days=6)
    assert {one.text for one in opened.greeting().stale} == {"mend the rounding test", "write the page"}
    clock.advance(days=2)
    assert opened.greeting().decisions == ()
    begun = opened.start_conversation("Again")
    told = opened.greeting()
    assert (told.waiting_talk, told.threads) == (begun, ())


def test_what_a_persona_heard_is_its_own_and_facts_are_everybodys(opened: LocalCompanion):
    opened.start_conversation("Prices", persona="reviewer")
    say(opened, f"{TEST}\n{CENTS}")
    opened.close_conversation()
    episode, decision = opened.confirm_review().memories
    assert (episode.draft.persona, decision.draft.persona) == ("reviewer", "")
    assert [one.text for one in opened.threads(persona="reviewer")] == ["mend the rounding test"]
    assert opened.greeting("tutor").due == opened.threads(persona="tutor") == ()
    assert [hit.memory.id for hit in opened.search(SearchQuery("cents", persona="tutor"))] == [decision.id]
    assert len(opened.search(SearchQuery("cents", persona="reviewer"))) == 2
    assert opened.story(persona="tutor") == (decision,)
    assert opened.conversations(persona="tutor") == ()
    assert len(opened.conversations(persona="reviewer")) == len(opened.conversations()) == 1


def test_a_todo_by_hand_is_open_once_until_it_is_settled_and_is_greeted(opened: LocalCompanion):
    clock: Any = opened.rooms.clock
    invoice = opened.add_todo(Todo(" Send the  invoice", due="2026-01-08"))
    assert opened.add_todo(Todo("Send the invoice", due="2026-01-08")).id == invoice.id
    opened.add_todo(Todo("Stretch at noon", TodoSort.HABIT, persona="coach"))
    opened.add_todo(Todo("Which bank?", TodoSort.THREAD))
    opened.add_todo(Todo("the statement", who="Alex"))
    told = opened.greeting()
    assert [one.id for one in told.due] == [invoice.id]
    assert ([one.text for one in told.threads], [one.text for one in told.waiting_on]) == (
        ["Which bank?"],
        ["the statement"],
    )
    assert "Stretch at noon" not in [one.text for one in opened.threads(persona="tutor")]
    clock.advance(days=6)
    assert "Stretch at noon" in [one.text for one in opened.greeting().stale]
    assert opened.settle_thread(invoice.id).settled_by == "user"
    assert opened.greeting().due == ()
    assert opened.add_todo(Todo("Send the invoice")).state is ItemState.OPEN
    for wrong in (Todo("  "), Todo("x" * 600), Todo("Pay", due="soon"), Todo("Pay", act="Nowhere")):
        with pytest.raises(UsageError):
            opened.add_todo(wrong)


def test_a_card_says_what_else_is_known_of_whom_is_named(opened: LocalCompanion):
    for number in range(5):
        kept(opened, f"decision: Alex signs contract {number}")
    (hit, *_) = opened.search(SearchQuery("Alex signs contract 3", limit=1))
    (card,) = opened.cards([hit.memory.id])
    assert (card.entity, card.name) == ("person:alex", "alex")
    assert len(card.facts) == 3
    assert hit.memory.id not in {fact.id for fact in card.facts}
    pinned = next(one for one in opened.story() if one.draft.value == "Alex signs contract 0")
    opened.pin(pinned.id, on=True)
    assert opened.cards([hit.memory.id])[0].facts[0].id == pinned.id
    assert opened.cards([]) == ()


def test_who_the_user_is_follows_from_what_recurs_and_what_was_said_for_good(opened: LocalCompanion):
    for place in ("tests", "docs", "scripts"):
        kept(opened, f"decision: rounding in {place} is checked by Alex")
    kept(opened, "decision: I count in cents for good")
    known = opened.identity()
    assert {"rounding", "alex"} <= {theme.name for theme in known.themes}
    assert {len(theme.memories) for theme in known.themes if theme.name in {"rounding", "alex"}} == {3}
    assert "cents" not in {theme.name for theme in known.themes}
    assert [turn.messages[0].text for turn in known.anchors] == ["decision: I count in cents for good"]
    assert known.memories == opened.story(limit=10)


def test_secrets_are_kept_nowhere(opened: LocalCompanion):
    secret = SHAPED["github"](random.Random(1))
    opened.start_conversation(f"Title {secret}")
    turn = opened.add_turn([Message(Role.USER, f"decision: the key is {secret}"), Message(Role.ASSISTANT, secret)])
    opened.close_conversation()
    opened.edit_review(Edit(narrative=f"The key is {secret}."))
    opened.confirm_review()
    assert "[redacted" in turn.messages[0].text
    assert secret not in everything(opened.rooms.database)


def test_our_own_context_that_comes_back_is_not_kept_again(opened: LocalCompanion):
    opened.start_conversation()
    both = opened.add_turn([Message(Role.USER, "<context>decision: old</context>\nAnd now?")])
    assert both.messages[0].text == "And now?"
    alone = opened.add_turn([Message(Role.SYSTEM, "<context>decision: old</context>")])
    assert "old" not in alone.messages[-1].text
    assert opened.close_conversation().extraction.items == ()


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
    with pytest.raises(WrongState, match="Nothing waits"):
        opened.review()


def test_what_is_said_while_a_conversation_is_being_read_is_read_too(opened: LocalCompanion):
    opened.start_conversation()
    say(opened, CENTS)
    rules: Any = opened.rooms.talk_rules()
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


def test_deleting_a_conversation_reaches_every_table_and_index_at_once(opened: LocalCompanion):
    done = kept(opened, "decision: the zebra walks at noon")
    kept(opened, CENTS)
    opened.cite([done.memories[0].id], "used")
    assert spoken(opened, "zebra") == [done.conversation.id]
    gone = opened.forget_conversation(done.conversation.id[:12])
    assert spoken(opened, "zebra") == []
    assert (gone.turns, gone.items, gone.memories) == (1, 1, 2)
    assert "zebra" not in everything(opened.rooms.database)
    assert done.conversation.id not in everything(opened.rooms.database)
    assert not [text for text in found(opened, "zebra noon") if "zebra" in text]
    assert "prices are integer cents" in found(opened, "integer cents")
    texts, embedded = opened.rooms.vectors.extent(opened.rooms.user, "hash-32", 32)
    assert texts == embedded
    assert rows(opened.rooms.database, "select count(*) from embeddings") == [(texts,)]
    with pytest.raises(UnknownConversation):
        opened.transcript(done.conversation.id)


def test_what_was_remembered_is_said_in_other_words_later_and_its_versions_stay(opened: LocalCompanion):
    episode, decision = kept(opened, CENTS).memories
    for old in (episode, decision):
        new = opened.revise(old.id[:12], "Cents, and never floats.")
        assert new.draft.evidence == old.draft.evidence
        assert (new.supersedes, opened.expand(old.id).memory.superseded_by) == (old.id, new.id)  # type: ignore[union-attr]
    assert [one.draft.value for one in opened.story()] == ["Cents, and never floats."] * 2
    assert "prices are integer cents" not in found(opened, "integer cents")
    for nothing in (" ", "x" * 30_000):
        with pytest.raises(UsageError, match="characters"):
            opened.revise(decision.id, nothing)


def test_what_was_remembered_goes_to_another_act_later_with_what_it_left_open(opened: LocalCompanion):
    done = kept(opened, f"{CENTS}\n{TEST}")
    shop = opened.acts()[1]
    for memory in done.memories:
        assert opened.route(memory.id, "shop").project == opened.project
    assert opened.story() == ()
    assert {memory.id for memory in opened.story("shop")} == {memory.id for memory in done.memories}
    assert [one.act for one in opened.threads()] == [shop.id]
    assert "prices are integer cents" in found(opened, "integer cents")
    opened.route(done.memories[0].id, "Your Story")
    assert [memory.id for memory in opened.story()] == [done.memories[0].id]


def test_a_memory_is_deleted_for_good_with_what_says_the_same(opened: LocalCompanion):
    done = kept(opened, f"decision: the zebra walks at noon\n{TEST}")
    decision = done.memories[1]
    opened.revise(decision.id, "The zebra walks at one.")
    (now_said,) = [one for one in opened.story() if one.supersedes == decision.id]
    opened.erase(now_said.id)
    opened.erase(decision.id)
    opened.erase(done.memories[0].id)
    left = everything(opened.rooms.database)
    said = [turn for turn in opened.transcript(done.conversation.id).turns if "zebra" in turn.messages[0].text]
    assert len(said) == 1
    assert "zebra walks at one" not in left
    assert opened.story() == ()
    assert opened.transcript(done.conversation.id).items == ()


def test_what_is_read_from_files_is_changed_there(desk: Desk, shop: Repo):
    desk.scan(shop.root, embed=False)
    companion = desk.open(shop.root)
    scanned = next(hit.memory for hit in companion.search(SearchQuery("line length")))
    for change in (
        lambda: companion.revise(scanned.id, "100"),
        lambda: companion.route(scanned.id, "Your Story"),
        lambda: companion.erase(scanned.id),
    ):
        with pytest.raises(UsageError, match="which would say it again"):
            change()
    companion.close()


def test_deleting_the_one_going_on_frees_the_place(opened: LocalCompanion):
    one = opened.start_conversation()
    say(opened, CENTS)
    opened.forget_conversation(one.id)
    assert opened.active_conversation() is None


def test_one_projects_memories_are_not_another_projects_but_your_story_is_everywhere(
    desk: Desk, shop: Repo, new_repo: Callable[..., Repo]
):
    companion = talking(desk.open(shop.root))
    kept(companion, "decision: cents in every project")
    closed(companion, "decision: cents in the shop alone")
    companion.redirect_review("shop")
    companion.confirm_review()
    in_shop = found(companion, "cents")
    companion.close()
    other = new_repo("garage")
    other.write("a.py", "x = 1\n")
    other.commit("Begin")
    elsewhere = talking(desk.open(other.root))
    assert {"cents in every project", "cents in the shop alone"} <= set(in_shop)
    assert "cents in every project" in found(elsewhere, "cents")
    assert not [text for text in found(elsewhere, "cents") if "shop alone" in text]
    assert not [memory for memory in elsewhere.story() if "shop alone" in memory.draft.levels.full]
    elsewhere.close()


def test_two_spaces_are_ranked_as_one(opened: LocalCompanion):
    kept(opened, "decision: cents are counted in tests")
    closed(opened, "decision: integer cents are counted everywhere")
    opened.redirect_review("shop")
    opened.confirm_review()
    hits = opened.search(SearchQuery("integer cents everywhere", limit=20))
    assert hits[0].memory.project == opened.project
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    assert {hit.memory.project for hit in hits} == {opened.project, opened.rooms.user}
    assert len(opened.search(SearchQuery("cents", limit=1))) == 1
