"""Places: what a task's words lead to is shown as it stands, with its lines, and only of likely files."""

from __future__ import annotations

from datetime import datetime

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from companion.engine.assemble import assemble
from companion.engine.packing.choose import BESIDE_SHARE, PackingContext, choose, item_of
from companion.engine.packing.split import shares
from companion.engine.recalling.candidate_files import IN_ERROR, PLACES, TESTS, UNLIKELY, of_files
from companion.engine.recalling.place_forms import (
    MOST_PIECES,
    PART_LINES,
    PIECE_TOKENS_MAX,
    place_forms,
)
from companion.engine.recalling.recall import Ask, Recalled, recall
from companion.engine.telling.render import style_of
from companion.records import (
    Activity,
    Candidate,
    Form,
    Format,
    Passage,
    PassageHit,
    PassageKind,
    Prediction,
    Reason,
    Signals,
    Span,
    Tier,
)
from engine.fake_library import FakeLibrary
from engine.makers import code

NOW = datetime(2026, 1, 5, 9, 0)
POOL = "src/pool.py"


class Words:
    name = "words"

    def count(self, text: str) -> int:
        return len(text.split())


class Letters:
    """As long as a text is, four signs a token."""

    name = "letters"

    def count(self, text: str) -> int:
        return (len(text) + 3) // 4


def hit(span: Span, score: float, text: str = "return self.size", path: str = POOL) -> PassageHit:
    return PassageHit(Passage(PassageKind.CHUNK, text, "def f()", path=path, span=span, symbol=f"f{span[0]}"), score)


def offered(
    hits: list[PassageHit], sure: dict[str, float], text: str = "grow the pool", at_hand: tuple[str, ...] = ()
) -> dict[str, Candidate]:
    spoken = (Reason("words", 1.0, 1.0, "says pool"),)
    predictions = tuple(Prediction(path, chance, 1.0, spoken) for path, chance in sure.items())
    ask = Ask(Signals(), (), NOW, Activity.NEW_FEATURE, at_hand=at_hand, text=text, predictions=predictions)
    codes = {path: code(path, language="markdown" if path.endswith(".md") else "python") for path in sure}
    return {one.title: one for one in of_files(ask, Recalled(codes=codes, places=tuple(hits)), Words())}


def test_the_best_piece_is_the_shortest_form_and_each_longer_one_adds_the_next() -> None:
    forms = place_forms([hit((30, 34), 4.0), hit((1, 9), 2.0), hit((50, 52), 1.0)], 4.0, Words())
    assert [form.spans for form in forms] == [((1, 9), (30, 34), (50, 52)), ((1, 9), (30, 34)), ((30, 34),)]
    assert [form.worth for form in forms] == sorted((form.worth for form in forms), reverse=True)


def test_a_piece_is_shown_under_its_lines_and_its_definition() -> None:
    (form,) = place_forms([hit((30, 31), 4.0, "def f30():\n    return 1\n")], 4.0, Words())
    assert form.text == "@@ 30-31 f30\ndef f30():\n    return 1"


def test_of_settings_the_first_keys_are_told_and_a_comment_speaks_for_itself() -> None:
    keys = Passage(PassageKind.CHUNK, "image: x", "a, b, c, d, e, f", ("spec",), "pod.yaml", (1, 9))
    said = Passage(PassageKind.COMMENT, "# slow\nwait: 9", "slow", ("spec", "wait, image"), "pod.yaml", (11, 12))
    told = [place_forms([PassageHit(one, 1.0)], 1.0, Words())[0].text.partition("\n")[0] for one in (keys, said)]
    assert told == ["@@ 1-9 spec > a, b, c, d, …", "@@ 11-12 spec > wait, image"]


def test_a_file_shows_no_more_pieces_than_leave_room_for_others() -> None:
    forms = place_forms([hit((10 * n + 1, 10 * n + 5), 9.0 - n / 2) for n in range(MOST_PIECES + 3)], 9.0, Words())
    assert len(forms) == MOST_PIECES


def test_no_line_is_shown_twice_and_no_endless_piece_at_all() -> None:
    endless = hit((60, 90), 5.0, "word " * (PIECE_TOKENS_MAX + 1))
    forms = place_forms([endless, hit((10, 20), 4.0), hit((15, 25), 3.0), hit((21, 25), 2.0)], 5.0, Words())
    assert forms[0].spans == ((10, 25),)


def test_neighbours_are_one_piece_whose_lines_are_those_of_the_file() -> None:
    hits = [hit((16, 17), 3.0, "def g():\n    b = 2"), hit((10, 15), 4.0, "def f():\n    a = 1\n\n    return a\n\n")]
    (both, _) = place_forms(hits, 4.0, Words())
    assert both.spans == ((10, 17),)
    head, *lines = both.text.split("\n")
    assert head == "@@ 10-17 f10, f16"
    assert (len(lines), lines[0], lines[6]) == (8, "def f():", "def g():")
    (apart, _) = place_forms([hit((10, 14), 4.0), hit((16, 19), 3.0)], 4.0, Words())
    assert apart.spans == ((10, 14), (16, 19)), "a line that is not shown stands between them"


def test_many_neighbours_stand_under_the_names_of_the_first_each_told_once() -> None:
    hits = [hit((number, number + 1), 9.0 - number / 10) for number in range(10, 30, 2)]
    hits[1] = replace(hits[1], passage=replace(hits[1].passage, symbol=hits[0].passage.symbol))
    form = place_forms(hits, 9.0, Words())[0]
    assert form.text.partition("\n")[0] == "@@ 10-29 f10, f14, f16, f18, … 5 more"


def test_of_a_long_piece_the_lines_that_the_task_speaks_of_are_shown_under_its_signature() -> None:
    lines = [f"    step_{number}(self, value, other)" for number in range(1, 300)]
    lines[200] = "    self.pool.grow(size)"
    long = hit((1, 299), 4.0, "\n".join(lines))
    (form,) = place_forms([replace(long, words=("grow",))], 4.0, Letters())
    (((first, last),), shown) = form.spans, form.text
    assert first <= 201 <= last
    assert last - first < PART_LINES
    assert shown.startswith(f"@@ {first}-{last} def f()\n")
    assert "self.pool.grow(size)" in shown


@given(st.integers(1, 40), st.integers(0, 39))
def test_the_lines_of_a_part_are_those_it_says(length: int, said: int) -> None:
    lines = [f"line {number} of the piece, with many words in it" for number in range(101, 101 + length)]
    found = hit((101, 100 + length), 4.0, "\n".join(lines))
    forms = place_forms([replace(found, words=(f"line {101 + said}",))], 4.0, Letters())
    for form in forms:
        ((first, last),) = form.spans
        assert form.text.split("\n")[1:] == lines[first - 101 : last - 100]


def test_a_small_budget_shows_a_part_of_the_best_piece_rather_than_nothing() -> None:
    text = "\n".join(f"    value_{number} = compute(value, other, {number})" for number in range(60))
    library = FakeLibrary(
        codes={POOL: code(POOL), "src/app.py": code("src/app.py")},
        commits=[("c", (POOL, "src/app.py"))] * 5,
        passages_=[Passage(PassageKind.CHUNK, text, "def compute()", path=POOL, span=(1, 60), symbol="compute")],
    )
    signals = Signals(current_file="src/app.py", query="compute value_40")
    small, large = (assemble(budget, signals, (), library, Letters(), NOW) for budget in (900, 8_000))
    (part,), (whole,) = ([one for tier in c.tiers for one in tier.items if one.spans] for c in (small, large))
    assert whole.spans == ((1, 60),)
    ((first, last),) = part.spans
    assert first <= 41 <= last
    assert small.tokens <= 900


def test_each_number_of_pieces_costs_what_it_takes() -> None:
    hits = [hit((10 * n + 1, 10 * n + 5), 9.0 - n, f"value = {n}") for n in range(4)]
    (one,) = offered(hits, {POOL: 0.9}).values()
    style = style_of(Format.MARKDOWN)
    packing = PackingContext(style, Words(), NOW)
    costs = packing.offer(one, 1.0).costs
    exact = [Words().count(style.block(item_of(one, form, 0), NOW) + "\n") for form in one.forms]
    assert list(costs) == exact
    assert len(set(costs[:4])) == 4


def test_a_sure_file_may_fill_what_is_left_of_a_budget() -> None:
    texts = [f"def grow_{n}(pool):\n" + "    pool.grow(more, and_more)\n" * 24 for n in range(12)]
    passages = [
        Passage(PassageKind.CHUNK, text, f"grow_{n}", path=POOL, span=(30 * n + 1, 30 * n + 25), symbol=f"grow_{n}")
        for n, text in enumerate(texts)
    ]
    library = FakeLibrary(
        codes={POOL: code(POOL), "src/app.py": code("src/app.py")},
        commits=[("c", (POOL, "src/app.py"))] * 5,
        passages_=passages,
    )
    context = assemble(4_000, Signals(current_file="src/app.py", query="grow the pool"), (), library, Letters(), NOW)
    (shown,) = [one for tier in context.tiers for one in tier.items if one.spans]
    assert context.confidence > 0.5
    assert shown.tokens > 2_000


@given(st.lists(st.tuples(st.integers(1, 400), st.integers(0, 60), st.floats(0.01, 30)), max_size=40))
def test_spans_are_in_order_and_apart_and_each_piece_is_worth_something(pieces: list[tuple[int, int, float]]) -> None:
    hits = sorted((hit((first, first + more), score) for first, more, score in pieces), key=lambda one: -one.score)
    forms = place_forms(hits, max((one.score for one in hits), default=0.0), Words())
    for form in forms:
        assert all(one[1] < other[0] for one, other in zip(form.spans, form.spans[1:], strict=False))
    assert [form.worth for form in forms] == sorted({form.worth for form in forms}, reverse=True)


def test_a_task_shows_places_of_likely_files_and_at_most_the_names_of_others() -> None:
    other = "src/other.py"
    hits, chances = [hit((1, 4), 3.0), hit((1, 4), 9.0, path=other)], {POOL: 0.3, other: UNLIKELY / 2}
    found = offered(hits, chances, at_hand=("src/app.py",))
    assert found[POOL].section == PLACES
    assert [form.level for form in found[POOL].forms] == ["places", "outline", "name"]
    assert [form.level for form in found[other].forms] == ["outline"]
    assert other not in offered(hits, chances), "with no file at hand it is in the way"
    assert other in offered(hits, {other: UNLIKELY / 2}), "there is nothing likelier"


def test_what_tests_the_places_of_a_task_has_a_section_of_its_own_behind_them():
    test = "tests/test_pool.py"
    found = offered([hit((30, 34), 4.0), hit((1, 4), 9.0, path=test)], {POOL: 0.3, test: 0.5})
    assert (found[POOL].section, found[test].section) == (PLACES, TESTS)


def test_without_a_task_a_file_stands_where_its_use_says() -> None:
    found = offered([hit((30, 34), 4.0)], {POOL: 0.3}, text="")
    assert [form.level for form in found[POOL].forms] == ["places", "outline", "name"]
    assert found[POOL].section != PLACES


def test_without_a_task_those_pieces_of_likely_files_are_shown_that_say_what_the_file_at_hand_says() -> None:
    at_hand, used, unlikely = "src/login.py", "src/hash.py", "src/far.py"
    codes = {path: code(path, 1) for path in (at_hand, used, unlikely)}
    pieces = [
        Passage(PassageKind.CHUNK, text, path=path, span=span)
        for path, span, text in (
            (used, (1, 4), "digest(secret)"),
            (used, (9, 12), "other(thing)"),
            (unlikely, (20, 30), "digest(secret)"),
            (at_hand, (1, 4), "return digest"),
        )
    ]
    likely = tuple(Prediction(path, probability, 1.0) for path, probability in ((used, 0.4), (unlikely, 0.001)))
    ask = Ask(Signals(), (), NOW, Activity.EXPLORING, current=at_hand, predictions=likely)
    found = recall(ask, FakeLibrary(codes=codes, passages_=pieces))
    assert {(one.passage.path, one.passage.span) for one in found.places} == {(used, (1, 4))}


def test_the_likelier_file_is_worth_more_at_the_same_words() -> None:
    other = "src/other.py"
    found = offered([hit((1, 4), 3.0), hit((1, 4), 3.0, path=other)], {POOL: 0.3, other: 0.1})
    assert found[POOL].score > found[other].score
    assert found[POOL].forms[0].worth == found[other].forms[0].worth


def test_what_an_error_names_stands_under_the_error() -> None:
    ask = Ask(Signals(), (), NOW, Activity.DEBUGGING, text="KeyError: size", error_files=(POOL,))
    (one,) = of_files(ask, Recalled(codes={POOL: code(POOL)}, places=(hit((3, 9), 2.0),)), Words())
    assert one.section == IN_ERROR
    assert one.forms[0].spans == ((3, 9),)


def test_what_stands_beside_places_leaves_them_most_of_the_room_and_the_best_of_it_stays() -> None:
    text = "\n".join(f"line {number} of the pool" for number in range(80))
    place = Candidate(
        f"file:{POOL}", POOL, Tier.RELEVANT, PLACES, 0.3, (Form("places", text, 400, 0.6, ((1, 80),)),), files=(POOL,)
    )
    rules = [
        Candidate(
            f"m{number}", "rule", Tier.RELEVANT, "Rules", 0.8 - number / 100, (Form("full", "do " * 30, 30, 1.0),)
        )
        for number in range(20)
    ]

    def shown(*pool: Candidate) -> list[str]:
        packing = PackingContext(style_of(Format.MARKDOWN), Words(), NOW)
        chosen = choose(pool, 700, shares(700, Activity.NEW_FEATURE), packing, "")
        items = [item for item, _ in chosen.blocks if item.tier is Tier.RELEVANT]
        left = {one.id for one in chosen.dropped}
        assert left | {item.id for item in items} == {one.id for one in pool}
        return sorted(item.id for item in items)

    assert len(shown(*rules)) > 10
    beside = len([id_ for id_ in shown(place, *rules) if id_.startswith("m")])
    assert 0 < beside * 30 <= BESIDE_SHARE * 700
    assert shown(place, *rules) == sorted([place.id, *(rule.id for rule in rules[:beside])])


def test_a_manual_kept_for_each_version_is_quoted_once_and_code_that_is_alike_each_time() -> None:
    says = [f"A line of the manual that tells something, number {number}." for number in range(10)]
    older = [*says[:8], "What was different then.", ""]
    manuals = ["docs/v2.md", "docs/v1.md", "src/linux.py", "src/bsd.py"]
    texts = ["\n".join(lines) for lines in (says, older, says, says)]
    hits = [hit((1, 10), 1.0, text, path) for path, text in zip(manuals, texts, strict=True)]
    found = offered(hits, {path: 0.9 - 0.1 * number for number, path in enumerate(manuals)})
    quoted = {path for path, one in found.items() if any(form.spans for form in one.forms)}
    assert quoted == {*manuals} - {"docs/v1.md"}
    assert "docs/v1.md" in found
    new = hit((11, 20), 0.9, "\n".join(["What is new in version one, and nowhere else said.", *says[:2]]), "docs/v1.md")
    found = offered([*hits, new], {path: 0.9 - 0.1 * number for number, path in enumerate(manuals)})
    assert [form.spans for form in found["docs/v1.md"].forms if form.spans] == [((11, 20),)]


def test_neighbours_name_what_they_all_lie_in_once() -> None:
    def block(span: Span, *way: str) -> PassageHit:
        found = hit(span, 3.0, f"test {way[-1]}")
        return replace(found, passage=replace(found.passage, symbol="", headings=way[:-1], title=way[-1]))

    told = [block((1, 4), "class Shop", "describe price", "it rounds"), block((5, 9), "class Shop", "it sells")]
    (both, _) = place_forms(told, 4.0, Words())
    assert both.text.split("\n")[0] == "@@ 1-9 class Shop > describe price > it rounds, it sells"


def test_a_piece_that_is_called_as_it_begins_is_told_by_its_lines_alone() -> None:
    block = hit((1, 3), 3.0, "const {\n  EVENT_RUN_END\n} = constants;")
    nameless = replace(block, passage=replace(block.passage, symbol="", title="const {"))
    named = replace(block, passage=replace(block.passage, symbol="", title="events"))
    firsts = [place_forms([one], 4.0, Words())[0].text.split("\n")[0] for one in (nameless, named)]
    assert firsts == ["@@ 1-3", "@@ 1-3 events"]
