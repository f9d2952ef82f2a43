"""What a conversation left behind: open ends, who hears it, what is changed, moved or deleted later, and what is never kept."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from adapters.planted import SHAPED
from msgspec.structs import replace
from repos import Repo

from app.conftest import Desk
from app.reviewed import ALEX, CENTS, TEST, closed, everything, found, kept, rows, spoken
from app.talks import say, talking
from companion.api import Edit, Note, Todo
from companion.app.local import LocalCompanion, nowhere
from companion.engine.telling.greeting import in_words
from companion.errors import UnknownConversation, UsageError
from companion.ports import NoProgress
from companion.records import Profile, SearchQuery
from companion.records.judgements import WAITING_MOST
from companion.records.talk import ItemState, ItemType, Message, Role, TodoSort


def test_an_act_that_is_deleted_later_leaves_its_memories_to_your_story(opened: LocalCompanion):
    opened.make_act("Work")
    closed(opened, CENTS)
    opened.redirect_review("Work")
    done = opened.confirm_review()
    assert [hit.memory.id for hit in opened.search(SearchQuery("cents", act="Work", profile=Profile.MEMORY))]
    opened.delete_act("Work")
    assert {memory.id for memory in opened.story()} == {memory.id for memory in done.memories}
    with pytest.raises(UsageError, match="no one act 'Work'; there are: Your Story, shop"):
        opened.search(SearchQuery("cents", act="Work", profile=Profile.MEMORY))


def test_a_thread_is_settled_by_hand(opened: LocalCompanion):
    kept(opened, ALEX)
    (open_one,) = opened.threads((ItemType.WAITING_ON,))
    assert opened.settle_thread(open_one.id[:12]).settled_by == "user"
    assert opened.threads() == ()


def test_a_day_begins_with_what_waits_or_with_what_is_open_due_and_stale(opened: LocalCompanion):
    clock: Any = opened.runtime.adapters.clock
    assert opened.greeting() == type(opened.greeting())()
    kept(opened, f"{CENTS}\n{TEST}\n{ALEX}\nquestion: which format for dates?\ntask: write the page by next year")
    told = opened.greeting()
    assert [one.text for one in told.threads] == ["which format for dates?"]
    assert [one.text for one in told.waiting_on] == ["the contract from Alex"]
    assert [one.text for one in told.decisions] == ["prices are integer cents"]
    assert [one.text for one in told.due] == ["mend the rounding test"]
    assert told.stale == ()
    clock.advance(days=6)
    told = opened.greeting()
    assert [one.text for one in told.stale] == ["write the page"]
    assert [(one.text, dict(one.details)) for one in told.overdue] == [
        ("mend the rounding test", {"overdue_since": "2026-01-08"})
    ]
    clock.advance(days=2)
    assert opened.greeting().decisions == ()
    begun = opened.start_conversation("Again")
    told = opened.greeting()
    assert (told.waiting_talk, told.threads) == (begun, ())


def test_what_is_overdue_is_told_apart_for_two_weeks_and_then_counted_and_nothing_is_told_twice(
    opened: LocalCompanion,
):
    clock: Any = opened.runtime.adapters.clock
    for days in range(0, 24, 4):
        opened.add_todo(Todo(f"Step {days}", due=f"2026-01-{5 + days:02}"))
    opened.add_todo(Todo("the keys", due="2026-01-20", who="Alex"))
    clock.advance(days=16)
    told = opened.greeting()
    assert [one.text for one in told.overdue] == ["Step 4", "Step 8", "Step 12", "the keys"]
    assert told.long_overdue == 1
    assert [one.text for one in told.due] == ["Step 16", "Step 20"]
    assert (told.stale, told.waiting_on) == ((), ())
    assert {one.text for one in opened.threads() if "overdue_since" in one.details} == {
        "Step 0", "Step 4", "Step 8", "Step 12", "the keys",
    }  # fmt: skip
    shown = told.text
    assert shown.index("Overdue") < shown.index("Step 4 (overdue since 2026-01-09)") < shown.index("Due within a week")
    assert "Overdue for more than 14 days: 1 (companion todo)" in shown
    assert "Step 0" not in shown


def test_a_greeting_counts_what_there_is_to_settle_and_to_judge_and_says_no_more_of_it(opened: LocalCompanion):
    opened.scan(NoProgress())
    for text in ("Carts are never deleted.", "Carts are deleted after 90 days."):
        opened.remember(Note(text))
    told = opened.greeting()
    assert told.contradictions == len(opened.contradictions()) == 1
    assert told.questions == len(opened.pending_judgements(50)) > 0
    assert told.text.endswith("for a judge: `companion judge`")
    told = replace(told, traces=())
    assert in_words(replace(told, questions=0), len, 500) == "1 contradiction to resolve: `companion contradictions`"
    assert in_words(replace(told, contradictions=2, questions=12), len, 500) == (
        "2 contradictions to resolve: `companion contradictions`; 12 questions wait for a judge: `companion judge`"
    )
    assert f"{WAITING_MOST} or more questions wait" in in_words(replace(told, questions=WAITING_MOST), len, 500)


@pytest.fixture
def five_repositories(desk: Desk, shop: Repo, new_repo: Callable[..., Repo]) -> dict[str, Repo]:
    """Repositories in each of which something was said and left open; all of it belongs to Your Story."""
    repos = {"shop": shop}
    for name in ("docs", "app", "site", "tools"):
        repos[name] = new_repo(name)
        repos[name].write("README.md", f"# {name}\n")
        repos[name].commit("Begin")
    for name, repo in repos.items():
        there = talking(desk.open(repo.root))
        kept(there, f"task: mend {name} by 2026-01-08\nwaiting-on: the keys of {name}", title=f"About {name}")
        there.close()
    return repos


def test_a_greeting_tells_what_is_open_here_by_project_and_elsewhere_only_what_is_due(
    desk: Desk, five_repositories: dict[str, Repo]
):
    here = talking(desk.open(five_repositories["app"].root))
    here.add_todo(Todo("Buy milk", due="2026-01-06"))
    told = here.greeting()
    assert [(one.text, one.project_name) for one in told.due] == [("mend app", "app"), ("Buy milk", "")]
    assert [(one.text, one.said_in) for one in told.waiting_on] == [("the keys of app", "About app")]
    assert len(told.elsewhere) == 3
    assert {one.project_name for one in told.elsewhere} < {"shop", "docs", "site", "tools"}
    assert told.open_elsewhere == {"shop": 2, "docs": 2, "site": 2, "tools": 2}
    every = here.greeting(everywhere=True)
    assert [one.text for one in every.due[:2]] == ["mend app", "Buy milk"]
    assert {one.project_name for one in every.due} == {"", *five_repositories}
    assert (every.elsewhere, every.open_elsewhere) == ((), {})
    outside = nowhere(here.runtime, desk.home, owns_runtime=False).greeting()
    assert [one.text for one in outside.due[:1]] == ["Buy milk"]
    assert len(outside.due) == 6
    here.close()


def test_a_conversation_of_another_project_that_waits_is_said_to_be_of_it_and_hides_nothing(
    desk: Desk, five_repositories: dict[str, Repo]
):
    there = talking(desk.open(five_repositories["docs"].root))
    desk.clock.advance(hours=1)
    begun = there.start_conversation("Chapters")
    assert (there.greeting().waiting_talk, there.greeting().talk_project, there.greeting().due) == (begun, "docs", ())
    there.close()
    here = talking(desk.open(five_repositories["app"].root))
    told = here.greeting()
    assert (told.waiting_talk, told.talk_project) == (begun, "docs")
    assert [one.text for one in told.due] == ["mend app"]
    here.close()


def test_an_item_is_expanded_by_its_id_with_where_it_was_said(opened: LocalCompanion):
    done = kept(opened, f"Hello\n{TEST}")
    (item,) = opened.threads()
    found = opened.expand(item.id[:10])
    for part in ("mend the rounding test", "due: 2026-01-08", done.conversation.id, "“Prices”", "turn 1", "shop"):
        assert part in found.text
    assert done.memories[0].id in found.text
    by_hand = opened.add_todo(Todo("Buy milk"))
    assert "Written by hand" in opened.expand(by_hand.id).text
    with pytest.raises(UsageError, match="No item"):
        opened.expand("i1nothing")


def test_what_a_persona_heard_is_its_own_and_facts_are_everybodys(opened: LocalCompanion):
    opened.start_conversation("Prices", persona="reviewer")
    say(opened, f"{TEST}\n{CENTS}")
    opened.close_conversation()
    episode, decision = opened.confirm_review().memories
    assert (episode.draft.persona, decision.draft.persona) == ("reviewer", "")
    assert [one.text for one in opened.threads(persona="reviewer")] == ["mend the rounding test"]
    assert opened.greeting("tutor").due == opened.threads(persona="tutor") == ()
    assert [hit.memory.id for hit in opened.search(SearchQuery("cents", persona="tutor", profile=Profile.MEMORY))] == [
        decision.id
    ]
    assert len(opened.search(SearchQuery("cents", persona="reviewer", profile=Profile.MEMORY))) == 2
    assert opened.story(persona="tutor") == (decision,)
    assert opened.conversations(persona="tutor") == ()
    assert len(opened.conversations(persona="reviewer")) == len(opened.conversations()) == 1


def test_a_todo_by_hand_is_open_once_until_it_is_settled_and_is_greeted(opened: LocalCompanion):
    clock: Any = opened.runtime.adapters.clock
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
    (hit, *_) = opened.search(SearchQuery("Alex signs contract 3", limit=1, profile=Profile.MEMORY))
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
    assert secret not in everything(opened.store.database)


def test_our_own_context_that_comes_back_is_not_kept_again(opened: LocalCompanion):
    opened.start_conversation()
    both = opened.add_turn([Message(Role.USER, "<context>decision: old</context>\nAnd now?")])
    assert both.messages[0].text == "And now?"
    alone = opened.add_turn([Message(Role.SYSTEM, "<context>decision: old</context>")])
    assert "old" not in alone.messages[-1].text
    assert opened.close_conversation().extraction.items == ()


def test_deleting_a_conversation_reaches_every_table_and_index_at_once(opened: LocalCompanion):
    done = kept(opened, "decision: the zebra walks at noon")
    kept(opened, CENTS)
    opened.cite([done.memories[0].id], "used")
    assert spoken(opened, "zebra") == [done.conversation.id]
    gone = opened.forget_conversation(done.conversation.id[:12])
    assert spoken(opened, "zebra") == []
    assert (gone.turns, gone.items, gone.memories) == (1, 1, 2)
    assert "zebra" not in everything(opened.store.database)
    assert done.conversation.id not in everything(opened.store.database)
    assert not [text for text in found(opened, "zebra noon") if "zebra" in text]
    assert "prices are integer cents" in found(opened, "integer cents")
    texts, embedded = opened.store.vectors.extent(opened.store.user, "hash-32", 32)
    assert texts == embedded
    assert rows(opened.store.database, "select count(*) from embeddings") == [(texts,)]
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
    left = everything(opened.store.database)
    said = [turn for turn in opened.transcript(done.conversation.id).turns if "zebra" in turn.messages[0].text]
    assert len(said) == 1
    assert "zebra walks at one" not in left
    assert opened.story() == ()
    assert opened.transcript(done.conversation.id).items == ()


def test_what_is_read_from_files_is_changed_there(desk: Desk, shop: Repo):
    desk.scan(shop.root, embed=False)
    companion = desk.open(shop.root)
    scanned = next(hit.memory for hit in companion.search(SearchQuery("line length", profile=Profile.MEMORY)))
    for change in (
        lambda: companion.revise(scanned.id, "100"),
        lambda: companion.route(scanned.id, "Your Story"),
        lambda: companion.erase(scanned.id),
    ):
        with pytest.raises(UsageError, match="which would say it again"):
            change()
    companion.close()


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
    hits = opened.search(SearchQuery("integer cents everywhere", limit=20, profile=Profile.MEMORY))
    assert hits[0].memory.project == opened.project
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    assert {hit.memory.project for hit in hits} == {opened.project, opened.store.user}
    assert len(opened.search(SearchQuery("cents", limit=1, profile=Profile.MEMORY))) == 1
