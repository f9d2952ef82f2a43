"""What says the same in other words is told to be the same, and nothing else is."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.judge.likeness import ReadLikeness
from companion.language.amounts import amount

DATA = Path(__file__).parent / "data"

SAME = [
    ("The worker retries failed uploads three times.", "The worker retries failed uploads 3 times."),
    ("A request may take 90 s.", "A request may take 90 seconds."),
    ("Sessions last half an hour.", "Sessions last 30 minutes."),
    ("Don't log card numbers.", "Do not log card numbers."),
    ("Every week the cache is emptied.", "The cache is emptied weekly."),
    ("Before tagging, run the full suite.", "Run the full suite before tagging."),
    ("In CI, the tests use four workers.", "The tests use 4 workers in CI."),
    ("PRs need at least two approvals.", "Pull requests require at least 2 approvals."),
    ("We use Postgres.", "We use PostgreSQL."),
]

APART = [
    ("The gateway calls the ledger.", "The ledger calls the gateway."),
    ("The gateway is called by the ledger.", "The gateway calls the ledger."),
    ("Prefer tabs over spaces.", "Prefer spaces over tabs."),
    ("Use yarn, not npm.", "Use npm, not yarn."),
    ("Copy backups from S3 to the vault.", "Copy backups from the vault to S3."),
    ("Lint runs before the tests.", "The tests run before lint."),
    ("We used Jenkins.", "We use Jenkins."),
    ("The API was written in Go.", "The API is written in Go."),
    ("Support will be dropped.", "Support is dropped."),
    ("You do not have to sign commits.", "You must not sign commits."),
    ("Only admins can delete projects.", "Admins can delete projects."),
    ("All jobs are idempotent.", "Jobs are idempotent."),
    ("Keep at least 5 backups.", "Keep at most 5 backups."),
    ("Retention is 30 days.", "Retention is one month."),
    ("The limit is 1 MB.", "The limit is 1 MiB."),
    ("It needs Node 18.1.", "It needs Node 18.10."),
    ("parseConfig is pure.", "parseconfig is pure."),
    ("The flag is on by default.", "The flag is off by default."),
    ("Tests run in CI or locally.", "Tests run in CI and locally."),
    ("Nobody is on call.", "Nobody is not on call."),
    ("Changes are merged with a review.", "Changes are merged without a review."),
    ("The job starts at 02:00.", "The job starts at 03:00."),
    ("100 requests per minute are allowed.", "100 requests per second are allowed."),
    ("Use the cache. Never use the disk.", "Never use the cache. Use the disk."),
]

QUALIFIED = [
    ("{} requests are retried.", "GET internal failed new those my POST IT"),
    ("Invoices for {} customers are in dollars.", "US existing your those French bigger IT old"),
    ("No deploys {} Friday.", "this next last that every"),
    ("Tokens are {} checked.", "also generally currently always really just only"),
    ("{} team owns the key.", "IT AM their WHO my its"),
    ("The logs are kept {} for 30 days.", "here there too"),
]
"""Statements, and words each of which makes another statement of it: what qualifies, points, names."""

SUBJECTS = ["the worker", "the search index", "src/app.py", "parse_config", "the nightly job", "Anna", "the v2 client"]
VERBS = ["reads", "writes", "deletes", "caches", "validates", "compresses", "signs", "exports"]
OBJECTS = ["orders", "tokens", "user.email", "log lines", "avatars", "the schema", "invoices"]
PLACES = [
    "in dev",
    "in staging",
    "in production",
    "in CI",
    "locally",
    "on Windows",
    "on macOS",
    "in QA",
    "on the canary",
]
FORCES = ["", "must ", "may ", "must not ", "never ", "does not have to "]
numbers = st.integers(2, 10_000)
versions = st.tuples(st.integers(0, 30), st.integers(0, 30), st.integers(0, 30)).map(lambda v: "v{}.{}.{}".format(*v))


@pytest.mark.parametrize(("a", "b"), SAME)
def test_what_differs_only_in_wording_says_the_same(a: str, b: str) -> None:
    assert ReadLikeness().difference(a, b) == ""
    assert ReadLikeness().difference(b, a) == ""


def test_words_that_stand_in_one_alone_are_told_as_they_are_written() -> None:
    said = ReadLikeness().difference("A hold expires after 15 min.", "A hold made by an agent runs out after 15 min.")
    assert said == "only one says “expires”, “made”, “agent”, “runs”"


@pytest.mark.parametrize(("a", "b"), APART)
def test_what_differs_in_any_matter_does_not(a: str, b: str) -> None:
    assert ReadLikeness().difference(a, b)
    assert ReadLikeness().difference(b, a)


@st.composite
def statements(draw: st.DrawFn) -> dict[str, str]:
    """The parts of a statement with a number, a version, an environment and a force."""
    return {
        "subject": draw(st.sampled_from(SUBJECTS)),
        "force": draw(st.sampled_from(FORCES)),
        "verb": draw(st.sampled_from(VERBS)),
        "number": str(draw(numbers)),
        "object": draw(st.sampled_from(OBJECTS)),
        "version": draw(versions),
        "place": draw(st.sampled_from(PLACES)),
    }


def said(parts: dict[str, str]) -> str:
    return "{subject} {force}{verb} {number} {object} since {version} {place}".format(**parts)


@given(
    statements(), statements(), st.sets(st.sampled_from(["number", "version", "place", "force", "subject", "object"]))
)
def test_a_change_of_number_version_environment_force_or_subject_is_always_seen(
    parts: dict[str, str], others: dict[str, str], changed: set[str]
) -> None:
    other = parts | {name: others[name] for name in changed}
    same = other == parts or (
        {parts["force"], other["force"]} == {"must not ", "never "} and _but(parts) == _but(other)
    )
    assert same or ReadLikeness().difference(said(parts), said(other))


def _but(parts: dict[str, str]) -> dict[str, str]:
    return {name: value for name, value in parts.items() if name != "force"}


@given(statements())
def test_the_place_may_be_said_first_or_last(parts: dict[str, str]) -> None:
    text = said(parts)
    fronted = f"{parts['place'][0].upper()}{parts['place'][1:]}, {text.removesuffix(parts['place']).strip()}"
    if parts["place"] != "locally":
        assert ReadLikeness().difference(text, fronted) == ""


@given(st.text(max_size=400), st.text(max_size=400))
def test_any_two_texts_can_be_compared_either_way_round(a: str, b: str) -> None:
    assert bool(ReadLikeness().difference(a, b)) == bool(ReadLikeness().difference(b, a))
    assert ReadLikeness().difference(a, a) == ""


@given(st.text(max_size=200), st.integers(0, 10**6), st.integers(0, 10**6))
def test_another_number_is_never_the_same(text: str, one: int, other: int) -> None:
    text = re.sub(r"\d", "", text)
    assert one == other or ReadLikeness().difference(f"{text} {one}", f"{text} {other}")


@pytest.mark.parametrize(
    ("words", "meaning"),
    [
        (["90", "seconds"], "90 s"),
        (["1.5", "min"], "90 s"),
        (["two", "weeks"], "1209600 s"),
        (["5MB"], "5000000 B"),
        (["80%"], "80 %"),
        (["eighty", "percent"], "80 %"),
        (["twice"], "2 times"),
        (["3.10"], "3.10"),
        (["1_000"], "1000"),
    ],
)
def test_amounts_are_told_in_one_unit_and_versions_as_they_are_written(words: list[str], meaning: str) -> None:
    assert amount(words) == (len(words), meaning)


@pytest.mark.parametrize(("frame", "words"), QUALIFIED)
def test_a_word_that_qualifies_points_or_names_keeps_two_apart(frame, words):
    def said(word: str) -> str:
        text = " ".join(frame.format(word).split())
        return text[0].upper() + text[1:]

    texts = [said(word) for word in ("", *words.split())]
    assert [(a, b) for a in texts for b in texts if a != b and not ReadLikeness().difference(a, b)] == []
    assert not ReadLikeness().difference(said(""), said("").replace("requests", "the requests"))


def test_a_weekday_that_is_to_come_is_none_of_every_week():
    assert ReadLikeness().difference("No deploys this Friday.", "No deploys on Fridays.")
    assert ReadLikeness().difference("The meeting is that Monday.", "The meeting is on Mondays.")


def test_of_a_hundred_near_pairs_that_differ_none_is_taken_for_the_same():
    rows = map(json.loads, (DATA / "same_pairs.jsonl").read_text("utf-8").splitlines())
    different = [row for row in rows if row["label"] == "different"]
    assert len(different) == 100
    assert [row["id"] for row in different if not ReadLikeness().difference(row["a"], row["b"])] == []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ('Rows of the table "Invoice" are kept.', 'Rows of the table "invoice" are kept.'),
        ("Column T holds the temperature.", "Column t holds the temperature."),
        ("Open traffic when the index is built.", "Open traffic while the index is being built."),
    ],
)
def test_capitals_inside_a_sentence_and_what_is_still_going_on_keep_two_apart(one, other):
    assert ReadLikeness().difference(one, other)
    assert not ReadLikeness().difference(one, f"{one[0].lower()}{one[1:]}")
