"""A story in a third of its words: whole sentences, the one that explains, and what the rest names."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.judging.kept import ALSO, compare, left_out
from companion.judging.reading.marks import MarkKind
from companion.kinds.condense import condense
from companion.kinds.leads import ROOM_CHARS
from companion.kinds.levels import episode_levels, ladder, noting_refusals

VOCABULARY = """
    the cache is not kept when retry_count exceeds 3 in src/app.py and PostgreSQL never returns JSON without a
    timeout of 30s because Anna chose Redis; parser.load() (which fails) - so that it works, since 2.0
"""
OPENING = (
    "Every worker waits because the cache is written once, and nobody may read it before it has been closed again."
)
"""Long and plain enough that nothing is read beyond it."""
WORDS = st.sampled_from(VOCABULARY.split())
SENTENCES = st.lists(WORDS, min_size=1, max_size=18).map(" ".join)
STORIES = st.lists(SENTENCES, min_size=1, max_size=6).map(". ".join)


@given(SENTENCES, STORIES)
def test_a_summary_invents_nothing_and_turns_nothing(title: str, story: str):
    assert compare(f"{title}\n{story}", condense(title, story)).holds


@given(SENTENCES, STORIES)
def test_a_summary_begins_with_the_whole_title(title: str, story: str):
    assert condense(title, story).startswith(title)


@given(st.text(max_size=200), st.text(max_size=400))
def test_any_title_and_story_can_be_told_shorter(title: str, story: str):
    levels = episode_levels(title or "x", story)
    assert len(levels.full) >= len(levels.summary) >= len(levels.compressed)


def test_an_opening_stands_in_a_summary_while_it_is_short_or_the_rest_is_long():
    reason = OPENING.replace("may read it", "of those who wait for it may read it")
    longer, rest = f"{reason} It was noticed in test_context.", "What else was seen fills a page. " * 16
    assert OPENING in episode_levels("Cache less", f"{OPENING} It was noticed in test_context.").summary
    title = "Cache fewer pages between two requests"
    assert reason in episode_levels(title, f"{longer} {rest}").summary
    assert episode_levels(title, longer).summary == f"{title}. Also named: test_context."


def test_a_title_that_says_too_little_alone_has_its_opening_beside_it():
    longer = OPENING.replace("may read it", "of those who wait for it may read it")
    assert longer in episode_levels("Fix the cache", longer).summary
    assert longer not in episode_levels("Fix the cache of pages between requests", longer).summary


def test_the_sentence_that_gives_the_reason_is_kept_and_the_rest_is_named():
    told = condense(
        "Defer the context until it is needed",
        "A first remark of no weight at all. The context broke `ctx.obj` because Click 7.1 made it too early. "
        "It was noticed in test_context and os.environ was read twice by Celery.",
    )
    assert "because" in told or "broke `ctx.obj`" in told
    assert told.partition(ALSO)[2].strip(" .") == "test_context, os.environ"


@pytest.mark.parametrize(
    ("story", "shown"),
    [
        ("Validation is shape plus Luhn: 12–19 digits with a valid checksum.", "12–19 digits"),
        ("Python 3.7 leaves the old loop running.", "Python 3.7"),
        ("There is a default limit of 4096 but nobody sets it.", "limit of 4096"),
        ("Setting shell=True was never needed by anyone here.", "shell=True"),
        ("It is wrapped as Writeable<T> in every place.", "Writeable<T>"),
        ("The reader waits for v4.2.0 of the other one.", ""),
        ("Reading takes 31 ns/op and BenchmarkRead-8 says so.", ""),
        ("An E5-2690 of ours shows it, as does lgtm.com in its report.", ""),
        ("The Read/Write part is another matter for all.", ""),
        ("No release was made since October 2020 for that.", ""),
        ("Branch ab1234-new-way was what it came from.", ""),
        ("The dates are those of RFC 3339 and no others.", "RFC 3339"),
        ("Invalid bytes become U+FFFD in that case.", "U+FFFD"),
    ],
)
def test_what_is_named_stands_with_what_gives_it_a_sense(story: str, shown: str):
    said, _, named = condense("Cache less", f"{OPENING} Previously {story}").partition(ALSO)
    assert said.strip() == f"Cache less. {OPENING}"
    assert shown in named.strip(" .").split(", ") if shown else not named


@pytest.mark.parametrize(
    "story",
    [
        "It was noticed by Celery and Show in the Windows console.",
        "The reader asks whether it have/has one of them, accept/reject.",
        "Kudos to @somebody for all of it.",
        "The retained size went from 7709 → 816 in all three parse paths, a 10% speedup on 20-key objects.",
        "The files---that nobody reads---are skipped, see [1] and step 1.",
        "it was correctly read by all four of them.",
    ],
)
def test_plain_words_handles_and_counts_are_never_named(story: str):
    assert condense("Cache less", f"{OPENING} Previously {story}") == f"Cache less. {OPENING}"


@pytest.mark.parametrize(
    "remark",
    [
        "Ah well.",
        "Perhaps more importantly, the reader is slightly nicer to look at now.",
        "To reproduce, run the reader twice on an empty folder.",
        "Where readers of empty folders waited for the lock of another one.",
    ],
)
def test_neither_feelings_nor_half_sentences_stand_for_a_reason(remark: str):
    assert condense("Cache the routes", remark) == "Cache the routes."


def test_a_sentence_that_leans_on_another_is_told_with_it():
    story = "The lock of the store was never released. This kept every second reader waiting, because nobody else could open it."
    assert condense("Lock the store", story) == f"Lock the store. {story}"


@pytest.mark.parametrize("pasted", ["type appkey struct {", "BenchmarkOne-4 1143 1053 -7.87% and more of it here"])
def test_neither_code_nor_measurements_stand_for_a_reason(pasted: str):
    told = condense("Cache the routes", f"{pasted}\nEvery route was looked up anew because nobody kept it.")
    assert told.partition(ALSO)[0].strip() == "Cache the routes."


def test_a_sentence_that_begins_small_is_written_as_one_and_code_stays_as_it_is():
    assert (
        condense("Pager", "always closes the pipe when it breaks.") == "Pager. Always closes the pipe when it breaks."
    )
    assert "Pager. time.now() is never" in condense("Pager", "time.now() is never called when logging is skipped.")


def test_a_long_list_ends_by_saying_that_there_are_others():
    story = f"{OPENING} " + " ".join(f"Previously `name_{letter}`." for letter in "abcdefghijklmnopqrstuvwxyz")
    told = condense("Hold it", story)
    assert told.endswith("name_x and others.")
    assert compare(f"Hold it\n{story}", told).holds


def test_a_sentence_that_goes_on_from_its_title_takes_its_place():
    told = condense("Add BindQuery", "Add BindQuery, which reads the query string and nothing else.")
    assert told == "Add BindQuery, which reads the query string and nothing else."


@given(SENTENCES, STORIES)
def test_every_identifier_of_a_story_stands_in_its_summary(title: str, story: str):
    told = f"{title}\n{story}"
    assert [mark for mark in left_out(told, condense(title, story)) if mark.kind == MarkKind.IDENTIFIER] == []


def test_a_sentence_is_never_cut_where_the_rest_turns_what_it_says():
    story = "The session is kept for all users but only while " + "the very long condition holds " * 8 + "."
    assert "kept for all users" not in condense("Sessions", story)


def test_an_opening_is_told_as_it_was_written_until_it_gives_its_reason():
    story = "Previously two writers lost data. Now the second one waits for the lock."
    assert condense("Lock the store", story) == f"Lock the store. {story}"


def test_what_a_branch_says_itself_is_told_and_its_list_of_commits_is_not():
    told = condense("Pager", "The pager no longer breaks when the pipe is closed.\n- Fix colours in the other tool")
    assert "no longer breaks" in told
    assert "colours" not in told


@pytest.mark.parametrize("story", ["", "- ", "...", "ok"])
def test_a_story_that_says_nothing_leaves_the_title(story: str):
    assert condense("Fix it.", story) == "Fix it."


def test_no_sentence_exceeds_its_room():
    story = "The cache of the server is now written by one worker, " + "and so on " * 60 + "."
    assert len(condense("Cache", story)) <= len("Cache. ") + ROOM_CHARS + 60


def test_what_the_checker_refuses_is_noted_where_somebody_counts():
    with noting_refusals() as refused:
        levels = ladder("The session never expires.", summary="The session expires.")
    assert levels.summary == levels.full
    assert [one.why for one in refused] == [("lost negation: not",)]
    ladder("The session never expires.", summary="The session expires.")
    assert len(refused) == 1


@pytest.mark.parametrize(
    "sentence",
    [
        "When running in adapter mode.",
        "But it never worked on the second try, because nobody had looked.",
        "Note that tests of this kind are slow because they wait.",
        "Nobody needs the routes any more because they are cached now, though.",
        "Is kept by the router because nobody else asks for it.",
    ],
)
def test_half_sentences_and_what_answers_nothing_do_not_stand_beside_a_title(sentence: str):
    assert condense("Cache the routes", sentence).partition(ALSO)[0].strip() == "Cache the routes."


def test_a_list_is_no_opening():
    steps = "- Strip the length because the server refuses it.\n- Follow a redirect only once because it may be a loop."
    assert condense("Cache the routes", steps) == "Cache the routes."
