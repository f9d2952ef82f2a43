"""What a reading found so far and how long it goes on, from its steps alone."""

from __future__ import annotations

from companion.client.so_far import SHARES, ReadingSoFar


class Watch:
    """Seconds that pass when told."""

    def __init__(self) -> None:
        self.at_s = 0.0

    def __call__(self) -> float:
        return self.at_s


def test_commits_files_and_whatever_was_found_are_told_in_words():
    so_far = ReadingSoFar(Watch())
    assert so_far.found == ""
    so_far.step("reading history", 1_500, 3_000)
    so_far.step("reading code", 1, 40)
    so_far.step("found symbols", 0, None)
    so_far.step("found decisions", 1, 1)
    so_far.step("found rules", 12, 12)
    so_far.step("vectors", 5, 10)
    assert so_far.found == "1,500 commits, 1 file, 1 decision, 12 rules"


def test_the_time_left_follows_from_what_is_done_and_is_told_coarsely():
    watch = Watch()
    so_far = ReadingSoFar(watch)
    so_far.step("reading history", 1, 100)
    assert so_far.left == ""  # too early to tell
    watch.at_s = 18.0
    so_far.step("reading history", 100, 100)
    assert so_far.left == "about 1 min left"  # a bit less than a fifth took 18 seconds
    watch.at_s = 50.0
    so_far.step("learning", 0, 7)
    assert so_far.left == "about 45 s left"
    so_far.step("reading code", 0, 10)  # a stage that reports late does not turn the clock back
    assert so_far.left == "about 45 s left"
    so_far.step("indexing words", 1, 1)
    assert so_far.left == ""


def test_after_contexts_are_complete_the_time_left_is_that_of_the_vectors():
    watch = Watch()
    so_far = ReadingSoFar(watch)
    so_far.step("indexing words", 1, 1)
    so_far.step("vectors", 200, 1_000)  # those of an earlier reading
    assert so_far.left == ""
    watch.at_s = 20.0
    so_far.step("vectors", 400, 1_000)
    assert so_far.left == "about 60 s left"
    so_far.step("vectors", 1_000, 1_000)
    assert so_far.left == ""


def test_what_is_done_is_a_share_of_the_whole_reading_and_never_shrinks_when_a_stage_begins():
    so_far, told = ReadingSoFar(Watch()), []
    for stage in SHARES:
        for done in (0, 50, 100):
            so_far.step(stage, done, 100)
            told.append(so_far.percent)
    assert told == sorted(told)
    assert (told[0], told[2], told[-1]) == (0, 18, 100)
    so_far.step("vectors", 1, 100)
    assert so_far.percent is None, "what comes behind is told by the time it takes"


def test_a_total_that_is_not_known_or_nothing_at_all_is_no_error():
    so_far = ReadingSoFar(Watch())
    for stage in SHARES:
        so_far.step(stage, 0, None)
        so_far.step(stage, 0, 0)
    assert so_far.found == ""
