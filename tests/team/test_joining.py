"""Records of a team are joined to the same state, whatever the order they come in and however often."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from companion.errors import UsageError
from companion.records import (
    Decision,
    DecisionStatus,
    Draft,
    Evidence,
    EvidenceKind,
    JudgeVerdict,
    Kind,
    Levels,
    Resolution,
    Scope,
    Workflow,
)
from companion.records.team import SharedResolution, SharedVerdict, SharedVersion, TeamRecord, Withdrawal
from companion.team.joining import joined, state_of
from companion.team.text import read, record_id, written

START = datetime(2026, 3, 2, 9)
AUTHORS = ("Ada <ada@example.org>", "Ben <ben@example.org>")


words = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
drafts = st.builds(
    Draft,
    kind=st.sampled_from(Kind),
    type=words,
    subject=words,
    attribute=words,
    value=words,
    levels=st.builds(Levels, words, words, words, words),
    origin=words,
    evidence=st.lists(st.builds(Evidence, st.sampled_from(EvidenceKind), words, st.none() | st.integers(1, 9))).map(
        tuple
    ),
    body=st.sampled_from([None, Decision("", "pnpm", "", DecisionStatus.IN_FORCE), Workflow("deploy", ("test",))]),
    scope=st.builds(Scope, words, words),
    confidence=st.floats(0, 1),
    valid_to=st.none() | st.datetimes(datetime(1990, 1, 1), datetime(2100, 1, 1)),
)


def version(text: str, *, key: str = "k", author: str = AUTHORS[0], replaces: tuple[str, ...] = ()) -> SharedVersion:
    draft = Draft(Kind.FACT, "fact", "package manager", "is", text, Levels(text, text, text, text), "")
    return SharedVersion(key, draft, author, START, replaces)


def by_id(*records: TeamRecord) -> dict[str, TeamRecord]:
    return {record_id(record): record for record in records}


@st.composite
def histories(draw: st.DrawFn) -> dict[str, TeamRecord]:
    """A set of records in which versions replace, withdrawals and resolutions name, what was there before them."""
    known: dict[str, TeamRecord] = {}
    for step in range(draw(st.integers(1, 12))):
        ids = sorted(known)
        author = draw(st.sampled_from(AUTHORS))
        sort = draw(st.sampled_from(["version", "withdrawal", "resolution", "verdict"])) if len(ids) > 1 else "version"
        made_at = START + timedelta(minutes=draw(st.integers(-60, 60)))
        record: TeamRecord
        if sort == "withdrawal":
            record = Withdrawal(draw(st.sampled_from(ids)), author, made_at)
        elif sort != "version":
            a, b = sorted(draw(st.lists(st.sampled_from(ids), min_size=2, max_size=2, unique=True)))
            if sort == "resolution":
                record = SharedResolution(a, b, draw(st.sampled_from(Resolution)), author, made_at)
            else:
                record = SharedVerdict(a, b, draw(st.sampled_from(JudgeVerdict)), author, made_at, draw(st.booleans()))
        else:
            old = tuple(sorted(draw(st.sets(st.sampled_from(ids), max_size=2)))) if ids else ()
            record = version(f"value {step % 4}", key=draw(st.sampled_from("kl")), author=author, replaces=old)
        known[record_id(record)] = record
    return known


@given(histories(), histories(), histories())
def test_joining_is_commutative_associative_and_idempotent(a: dict, b: dict, c: dict) -> None:
    assert joined(a, b) == joined(b, a)
    assert joined(joined(a, b), c) == joined(a, joined(b, c))
    assert joined(joined(a, b), a) == joined(a, b)
    assert list(joined(a, b)) == list(joined(b, a)), "the order is the same as well"


@given(histories(), st.randoms(use_true_random=False))
def test_the_state_does_not_depend_on_the_order_of_arrival(known: dict, chance) -> None:
    shuffled = list(known.items())
    chance.shuffle(shuffled)
    assert state_of(dict(shuffled)) == state_of(known)


@given(histories())
def test_no_version_is_lost_but_by_a_withdrawal(known: dict) -> None:
    state = state_of(known)
    versions = {id_ for id_, record in known.items() if isinstance(record, SharedVersion)}
    by_author = {(one.version, one.author) for one in known.values() if isinstance(one, Withdrawal)}
    withdrawn = {id_ for id_ in versions if (id_, known[id_].author) in by_author}
    assert set(state.versions) == versions - withdrawn
    assert withdrawn <= set(state.withdrawn)
    assert not state.withdrawn.keys() & state.versions.keys()


def test_the_same_key_with_two_values_of_two_people_is_a_conflict_until_somebody_resolves_it() -> None:
    ours, theirs = version("pnpm"), version("yarn", author=AUTHORS[1])
    (conflict,) = state_of(by_id(ours, theirs)).conflicts
    assert {conflict.a, conflict.b} == {record_id(ours), record_id(theirs)}
    resolution = SharedResolution(conflict.a, conflict.b, Resolution.A_WINS, AUTHORS[0], START)
    assert state_of(by_id(ours, theirs, resolution)).conflicts == ()


def test_two_people_who_say_the_same_do_not_contradict_each_other() -> None:
    assert state_of(by_id(version("pnpm"), version("pnpm", author=AUTHORS[1]))).conflicts == ()


def test_a_version_that_replaces_both_sides_ends_their_conflict() -> None:
    ours, theirs = version("pnpm"), version("yarn", author=AUTHORS[1])
    both = version("pnpm from 9 on", replaces=(record_id(ours), record_id(theirs)))
    state = state_of(by_id(ours, theirs, both))
    assert state.conflicts == ()
    assert state.current == {"k": (record_id(both),)}


def test_of_two_resolutions_the_later_one_holds_whichever_came_first() -> None:
    ours, theirs = version("pnpm"), version("yarn", author=AUTHORS[1])
    a, b = sorted(by_id(ours, theirs))
    early = SharedResolution(a, b, Resolution.A_WINS, AUTHORS[0], START)
    late = SharedResolution(a, b, Resolution.B_WINS, AUTHORS[1], START + timedelta(hours=1))
    for records in (by_id(ours, theirs, early, late), by_id(late, early, theirs, ours)):
        assert state_of(records).resolutions[a, b] == late


def test_of_two_verdicts_that_of_a_person_holds_then_the_later_one() -> None:
    a, b = sorted((record_id(version("pnpm")), record_id(version("yarn"))))
    person = SharedVerdict(a, b, JudgeVerdict.CONTRADICT, AUTHORS[0], START, by_person=True)
    model = SharedVerdict(a, b, JudgeVerdict.SAME, AUTHORS[1], START + timedelta(hours=1))
    later = SharedVerdict(a, b, JudgeVerdict.BESIDE, AUTHORS[1], START + timedelta(hours=2))
    assert state_of(by_id(person, model, later)).verdicts[a, b] == person
    assert state_of(by_id(later, model)).verdicts[a, b] == later


def test_a_withdrawal_takes_the_text_away_even_where_it_comes_first() -> None:
    told = version("a name that should not have been told")
    back = Withdrawal(record_id(told), AUTHORS[0], START)
    assert told not in joined(by_id(back), by_id(told)).values()


def test_nobody_can_withdraw_what_somebody_else_shared() -> None:
    told = version("pnpm")
    records = by_id(told, Withdrawal(record_id(told), AUTHORS[1], START))
    assert told in joined(records).values()
    assert state_of(records).withdrawn == {}


def test_of_two_versions_of_one_author_the_later_one_is_current() -> None:
    early, late = version("yarn"), replace(version("pnpm"), made_at=START + timedelta(days=1))
    state = state_of(by_id(late, early))
    assert state.current == {"k": (record_id(late),)}
    assert state.conflicts == ()
    assert len(state.versions) == 2, "the earlier one is not lost"


@given(histories())
def test_what_is_written_is_read_back_and_written_the_same(known: dict) -> None:
    for id_, record in known.items():
        text = written(record)
        assert read(text.encode()) == record
        assert record_id(read(text.replace("\n", "\r\n").encode())) == id_, "whatever git does with line ends"


@given(drafts)
def test_whatever_a_draft_holds_is_read_back(draft: Draft) -> None:
    record = SharedVersion("k", draft, AUTHORS[0], START)
    assert read(written(record).encode()) == record


def test_a_record_has_a_line_for_each_field_and_none_for_an_empty_one() -> None:
    assert written(Withdrawal("12", AUTHORS[0], START)).splitlines() == [
        "{",
        ' "author": "Ada <ada@example.org>",',
        ' "made_at": "2026-03-02T09:00:00Z",',
        ' "record": "Withdrawal",',
        ' "version": "12"',
        "}",
    ]
    text = written(version("pnpm"))
    assert text.count("pnpm") == 2, "the value, and one of four lengths that are all the same"
    assert '""' not in text


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (b"<<<<<<< HEAD", "not JSON"),
        (b"[]", "not a record"),
        (b'{"record": "Vote", "for": "x"}', "newer version"),
        (b'{"record": "Withdrawal", "version": "x", "author": "A"}', "`made_at` is missing"),
        (b'{"record": "SharedVersion", "draft": {"levels": []}}', "draft"),
        (b'{"record": "Withdrawal", "version": "\\ud800", "author": "A", "made_at": "2026-03-02T09:00:00Z"}', "half"),
    ],
)
def test_what_is_no_record_says_why(text: bytes, says: str) -> None:
    with pytest.raises(UsageError, match=says):
        read(text)
