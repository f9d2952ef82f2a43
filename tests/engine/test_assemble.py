"""Assembling: exact budgets, tiers and their flow, what each activity brings, and the same bytes again."""

from __future__ import annotations

import dataclasses
import random

import pytest
from fakes import WordCounter
from msgspec.structs import replace

from companion.adapters.tokens import QuickTokens
from companion.api import Order
from companion.engine.assemble import Writing, assemble, collect, compose, gather
from companion.engine.packing.split import SPLITS, WHOLE, shares
from companion.engine.recalling.candidates import of_history
from companion.engine.recalling.guard import Guarded
from companion.engine.recalling.place import place
from companion.engine.recalling.rank import rank
from companion.engine.recalling.recall import Ask, Recalled
from companion.engine.recalling.scoring_context import ScoringContext
from companion.ports import Library, TokenCounter
from companion.records import Activity, Context, EpisodeType, FactType, Format, Prediction, Signals, Tier
from companion.records.talk import Item, ItemType
from engine.fake_library import FakeLibrary
from engine.generated import generated
from engine.makers import NOW, code, decision, episode, fact, kept, pattern, uses
from engine.scenes import AT_LOGIN, ERROR, LOGIN, PATHS, SESSION, TEST, VIEWS, project

EXACT = QuickTokens()
SEED = 20_260_105


def made(
    signals: Signals = AT_LOGIN,
    budget: int = 8_000,
    library: Library | None = None,
    written: Format = Format.MARKDOWN,
    counter: TokenCounter = EXACT,
    **more: object,
) -> Context:
    return assemble(budget, signals, (), library or project(), counter, NOW, written, **more)  # type: ignore[arg-type]


def shown(context: Context, tier: Tier | None = None) -> dict[str, list[str]]:
    """Titles by section."""
    found: dict[str, list[str]] = {}
    for report in context.tiers:
        for item in report.items:
            if tier in (None, report.tier):
                found.setdefault(item.section, []).append(item.title)
    return found


def test_what_was_chosen_is_shown_and_nothing_else_in_as_much_detail_as_the_budget_lets():
    whole = made(budget=700)
    items = [item for report in whole.tiers for item in report.items if report.tier is not Tier.INDEX]
    for chosen in ([one.id for one in items], [items[0].id], [items[-1].id]):
        context = made(replace(AT_LOGIN, only=tuple(chosen)))
        put = {item.id: item.tokens for report in context.tiers for item in report.items}
        assert put.keys() == set(chosen)
        assert all(put[item.id] >= item.tokens for item in items if item.id in put)


def holds_its_promises(context: Context, counter: TokenCounter) -> None:
    assert context.tokens == counter.count(context.text) <= max(context.budget_tokens, 0)
    assert sum(report.tokens for report in context.tiers) + context.overhead_tokens == context.tokens
    assert context.overhead_tokens >= 0
    assert [report.tier for report in context.tiers] == list(Tier)
    for report in context.tiers:
        assert report.tokens == sum(item.tokens for item in report.items)


def chance_signals(chance: random.Random) -> Signals:
    paths = [*PATHS, "nowhere.py", "src/ünïcode name.py", ""]
    texts = ["", "login", "fix the login loop", "refactor sessions </context> ```", "\ud800 \u202e \x1b[31m", "review"]
    return Signals(
        current_file=chance.choice(paths),
        query=chance.choice(texts),
        branch=chance.choice(["", "main", "fix/login-loop", "feature/x"]),
        activity=chance.choice([None, *Activity]),
        collaborators=tuple(chance.sample(["Ann", "Bob", "nobody"], chance.randint(0, 2))),
        opened=tuple(chance.sample(PATHS, chance.randint(0, 3))),
        edited=tuple(chance.sample(PATHS, chance.randint(0, 2))),
    )


@pytest.mark.parametrize(("counter", "asks"), [(EXACT, 500), (WordCounter(), 100)], ids=["o200k", "words"])
def test_no_budget_from_0_to_50000_is_exceeded_whatever_is_asked(counter: TokenCounter, asks: int) -> None:
    chance = random.Random(SEED)
    libraries = [project(), generated(300, files=40), FakeLibrary()]
    for n in range(asks):
        errors = (ERROR,) if chance.random() < 0.3 else ()
        gathered = gather(chance_signals(chance), errors, libraries[n % 3], counter, NOW)
        for budget in (chance.randint(0, 600), chance.choice([0, 1, 50_000, chance.randint(600, 50_000)])):
            writing = Writing(chance.choice(list(Format)), chance.choice(list(Order)), "shop")
            holds_its_promises(compose(gathered, budget, counter, writing), counter)


@pytest.mark.parametrize("written", list(Format))
def test_every_small_budget_is_kept(written: Format) -> None:
    gathered = gather(AT_LOGIN, (ERROR,), project(), EXACT, NOW)
    for budget in range(0, 420, 5):
        holds_its_promises(compose(gathered, budget, EXACT, Writing(written)), EXACT)


def test_a_larger_budget_shows_more_until_there_is_no_more() -> None:
    gathered = gather(AT_LOGIN, (), project(), EXACT, NOW)
    counts = [
        sum(len(report.items) for report in compose(gathered, budget, EXACT, Writing()).tiers)
        for budget in (0, 200, 500, 2_000, 8_000)
    ]
    assert counts == sorted(counts)
    assert counts[0] == 0 < counts[1]


@pytest.mark.parametrize("budget", [0, -5, 1, 8_000, 10**12])
@pytest.mark.parametrize("written", list(Format))
def test_an_empty_library_gives_a_valid_context(budget: int, written: Format) -> None:
    context = made(Signals(), budget, FakeLibrary(), written)
    assert context.tokens <= max(budget, 0)
    assert not any(report.items for report in context.tiers)


def test_the_shares_are_those_of_the_activity_rounded_down() -> None:
    assert list(shares(8_000, Activity.NEW_FEATURE).values()) == [2_000, 3_000, 2_000, 1_000]
    assert list(shares(8_000, Activity.DEBUGGING).values()) == [3_000, 2_500, 1_500, 1_000]
    assert list(shares(1_001, Activity.NEW_FEATURE).values()) == [250, 375, 250, 125]
    assert list(shares(100, Activity.REVIEW).values()) == [25, 45, 20, 10]
    assert list(shares(100, Activity.REFACTORING).values()) == [20, 45, 25, 10]
    assert list(shares(100, Activity.EXPLORING).values()) == [10, 30, 30, 30]
    assert all(sum(split.values()) == WHOLE for split in SPLITS.values())


def test_a_tier_uses_its_share_and_what_the_tiers_before_left() -> None:
    gathered = gather(Signals(current_file=LOGIN, activity=Activity.REVIEW), (), generated(2_000), EXACT, NOW)
    context = compose(gathered, 1_200, EXACT, Writing())
    room = 0
    for report in context.tiers:
        room += report.share_tokens
        if report.tier is not Tier.RELEVANT:
            assert report.tokens <= room
        room -= report.tokens
    assert sum(report.share_tokens for report in context.tiers) <= 1_200


def test_what_the_other_tiers_leave_goes_back_to_the_relevant_one() -> None:
    library = project()
    library.passages_ = [uses(code(path), "login_0") for path in (SESSION, TEST, VIEWS)]
    context = made(budget=2_200, library=library, signals=replace(AT_LOGIN, activity=Activity.EXPLORING))
    critical, relevant = context.tiers[:2]
    assert relevant.tokens > relevant.share_tokens + critical.share_tokens - critical.tokens


def test_the_same_ask_gives_the_same_bytes() -> None:
    ask = replace(AT_LOGIN, query="login")
    once = [made(ask, 3_000, generated(400), written) for written in Format]
    assert once == [made(ask, 3_000, generated(400), written) for written in Format]


def test_nothing_is_said_twice() -> None:
    context = made()
    ids = [i.id for report in context.tiers for i in report.items if report.tier is not Tier.INDEX]
    assert len(ids) == len(set(ids))
    assert "Contradictions" in shown(context)
    assert "python version" not in shown(context).get("Facts", [])


def test_what_did_not_fit_is_listed_with_its_cause() -> None:
    context = made(budget=300)
    whole = made(budget=50_000)
    wanted = {i.id for report in whole.tiers for i in report.items if report.tier is not Tier.INDEX}
    got = {i.id for report in context.tiers for i in report.items if report.tier is not Tier.INDEX}
    assert wanted - got <= {dropped.id for dropped in context.dropped}
    assert {dropped.why for dropped in context.dropped} <= {"budget", "gap", "said already"}
    assert not got & {dropped.id for dropped in context.dropped}


def test_the_file_in_front_is_not_shipped_and_its_surroundings_are() -> None:
    files = {i.id.removeprefix("file:"): i for r in made().tiers for i in r.items if i.id.startswith("file:")}
    assert LOGIN not in files
    assert {SESSION, TEST, VIEWS} <= set(files)
    assert files[TEST].section == "Tests"
    assert files[VIEWS].section == "Callers"
    assert files[SESSION].section == "Used here"


def test_unlikely_files_are_not_shipped_to_fill_the_tier() -> None:
    context = made(budget=50_000)
    lengths = {i.id: i.level for report in context.tiers for i in report.items}
    assert lengths.get("file:docs/conf.py", "name") == "name"
    assert context.tokens < 5_000


def test_critical_holds_decisions_contradictions_and_open_questions_of_the_file() -> None:
    critical = shown(made(), Tier.CRITICAL)
    assert "How do we keep sessions?" in critical["Decisions"]
    assert critical["Open questions"] == ["Sign in by mail link?"]
    assert len(critical["Contradictions"]) == 1
    assert "Tokens or sessions?" not in str(critical)


def test_critical_holds_open_blockers_and_questions_that_name_the_file() -> None:
    def item(id_: str, type_: ItemType, text: str, path: str) -> Item:
        return Item(id_, type_, text, 3, "as said", entities=(f"file:{path}",), conversation="c1")

    library = project()
    library.threads = [
        item("i1a", ItemType.BLOCKER, "the mail server rejects us", LOGIN),
        item("i1b", ItemType.QUESTION, "how long do sessions live?", LOGIN),
        item("i1c", ItemType.BLOCKER, "no figures yet", "src/billing/invoice.py"),
    ]
    context = made(library=library)
    critical = shown(context, Tier.CRITICAL)
    assert critical["Blockers"] == ["the mail server rejects us"]
    assert "how long do sessions live?" in critical["Open questions"]
    assert "no figures yet" not in context.text
    (blocker,) = [one for one in context.tiers[0].items if one.id == "i1a"]
    assert (blocker.evidence[0].ref, blocker.evidence[0].line, blocker.files) == ("c1", 3, (LOGIN,))
    assert "names login.py" in blocker.reasons[0].says


def test_a_contradiction_shows_both_statements_with_their_sources() -> None:
    (item,) = [i for i in made().tiers[0].items if i.section == "Contradictions"]
    for part in ("3.9 or later", "README.md:8", "3.11 or later", "pyproject.toml:5"):
        assert part in item.text


def test_a_given_error_brings_its_earlier_case_its_fix_and_the_code_it_names() -> None:
    context = assemble(8_000, AT_LOGIN, (ERROR,), project(), EXACT, NOW)
    critical = shown(context, Tier.CRITICAL)
    assert context.activity is Activity.DEBUGGING
    assert critical["This error before"] == ["None in session cookie"]
    assert set(critical["In the error"]) == {VIEWS, SESSION}
    assert "def session_1():" in context.text
    assert critical["Known issues"] == ["login"]
    assert "Fix login loop when the cookie is gone" in critical["Fixes here"]


def test_errors_of_the_last_day_are_critical_only_if_their_fix_is_known() -> None:
    everything = shown(made(budget=20_000))
    assert "Timeout of the mail server" in everything["Errors of the last day"]
    assert "Disk full" not in everything["Errors of the last day"]


def test_foundation_and_collaborators_are_relevant() -> None:
    relevant = shown(made(replace(AT_LOGIN, collaborators=("Ann",))), Tier.RELEVANT)
    assert relevant["Foundation"] == ["release"]
    assert "review" in relevant["Collaborators"]
    assert "review" not in shown(made()).get("Collaborators", [])


def test_beside_a_task_what_somebody_at_hand_did_is_told_only_where_it_fits_the_task() -> None:
    done, habit = episode("Move the docs"), fact("review", "on Fridays", type_=FactType.HABIT, people=("Ann",))
    known = FakeLibrary((done, habit), {path: code(path) for path in PATHS})
    of_ann = Signals(collaborators=("Ann",))
    assert set(shown(made(of_ann, library=known))["Collaborators"]) == {"Move the docs", "review"}
    beside = made(replace(of_ann, query="cookies are lost at login"), library=known)
    assert shown(beside)["Collaborators"] == ["review"]
    assert "about who works on this" in beside.text
    assert {item.kind for tier in beside.tiers for item in tier.items if item.title == "review"} == {"habit"}
    assert "Move the docs" not in beside.text


def test_background_holds_conventions_the_modules_history_and_workflows_compressed() -> None:
    context = made()
    background = shown(context, Tier.BACKGROUND)
    assert "quotes" in background["Conventions"]
    assert background["Module"] == ["src/auth"]
    assert {"test", "deploy"} <= set(background["Workflows"])
    assert {i.level for i in context.tiers[2].items if not i.files} <= {"compressed", "summary"}
    assert "commits by Ann 12, Bob 4" in context.text


@pytest.mark.parametrize(("days_ago", "told"), [(3, True), (40, False)])
def test_background_says_what_the_last_conversation_came_to_while_it_is_not_long_ago(days_ago: int, told: bool) -> None:
    talk = episode("Retries are capped", type_=EpisodeType.CONVERSATION, change="", days_ago=days_ago)
    for task in ("", "rename the printer"):
        context = made(library=FakeLibrary(memories=[talk]), signals=Signals("src/auth/login.py", query=task))
        last = shown(context, Tier.BACKGROUND).get("Last conversation", [])
        assert bool(last) is told


def test_the_past_of_a_module_is_told_in_whole_titles() -> None:
    title = (
        "Deprecate the use of a cookie with a session or without one in an expression that has no parentheses at all"
    )
    ask = Ask(AT_LOGIN, (), NOW, Activity.EXPLORING, LOGIN)
    (past,) = of_history(ask, Recalled((episode(title, names=[LOGIN]),)), QuickTokens())
    assert title in past.forms[0].text


def test_the_index_points_to_topics_and_to_what_found_no_room() -> None:
    index = shown(made(budget=500), Tier.INDEX)
    assert {"auth", "billing"} <= set(index["Ask with `search TOPIC`"])
    assert index["Open with `expand ID`"]


def test_pointers_to_memories_of_one_subject_tell_them_apart() -> None:
    said = [fact("code style", f"rule {n}: value {n}", type_=FactType.PREFERENCE).draft for n in range(12)]
    rules = [kept(replace(draft, attribute=f"rule {n}")) for n, draft in enumerate(said)]
    context = made(Signals(current_file=LOGIN), 270, FakeLibrary(rules, {LOGIN: code(LOGIN)}))
    pointers = [i.text for i in context.tiers[3].items if i.section.startswith("Open")]
    labels = {pointer.rpartition(" ")[0] for pointer in pointers}
    assert len(labels) == len(pointers) > 1
    assert all(label.startswith("code style rule ") for label in labels)


def test_the_header_is_paid_from_the_index_and_not_from_what_is_critical() -> None:
    library = FakeLibrary([decision("Where?", "here", names=[LOGIN], path=LOGIN)], {LOGIN: code(LOGIN)})
    ask = Signals(current_file=LOGIN, activity=Activity.EXPLORING)
    whole = made(ask, 8_000, library)
    needed = sum(item.tokens for item in whole.tiers[0].items)
    assert needed
    context = made(ask, 10 * (needed + 15), library)  # its share is a tenth: the decision and its heading
    assert shown(context, Tier.CRITICAL) == shown(whole, Tier.CRITICAL)


def test_topics_take_a_small_part_of_a_small_index() -> None:
    for budget in (300, 500, 900):
        context = made(budget=budget, library=generated(400))
        topics = [i for i in context.tiers[3].items if i.section.startswith("Ask")]
        assert sum(item.tokens for item in topics) <= budget * 0.1


def test_a_small_budget_tells_what_is_in_the_likeliest_file_before_it_lists_others() -> None:
    others = [f"src/billing/part_{n}.py" for n in range(12)]
    codes = {path: code(path, 8) for path in (LOGIN, SESSION, *others)}
    likely = (Prediction(SESSION, 0.4, 2.0), *(Prediction(path, 0.12, 1.0) for path in others))
    ask = Ask(Signals(current_file=LOGIN), (), NOW, Activity.REFACTORING, current=LOGIN, predictions=likely)
    pieces = [uses(codes[path], "login_0", 6) for path in (SESSION, *others)]
    gathered = collect(ask, Guarded(FakeLibrary([], codes, passages_=pieces)), EXACT, {})
    context = compose(gathered, 190, EXACT, Writing())
    levels = {item.title: item.level for item in context.tiers[1].items}
    assert levels[SESSION] == "places"
    assert 0 < len(levels) - 1 < len(others)


@pytest.mark.parametrize("activity", Activity)
def test_a_likelier_file_is_never_shown_shorter_than_a_much_less_likely_one(activity: Activity) -> None:
    lengths = ["name", "outline", "places"]
    others = [f"src/billing/part_{n}.py" for n in range(12)]
    codes = {path: code(path, 14) for path in (LOGIN, SESSION, VIEWS, *others)}
    likely = (Prediction(SESSION, 0.62, 2.0), Prediction(VIEWS, 0.58, 1.8), *(Prediction(p, 0.2, 1.0) for p in others))
    ask = Ask(Signals(current_file=LOGIN), (), NOW, activity, current=LOGIN, predictions=likely)
    pieces = [uses(forms, "login_0") for forms in codes.values()]
    gathered = collect(ask, Guarded(FakeLibrary([], codes, passages_=pieces)), EXACT, {})
    lasted = set()
    for budget in range(0, 12_000, 150):
        context = compose(gathered, budget, EXACT, Writing())
        holds_its_promises(context, EXACT)
        shown_at = {item.title: lengths.index(item.level) for tier in context.tiers[:3] for item in tier.items}
        least = min(shown_at.get(path, -1) for path in (SESSION, VIEWS))
        assert least >= max(shown_at.get(path, -1) for path in others), budget
        lasted.add(least)
    assert {lengths.index("name"), lengths.index("places")} <= lasted


def test_a_review_names_departures_and_missing_companions() -> None:
    relevant = shown(made(replace(AT_LOGIN, activity=Activity.REVIEW, edited=(LOGIN,))))
    assert relevant["Departs from convention"] == ["endpoint"]
    assert SESSION in relevant["Usually changed too"]


def test_a_new_feature_brings_patterns_and_similar_work_into_the_relevant_tier() -> None:
    signals = replace(AT_LOGIN, activity=Activity.NEW_FEATURE, query="sign-in with a second factor")
    relevant = shown(made(signals), Tier.RELEVANT)
    assert "endpoint" in relevant["Patterns"]
    assert any("second factor" in title for titles in relevant.values() for title in titles)


def test_a_pattern_is_relevant_to_a_task_that_makes_one_more_of_its_sort_alone() -> None:
    sort = "class family in src/downloadhandlers"
    known = pattern(sort, "class: in src/downloadhandlers, methods run")

    def where(task: str, activity: Activity) -> Tier:
        scoring = ScoringContext(NOW, activity, task=task)
        found = place(rank(known, scoring), Recalled(), scoring)
        assert found is not None
        return found.tier

    assert where("Add a download handler for FTP", Activity.NEW_FEATURE) is Tier.RELEVANT
    assert where("Add a download limit", Activity.NEW_FEATURE) is Tier.BACKGROUND
    assert where("The download handler hangs", Activity.DEBUGGING) is Tier.BACKGROUND


def test_a_refactoring_counts_callers_and_tests_for_more() -> None:
    def need(activity: Activity) -> float:
        found = made(replace(AT_LOGIN, activity=activity))
        return next(i.score for r in found.tiers for i in r.items if i.id == f"file:{TEST}")

    assert need(Activity.REFACTORING) > need(Activity.EXPLORING)


def test_a_decision_that_only_the_words_of_the_task_lead_to_is_critical() -> None:
    library = FakeLibrary([decision("Where do payments go?", "through the billing queue", path="docs/adr/9.md")])
    critical = shown(made(Signals(query="payments through the billing queue"), library=library), Tier.CRITICAL)
    assert critical == {"Decisions": ["Where do payments go?"]}


def test_what_is_left_out_by_id_is_in_no_tier() -> None:
    for item in made().tiers[0].items:
        without = made(leave_out=frozenset({item.id}))
        assert item.id not in {i.id for report in without.tiers for i in report.items}


def test_how_the_activity_was_found_is_told() -> None:
    assert made(replace(AT_LOGIN, activity=Activity.REVIEW)).inferred == {}
    assert made(replace(AT_LOGIN, query="fix the login loop")).inferred["activity"]


def test_headings_and_header_take_less_than_15_per_cent() -> None:
    context = made(budget=4_000, library=generated(2_000), signals=Signals(current_file="src/session/fix_0.py"))
    assert context.overhead_tokens < 0.15 * context.tokens


def test_an_assistant_is_not_told_its_own_instructions_and_people_are() -> None:
    rule = fact("quotes", "double quotes everywhere", path="CLAUDE.md", names=[LOGIN], type_=FactType.PREFERENCE)
    library = dataclasses.replace(project(), memories=(*project().memories, rule))
    told = {
        assistant: made(replace(AT_LOGIN, query="quotes", assistant=assistant), library=library)
        for assistant in ("", "claude-code")
    }
    assert rule.id in {item.id for tier in told[""].tiers for item in tier.items}
    assert "CLAUDE.md" not in told["claude-code"].text
