"""What lists show: what a thing is called, what stands beside it, what a closer look adds, and in which group."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from companion.records import (
    Activity,
    Context,
    ContextItem,
    Contradiction,
    Draft,
    Episode,
    Evidence,
    EvidenceKind,
    Failure,
    Format,
    Kind,
    Levels,
    Memory,
    Reason,
    SearchHit,
    Source,
    Tier,
    TierReport,
)
from companion.records.talk import Conversation, ItemType, TalkState
from companion.records.talk import Item as TalkItem
from companion.surfaces import groups, rows
from companion.surfaces.wording import ago

NOW = datetime(2026, 1, 5)
HERE = "lib/cache/store.go"
HOSTILE = "\x1b[31m<img src=x onerror=alert(1)> [x](command:evil) \u202eesrever\u2066 ` | # "
README = Evidence(EvidenceKind.FILE, "docs/README.md", 3)


def item(id_: str, title: str, text: str = "", **other: object) -> ContextItem:
    return replace(ContextItem(id_, title, Tier.RELEVANT, "Facts", "summary", 120, 0.5, text), **other)  # type: ignore[arg-type]


def because(*says: str, feature: str = "together") -> tuple[Reason, ...]:
    return tuple(Reason(feature, 1.0, 1.0, one) for one in says)


def memory(text: str, **other: object) -> Memory:
    levels = Levels(text, text, text, text[:50])
    draft = Draft(Kind.FACT, "fact", "money", "", text, levels, "README.md", (README,))
    return Memory("m1ab", "p", "u", "k", replace(draft, **other), NOW, (1, 1, 1, 1))  # type: ignore[arg-type]


def test_an_error_that_one_commit_alone_tells_of_is_called_a_commit():
    told = Failure("f1", "KeyError", "when empty", "Fix KeyError when empty", "c0ffee")
    words = [rows.word_of(memory("x", type="error", body=body).draft) for body in (told, replace(told, verified=True))]
    assert words == ["commit", "error"]


def test_a_reason_is_told_whole():
    says = "did a similar thing, in ReflectiveTypeAdapterFactory.java and its tests; matches adapter, factory"
    row = rows.of_item(item("precedent:c0", "Add a factory", reasons=because(says)), HERE)
    assert says in row.description


def test_a_file_is_called_by_its_name_and_says_why_it_is_there_and_in_which_folder():
    why = because("changed together with this file in 12 commits, last “fix: a thing”")
    row = rows.of_item(item("file:a/b/c/d/get.go", "a/b/c/d/get.go", reasons=why, level="outline"), HERE)
    assert (row.label, row.description) == ("get.go", "12 together · …/c/d")
    assert "a/b/c/d/get.go" in row.lines[0]
    assert "last “fix: a thing”" in row.lines[1], "the whole reason is for a closer look"
    assert row.lines[2].endswith("outline, 120 tokens"), "so are level and tokens"
    beside = rows.of_item(item("file:lib/cache/get.go", "lib/cache/get.go"), HERE)
    assert (beside.label, beside.description) == ("get.go", ""), "the folder of the file at hand needs no saying"


def test_a_place_opens_at_its_lines():
    row = rows.of_item(item("file:a.go", "a.go", spans=((12, 30), (50, 60))), HERE)
    assert (row.line, row.last) == (12, 30)


@pytest.mark.parametrize(
    ("subject", "called"),
    [
        ("cache: Fix the eviction", "Fix the eviction"),
        ("lib/cache: Fix the eviction", "Fix the eviction"),
        ("fix(cache): the eviction", "the eviction"),
        ("fix(store)!: the eviction", "the eviction"),
        ("fix(router): the eviction", "router: the eviction"),
        ("fix: the eviction", "the eviction"),
        ("Fix the eviction (#12) (#13)", "Fix the eviction"),
        ("fix(cache): the eviction [GH-9, #12]", "the eviction"),
        ("Fix the eviction (of old keys)", "Fix the eviction (of old keys)"),
        ("(#12)", "(#12)"),
        ("router(cache): the eviction", "router(cache): the eviction"),
        ("Merge branch: cache", "Merge branch: cache"),
        ("cache:", "cache:"),
        ("תיקון: cache", "תיקון: cache"),
    ],
)
def test_a_commit_is_called_by_its_subject_without_what_the_folder_says_already(subject: str, called: str):
    assert rows.of_item(item("m1", subject, kind="episode"), HERE).label == called


def test_what_a_prefix_says_of_a_commit_stands_beside_it_and_its_whole_subject_in_a_closer_look():
    row = rows.of_item(item("m1", "fix(cache): Count keys (#12)", "fix(cache): Count keys (#12)", kind="error"), HERE)
    assert (row.label, row.description, row.lines[0]) == ("Count keys", "fix", "fix(cache): Count keys (#12)")
    assert rows.of_item(item("m1", "cache: Count keys", kind="episode"), HERE).description == ""
    body = Episode("feat: Count keys (#12)", NOW)
    assert rows.of_memory(memory(body.title, kind=Kind.EPISODE, body=body)).label == "Count keys"


def test_a_reason_that_speaks_for_nothing_is_not_told():
    assert rows.telling((Reason("about", 0.0, 1.0, "not about file or task"),)) == ""


def test_what_happened_does_not_say_beside_it_that_it_names_the_file_at_hand():
    row = rows.of_item(item("m1", "Fix it", kind="error", reasons=because("mentions this file", feature="about")), HERE)
    assert row.description == ""
    assert "mentions this file" in row.lines[0]


def test_a_rule_of_a_list_is_called_by_what_it_says_and_its_whole_text_is_for_a_closer_look():
    text = "Pull Requests: Please ensure that it meets the following requirements: All tests pass."
    row = rows.of_item(item("m1", "Pull Requests", text, evidence=(README,), kind="fact"), HERE)
    assert (row.label, row.description, row.lines[0]) == ("All tests pass.", "README.md:3", text)
    inside = "Android Test: Run tests using gradle (in app/src)."
    row = rows.of_item(item("m1", "Android Test", inside, evidence=(README,), kind="fact"), HERE)
    assert (row.label, row.description) == ("Run tests using gradle.", "app/src")
    named = rows.of_item(item("m1", "min python", "min python: 3.10", evidence=(README,), kind="fact"), HERE)
    assert named.label == "min python: 3.10", "what is no sentence needs its name"
    assert rows.of_memory(memory(text, subject="Pull Requests")).label == "All tests pass."
    plain = "Commit subjects follow Conventional Commits (`fix: A`)."
    assert rows.of_memory(memory(plain)).label == plain
    case = "If you have created a new cop: Set `VersionAdded` in `config/default.yml`."
    assert rows.of_memory(memory(case, subject="If you have created a new cop")).label == case
    assert rows.of_memory(memory(f"Checklist: {case}", subject="Checklist")).label == case


def test_the_reason_that_tells_a_thing_from_others_is_told_and_a_pin_before_all():
    faint, telling = because("changed 3 commits ago", feature="recent"), because("tests this file")
    assert rows.because((*faint, *because("and one more"), *telling)) == "tests this file"
    assert rows.because(faint) == "changed 3 commits ago", "where nothing else speaks"
    assert rows.because((*telling, *because("pinned", feature="pinned"))) == "pinned"
    assert rows.because(()) == ""


def test_what_sort_an_item_is_follows_from_its_id_or_else_from_the_memory():
    listed = [item(one, "t") for one in ("file:a.py", "x1ab", "topic:money", "made:0a", "precedent:0a", "m1ab")]
    assert [rows.sort_of(one) for one in listed] == ["file", "contradiction", "topic", "commit", "commit", "fact"]
    assert rows.sort_of(item("m1ab", "t", kind="decision", section="Open questions")) == "question"
    assert rows.sort_of(item("m1ab", "t", kind="decision")) == "decision"


def test_a_memory_says_what_it_is_where_it_comes_from_and_how_it_was_found():
    row = rows.of_memory(memory("Prices are cents.", pinned=True))
    assert (row.label, row.description, row.marks) == ("Prices are cents.", "README.md:3", ("pinned",))
    assert (row.file, row.line, row.word) == ("docs/README.md", 3, "fact")
    assert "- docs/README.md:3" in row.lines
    assert rows.of_memory(memory("Prices are cents."), "says cents").description == "says cents"
    told = memory("Ask Ann.", evidence=(), source=Source.BY_HAND)
    assert rows.of_memory(told).description == "noted by hand"
    said = replace(told, draft=replace(told.draft, origin="assistant claude"))
    assert rows.of_memory(said).description == "said by an assistant (claude)"


def test_a_commit_is_told_with_its_sort_its_day_and_who_made_it():
    body = Episode("Fix it", NOW - timedelta(days=90), ("Ann", "Bo", "Cy", "Di"), change="fix")
    row = rows.of_memory(memory("Fix it", kind=Kind.EPISODE, type="commit", body=body))
    assert (row.word, row.at, row.description) == ("fix", body.occurred_at, "Ann, Bo, Cy and 1 more")


def test_a_search_lists_passages_by_the_symbol_or_heading_and_the_file():
    hit = SearchHit("chunk", "file:lib/a.go", "Cache > func (c *Cache) Get()", "func …", 0.5, path="lib/a.go")
    hit = replace(hit, spans=((12, 20),), reasons=because("matches cache"), symbol="Cache.Get")
    row = rows.of_hit(hit)
    assert (row.sort, row.label, row.description) == ("file", "Cache.Get", "a.go:12 · lib · matches cache")
    loose = rows.of_hit(replace(hit, title="const idle = Duration(5)", symbol=""))
    assert loose.label == "const idle = Duration(5)", "what is no definition has its first line, and no call in it"
    assert (row.file, row.line, row.lines[1]) == ("lib/a.go", 12, "lib/a.go:12")
    commit = rows.of_hit(SearchHit("commit", "0a1b", "Round prices", "…", 0.5, commit="0a1b"))
    assert (commit.sort, commit.label, commit.word) == ("commit", "Round prices", "commit")
    assert rows.of_hit(replace(hit, memory=memory("Cents"))).label == "Cents"


def contradiction(a: str, b: str, **other: object) -> Contradiction:
    one = Contradiction("x1", "p", memory(a), memory(b), "rules say so", 1.0, NOW)
    return replace(one, **other)  # type: ignore[arg-type]


def test_a_contradiction_is_called_by_what_its_sides_say_and_where_not_by_who_found_it():
    row = rows.of_contradiction(contradiction("min python: 3.10", "min python: 3.8"))
    assert (row.label, row.description) == ("min python: 3.10 ↔ 3.8", "docs/README.md:3 ↔ docs/README.md:3")
    assert row.lines[-1] == "Rules say so."
    assert (
        rows.of_contradiction(contradiction("We use Jira.", "We use Linear.")).label == "We use Jira. ↔ We use Linear."
    )
    assert "the same" not in row.description


def test_a_contradiction_whose_side_several_say_is_one_row_that_tells_how_many():
    twins = (memory("We use Jira."), memory("We use Jira."))
    row = rows.of_contradiction(contradiction("We use Jira.", "We use Linear.", also_a=twins, also_b=twins[:1]))
    first, second = row.rows
    assert first.description.endswith("and 2 that say the same")
    assert second.description.endswith("and 1 that says the same")
    assert first.lines[0].count("  - docs/README.md:3") == 2


def test_something_open_says_when_it_is_due_and_a_conversation_how_long_it_was():
    open_ = TalkItem(
        "i1", ItemType.WAITING_ON, "Ann sends the prices", 2, details={"due": "2026-02-01"}, said_in="a talk"
    )
    assert rows.of_thread(open_).description == "waiting on · due 2026-02-01"
    late = replace(open_, details={"overdue_since": "2026-01-01", "due": "2026-01-01"})
    assert rows.of_thread(late).description == "waiting on · overdue since 2026-01-01"
    assert rows.of_thread(open_).lines[-1] == "a talk"
    talk = Conversation("c1", "u", TalkState.READY_TO_CLOSE, NOW, turns=1)
    assert (rows.of_talk(talk).label, rows.of_talk(talk).description) == ("Conversation without a title", "1 turn")
    assert groups.waits(talk) and not groups.waits(replace(talk, state=TalkState.ACTIVE))
    assert groups.waits(replace(talk, state=TalkState.ARCHIVED, unseen=True))


@pytest.mark.parametrize("of", [rows.of_memory, lambda one: rows.of_contradiction(contradiction(one.draft.value, "b"))])
def test_a_memory_as_long_as_a_book_is_a_short_row_of_what_can_be_seen(of):
    row = of(memory(HOSTILE * 2_000))
    for text in (row.label, row.description, *row.lines, row.text, *(one.label for one in row.rows)):
        assert len(text) <= rows.TEXT_CHARACTERS
        assert not set("\x1b\u202e\u2066") & set(text)


@given(st.text(max_size=300), st.text(max_size=80), st.text(max_size=80))
def test_any_text_makes_a_row_whose_label_and_description_are_each_one_line(text, title, path):
    listed = [
        item("m1", title, text),
        item(f"file:{path}", path),
        item("m1", title, text, kind="episode"),
        item("x1", title, text),
    ]
    for row in (*(rows.of_item(one, path) for one in listed), rows.of_memory(memory(text, subject=title))):
        assert len((row.label + row.description).splitlines()) <= 1
        assert len(row.label) <= rows.LABEL_CHARACTERS


def context(*items: ContextItem) -> Context:
    tiers = tuple(TierReport(tier, 100, 10, tuple(one for one in items if one.tier is tier)) for tier in Tier)
    return Context("", 90, 8_000, 0, "t", Format.MARKDOWN, Activity.EXPLORING, 0.5, tiers)


def test_a_context_is_shown_in_its_groups_the_likeliest_first_and_none_is_empty():
    items = [
        item("file:a.go", "a.go", section="Callers", score=0.4),
        item("file:b.go", "b.go", section="Places", score=0.9),
        item("file:a_test.go", "a_test.go", section="Tests", tier=Tier.CRITICAL),
        item("file:e_test.go", "e_test.go", section="Places", score=0.3),
        item("file:c.go", "c.go", section="Changes together"),
        item("file:d.go", "d.go", section="Possibly", tier=Tier.BACKGROUND),
        item("m1", "Fix it", kind="error"),
        item("m2", "code style", "Tabs.", tier=Tier.BACKGROUND),
        item("fact:1", "node version", "node version: >= 18", kind="fact"),
        item("topic:money", "money", tier=Tier.INDEX, score=1.0),
    ]
    found = groups.of_context(context(*items), HERE)
    assert [(one.label, [row.label for row in one.rows]) for one in found] == [
        ("Places", ["b.go", "a.go"]),
        ("Tests", ["a_test.go", "e_test.go"]),
        ("Changes with it", ["c.go"]),
        ("Past", ["Fix it"]),
        ("Rules", ["Tabs."]),
        ("Declared", ["node version: >= 18"]),
        ("More", ["d.go", "money"]),
    ]
    assert [one.label for one in found if one.folded] == ["More"]
    assert found[0].lines[-1] == "2 items, 240 tokens"
    assert groups.of_context(context(), HERE) == ()


def test_what_stands_beside_a_file_fits_a_narrow_side_bar_and_tells_it_from_others():
    told = {
        "changed together with this file once": "once together",
        "changed 3 commits ago": "3 commits ago",
        "matches “number”, “overflow”": "matches “number”, “overflow”",
        "imports this file (`a`, `b`)": "imports this file",
        "tests this file": "tests this file",
    }
    for why, beside in told.items():
        row = rows.of_item(item("file:a.go", "a.go", reasons=because(why), level="outline"), "a.go")
        assert row.description == beside, why


def test_a_long_group_shows_its_first_rows_and_folds_the_others_below_them():
    (group,) = groups.of_context(context(*(item(f"file:{n}.go", f"{n}.go") for n in range(20))), HERE)
    *first, rest = group.rows
    assert (len(first), rest.label, len(rest.rows), group.description) == (groups.FIRST["places"], "12 more", 12, "20")


@pytest.mark.parametrize(
    ("days", "says"),
    [
        (0, "just now"),
        (0.1, "2 hours ago"),
        (1, "1 day ago"),
        (13, "1 week ago"),
        (75, "2 months ago"),
        (-3, "2026-01-08"),
    ],
)
def test_how_long_ago_something_was_is_told_in_the_largest_unit_that_fits(days: float, says: str):
    assert ago(NOW - timedelta(days=days), NOW) == says
    assert ago(None, NOW) == ""
