"""Which files are needed next: order, probability, reasons."""

from __future__ import annotations

from itertools import takewhile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from companion.engine.attending.focus import focus
from companion.engine.predicting.calibrate import MOST
from companion.engine.predicting.evidence import FOLLOWED_LIMIT, gather
from companion.engine.predicting.features import FEATURES, beside, matrix, recency
from companion.engine.predicting.file_index import FileIndex, source_files
from companion.engine.predicting.predict import WEIGHTS_NAME, confidence, predict
from companion.ports import Recent, TextMatch
from companion.records import (
    ErrorReport,
    FileRole,
    Frame,
    Link,
    LinkKind,
    Passage,
    PassageKind,
    Prediction,
    Signals,
)
from companion.syntax.file_names import read_name
from engine.fake_library import FakeLibrary
from engine.generated import generated
from engine.makers import code

APP, DB, TEST, DOC, FAR = "src/app.py", "src/db.py", "tests/test_app.py", "docs/app.md", "src/colour_map.py"
PARTS = ("index.ts", "Index.ts", "till.py", "src", "app")
CODES = {path: code(path) for path in (APP, DB, TEST, FAR)}
CODES[DOC] = replace(code(DOC, 0, "markdown"), role=FileRole.DOC)


def library(**given_: object) -> FakeLibrary:
    return FakeLibrary(codes=CODES, **given_)  # type: ignore[arg-type]


def ask(
    held: FakeLibrary, limit: int = 40, errors: tuple[ErrorReport, ...] = (), **signals: object
) -> list[Prediction]:
    return list(predict(focus(Signals(**signals), errors), held, limit))  # type: ignore[arg-type]


def paths(found: list[Prediction]) -> list[str]:
    return [prediction.path for prediction in found]


def reason(found: list[Prediction], path: str, feature: str) -> str:
    prediction = next(p for p in found if p.path == path)
    return next(r.says for r in prediction.reasons if r.feature == feature)


def test_what_changed_together_comes_first_and_says_how_often() -> None:
    held = library(commits=[("c0", (APP, FAR)), ("c1", (APP, DB)), ("c2", (APP, DB))])
    found = ask(held, current_file=APP)
    assert paths(found)[0] == DB
    assert reason(found, DB, "together") == "changed together with src/app.py in 2 commits, last “a change”"


def test_with_no_history_the_test_of_the_file_is_found_by_its_name() -> None:
    found = ask(library(), current_file=APP)
    assert paths(found)[0] == TEST
    assert reason(found, TEST, "alike") == "by its name tests src/app.py"


def test_a_reason_is_about_the_file_in_front_however_much_more_a_file_changed_with_another() -> None:
    held = library(commits=[("c0", (APP, DB)), *((f"d{n}", (FAR, DB)) for n in range(9))])
    found = ask(held, current_file=APP, edited=(FAR,))
    assert reason(found, DB, "together") == "changed together with src/app.py once, last “a change”"


def test_the_words_that_two_names_share_stand_in_their_order() -> None:
    names = ("src/TypeAdapterFactory.java", "src/ReflectiveTypeAdapterFactory.java")
    held = FakeLibrary(codes={path: code(path) for path in names})
    says = reason(ask(held, current_file=names[1]), names[0], "alike")
    assert says == f"shares “type adapter factory” in its name with {names[1]}"


def test_a_file_at_hand_shares_its_name_with_another_and_not_with_itself() -> None:
    names = ("test/res.redirect.js", "test/res.location.js")
    held = FakeLibrary(codes={path: code(path) for path in (*names, "lib/response.js")})
    for one, other in (names, names[::-1]):
        found = ask(held, current_file="lib/response.js", edited=names)
        says = reason(found, one, "alike")
        assert says.endswith(f" in its name with {other}"), says


def test_a_link_is_told_in_its_direction() -> None:
    held = library(links_=[Link(APP, DB, LinkKind.IMPORT, 3.0, ("connect",)), Link(FAR, APP, LinkKind.CALL, 1.0)])
    found = ask(held, current_file=APP)
    assert reason(found, DB, "linked") == "is imported by src/app.py (connect)"
    assert reason(found, FAR, "linked") == "calls src/app.py"


def test_what_two_files_have_to_do_with_each_other_is_said_once() -> None:
    uses = [Link(APP, DB, LinkKind.IMPORT, 3.0, ("connect",)), Link(APP, DB, LinkKind.CALL, 2.0, ("connect", "close"))]
    found = ask(library(links_=uses), current_file=APP)
    assert reason(found, DB, "linked") == "is imported and called by src/app.py (connect, close)"


def test_the_words_of_the_task_alone_find_files() -> None:
    assert paths(ask(library(), query="wrong colour map in dark mode"))[0] == FAR


def test_a_file_the_task_names_is_found_by_name_and_by_path() -> None:
    for query in ("why does colour_map.py fail", "see src/colour_map.py", "colour_map is slow"):
        found = ask(library(), query=query)
        assert paths(found)[0] == FAR
        assert reason(found, FAR, "mention") == "the task names it"


def test_a_common_word_names_a_file_less_than_a_rare_one_unless_it_is_the_area_of_the_task() -> None:
    files = FileIndex(dict.fromkeys(("path.go", "regexpfs.go"), ()), ())
    worth = {"regexpfs": 1.0, "match": 0.5, "path": 0.2}
    assert list(files.mentioned("regexpfs: match the path", worth)) == [0.2, 1.0]
    assert list(files.mentioned("path: match as regexpfs does", worth)) == [1.0, 1.0]
    assert list(files.mentioned("match as path.go does", worth)) == [1.0, 0.0]


def test_what_a_word_of_the_task_tells_is_asked_of_the_project() -> None:
    codes = {**CODES, "src/total.py": code("src/total.py"), "src/tiller.py": code("src/tiller.py")}
    held = FakeLibrary(codes={path: replace(one, outline=f"{one.outline} total") for path, one in codes.items()})
    found = {one.path: one.reasons for one in ask(held, query="the tiller shows a wrong total")}
    named = {
        path: next(r.value for r in found[path] if r.feature == "mention")
        for path in sorted(found)
        if path in ("src/tiller.py", "src/total.py")
    }
    assert named["src/tiller.py"] > named["src/total.py"]


def test_a_name_that_stands_for_its_folder_is_that_of_one_file_or_of_none() -> None:
    several = FileIndex(dict.fromkeys(("docs/index.md", "src/index.md", "src/cart.md"), ()), ())
    assert list(several.mentioned("index.md is stale, cart.md too", {})) == [0.0, 1.0, 0.0]
    assert list(FileIndex(dict.fromkeys(("docs/index.md",), ()), ()).mentioned("index.md is stale", {})) == [1.0]


def test_a_place_is_known_by_the_end_of_a_path_and_by_a_module_with_its_folder() -> None:
    file_index = FileIndex(dict.fromkeys(("shop/till.py", "shop/__init__.py", "yard/till.py", "lib/cart.rs"), ()), ())

    def given_place(text: str) -> dict[str, float]:
        return {
            path: round(float(value), 2)
            for path, value in zip(file_index.paths, file_index.placed(text), strict=True)
            if value
        }

    assert given_place('File "/usr/lib/python3/site-packages/shop/till.py", line 3, in close') == {"shop/till.py": 1.0}
    assert given_place("C:\\work\\yard\\till.py:12: in open") == {"yard/till.py": 1.0}
    assert given_place("till.py is slow") == {"shop/till.py": 0.71, "yard/till.py": 0.71}
    assert given_place("`shop.till.close()` hangs") == {"shop/till.py": 1.0}
    assert given_place("panics in lib::cart::add") == {"lib/cart.rs": 1.0}
    assert given_place("see barn/till.py") == given_place("all of barn/**/till.py") == {}
    assert given_place("see barn/cart.rs") == {"lib/cart.rs": 1.0}
    assert given_place("the till, a cart and e.g. other.till in https://till.example/") == {}


def test_the_place_of_a_definition_is_known_by_what_it_belongs_to() -> None:
    defined = {
        "src/shop/open.py": ["close", "by"],
        "src/shop/deep/till.py": ["Till", "Till.close", "shop.Till.count", "closing"],
        "src/yard.py": ["close", "Yard.count", "Till"],
        "tests/test_yard.py": ["test_close"],
    }
    names = {path: [one.rpartition(".")[2] for one in qualified] for path, qualified in defined.items()}
    file_index = FileIndex(names, (), defined.__getitem__)

    def given_place(text: str) -> list[str]:
        return [path for path, value in zip(file_index.paths, file_index.placed(text), strict=True) if value]

    assert given_place("shop.close('now') hangs") == given_place("**shop.close** hangs") == ["src/shop/open.py"]
    assert given_place("`Till.close` and Till::count hang") == ["src/shop/deep/till.py"]
    assert given_place("barn.close, self.count, Till.closing, close. Till, .close and shop.by hang") == []


def shared_end(path: list[str], other: list[str]) -> int:
    """How many parts two paths end with alike."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(path[::-1], other[::-1], strict=False)))


@given(
    st.lists(st.lists(st.sampled_from(PARTS), min_size=1, max_size=4), min_size=1, max_size=8),
    st.lists(st.sampled_from(PARTS), min_size=1, max_size=5),
)
def test_a_place_is_where_most_of_a_path_agrees_however_many_files_have_the_name(
    files: list[list[str]], asked: list[str]
) -> None:
    file_index = FileIndex({"/".join(parts): [] for parts in files}, ())
    shared = [shared_end(path.lower().split("/"), [part.lower() for part in asked]) for path in file_index.paths]
    most = max(shared)
    elsewhere = most < 2 <= min(len(asked), shared.count(most))
    told = most and not elsewhere and "." in asked[-1]
    expected = [bool(told) and one == most for one in shared]
    assert (file_index.placed(f"at /{'/'.join(asked)}:12:3") > 0).tolist() == expected


def test_from_a_text_alone_what_it_says_outweighs_what_changed_last() -> None:
    piece = Passage(PassageKind.CHUNK, "the colour map is wrong", path=FAR, span=(3, 9))
    held = library(commits=[("c1", (FAR,)), ("c2", (APP, DB))], passages_=[piece])
    assert paths(ask(held, query="wrong colour map"))[0] == FAR
    assert paths(ask(held))[0] != FAR


def test_a_file_is_likelier_the_more_of_the_task_one_piece_of_it_says() -> None:
    whole = Passage(PassageKind.CHUNK, "grow the pool when it is busy", symbol="Pool.grow", path=DB, span=(3, 9))
    parts = [
        Passage(PassageKind.CHUNK, text, path=FAR, span=(line, line + 1))
        for line, text in enumerate(("grow a tree", "the pool is closed", "busy"), start=1)
    ]
    found = ask(library(passages_=[*parts, whole]), query="grow busy pool")
    assert paths(found)[:2] == [DB, FAR]
    assert reason(found, DB, "covered") == "matches “busy”, “grow”, “pool” in Pool.grow"


def test_all_of_a_task_of_two_words_says_less_than_all_of_one_of_many() -> None:
    piece = Passage(PassageKind.CHUNK, "grow the busy pool when it is full and wait", path=DB, span=(3, 9))
    held = library(passages_=[piece])

    def value(task: str) -> float:
        found = next(one for one in ask(held, query=task) if one.path == DB)
        return next(reason.value for reason in found.reasons if reason.feature == "covered")

    assert value("grow pool") == 0.5 < value("grow the busy pool when full and wait") < 1.0


def test_what_a_task_makes_likely_is_followed_to_its_tests_and_to_what_changes_along() -> None:
    uses = [Link(TEST, FAR, LinkKind.TEST, 6.0, ("shade",))]
    held = library(links_=uses, commits=[("c1", (FAR, DB)), ("c2", (FAR, DB)), ("c3", (APP,))])
    found = ask(held, query="wrong colour map")
    assert paths(found)[0] == FAR
    assert reason(found, TEST, "linked") == "tests src/colour_map.py (shade)"
    assert reason(found, DB, "together").startswith("changed together with src/colour_map.py in 2 commits")


def test_of_the_tests_of_a_likely_file_the_one_that_speaks_of_the_task_comes_first() -> None:
    tests = [f"tests/test_{number:02}.py" for number in range(20)]
    codes = {path: code(path, 0) for path in (FAR, *tests)}
    uses = [Link(test, FAR, LinkKind.TEST, 20.0 - number) for number, test in enumerate(tests)]
    said = (("the colour map is wrong", FAR), ("a wrong colour is mended", tests[12]))
    pieces = [Passage(PassageKind.CHUNK, text, path=path, span=(3, 9)) for text, path in said]
    found = ask(FakeLibrary(codes=codes, links_=uses, passages_=pieces), query="wrong colour map")
    assert paths(found)[:2] == [FAR, tests[12]]


def test_short_stems_are_words_and_name_no_file() -> None:
    found = ask(library(), query="reset the db app")
    assert all(r.feature != "mention" for p in found for r in p.reasons)


def test_a_definition_of_a_named_symbol_is_found() -> None:
    found = ask(library(), query="what calls db_3()")
    assert reason(found, DB, "symbol") == "defines `db_3`"


def test_the_file_where_an_error_arose_leads() -> None:
    error = ErrorReport("python", "KeyError", "k", "f1", (Frame(FAR, 3, "pick", inside=True),))
    held = library(commits=[("c1", (DB, APP)), ("c2", (DB, APP))])
    found = ask(held, errors=(error,), current_file=APP)
    assert paths(found)[0] == FAR
    assert reason(found, FAR, "in_error") == "the error's stack passes through it"


def test_past_subjects_lift_what_they_changed() -> None:
    class Told(FakeLibrary):
        def match_files(self, text: str, limit: int) -> tuple[TextMatch, ...]:
            return (TextMatch(DB, 6.0, ("retry",), past=5.0), TextMatch(APP, 4.0, ("retry",)))

    found = ask(Told(codes=CODES), query="retry")
    assert paths(found)[0] == DB
    assert reason(found, DB, "strength") == "earlier commits with such a subject changed it"
    assert reason(found, APP, "strength") == "matches “retry”"


def test_the_file_in_front_is_not_predicted_and_others_at_hand_may_be_needed_next() -> None:
    held = library(commits=[("c1", (APP, DB, TEST, FAR))])
    predicted = set(paths(ask(held, current_file=APP, edited=(DB,), opened=(TEST,))))
    assert APP not in predicted
    assert {DB, TEST} <= predicted


def test_without_any_sign_nothing_is_predicted() -> None:
    assert ask(library()) == []
    assert ask(FakeLibrary()) == []


def test_equal_files_come_in_order_of_path() -> None:
    codes = {path: code(path, 0) for path in ("z.py", "m.py", "a.py", "here.py")}
    held = FakeLibrary(codes=codes, commits=[("c1", ("here.py", "z.py", "m.py", "a.py"))])
    assert paths(ask(held, current_file="here.py")) == ["a.py", "m.py", "z.py"]


def test_learned_weights_and_calibration_are_used() -> None:
    commits = [("c1", (APP, DB)), ("c2", (APP, DB)), ("c3", (FAR,))]
    usual = ask(library(commits=commits), current_file=APP)
    learned = {WEIGHTS_NAME: {"together": 0.0, "calibration.shift": -3.0}}
    moved = ask(library(commits=commits, learned=learned), current_file=APP)
    assert paths(usual)[0] == DB
    assert paths(moved)[0] != DB
    assert moved[0].probability < usual[0].probability


def test_documents_are_predicted_without_taking_from_source_files() -> None:
    commits = [("c1", (APP, DB, DOC)), ("c2", (APP, DB, DOC))]
    with_document = {p.path: p for p in ask(library(commits=commits), current_file=APP)}
    codes = {path: forms for path, forms in CODES.items() if path != DOC}
    without = {p.path: p for p in ask(FakeLibrary(codes=codes, commits=commits), current_file=APP)}
    assert DOC in with_document
    assert with_document[DB].probability == without[DB].probability


def test_a_new_file_still_has_a_name_to_go_by() -> None:
    assert paths(ask(library(), current_file="src/test_colour_map.py"))[0] == FAR


@settings(deadline=None, max_examples=40)
@given(
    current=st.sampled_from([APP, DB, TEST, "src/nowhere.py", ""]),
    query=st.text(max_size=60),
    commits=st.lists(st.lists(st.sampled_from(list(CODES)), min_size=1, max_size=4, unique=True), max_size=8),
    limit=st.integers(-1, 6),
)
def test_features_lie_between_0_and_1_and_add_up_to_a_descending_score(
    current: str, query: str, commits: list[list[str]], limit: int
) -> None:
    held = library(commits=[(f"c{n}", tuple(files)) for n, files in enumerate(commits)])
    meant = focus(Signals(current_file=current, query=query), ())
    values = matrix(gather(meant, held))
    assert values.shape == (len(CODES), len(FEATURES))
    assert float(values.min(initial=0)) >= 0
    assert float(values.max(initial=0)) <= 1
    found = predict(meant, held, limit)
    assert found == predict(meant, held, limit)
    assert len(found) <= max(0, limit)
    assert [p.score for p in found] == sorted((p.score for p in found), reverse=True)
    for prediction in found:
        assert 0 <= prediction.probability <= MOST
        told = sum(r.value * r.weight for r in prediction.reasons)
        assert prediction.score - 0.05 * len(FEATURES) <= told <= prediction.score + 0.01
        assert all(r.says for r in prediction.reasons)


def test_of_a_list_the_first_counts_one_and_the_seventh_half_and_documents_take_no_rank() -> None:
    names = [f"src/part_{number}.py" for number in range(8)]
    file_index = FileIndex(dict.fromkeys([*names, DOC], ()), names)
    ranks = file_index.ranked([file_index.index[path] for path in (names[0], DOC, *names[1:7])])
    value = {path: float(ranks[file_index.index[path]]) for path in file_index.paths}
    assert (value[names[0]], value[names[6]], value[names[7]]) == (1.0, 0.5, 0.0)
    assert value[DOC] == value[names[1]] == 6 / 7


def test_what_changed_last_leads_its_list_and_the_file_in_front_takes_no_place_in_it() -> None:
    changed = tuple(Recent(path, ago, 99) for path, ago in ((APP, 0), (DB, 2), (TEST, 14)))
    for current, expected in (("", [1.0, 6 / 7, 6 / 8]), (APP, [0.0, 1.0, 6 / 7])):
        asked = focus(Signals(current_file=current), ())
        found = replace(gather(asked, library()), recent=changed)
        assert [recency(found)[found.file_index.index[path]] for path in (APP, DB, TEST)] == expected


def test_files_of_the_folder_come_before_those_around_it_and_others_are_not_listed() -> None:
    near = {path: code(path, 0) for path in ("a/b/one.py", "a/b/two.py", "a/three.py", "z/four.py")}
    held = FakeLibrary(codes=near, commits=[("c1", ("z/four.py",)), ("c2", ("a/b/two.py",))])
    evidence = gather(focus(Signals(current_file="a/b/one.py"), ()), held)
    values = dict(zip(evidence.file_index.paths, beside(evidence).tolist(), strict=True))
    assert values == {"a/b/one.py": 0.0, "a/b/two.py": 1.0, "a/three.py": 6 / 7, "z/four.py": 0.0}
    assert reason(list(predict(evidence.focus, held)), "a/three.py", "beside") == "is near a/b/one.py"


def test_the_next_commit_moves_what_is_fresh_though_no_file_has_changed() -> None:
    before = library(commits=[("c0", (DB,)), ("c1", (APP,))])
    after = library(commits=[("c0", (DB,)), ("c1", (APP,)), ("c2", (DB,))])
    assert paths(ask(before)) == [APP, DB]
    assert paths(ask(after)) == [DB, APP]
    assert reason(ask(after), APP, "recent") == "changed one commit ago"
    assert paths(ask(before)) == [APP, DB]


def test_every_feature_has_a_name_of_its_own() -> None:
    assert len({feature.name for feature in FEATURES}) == len(FEATURES)


@pytest.mark.parametrize(("probabilities", "expected"), [((), 0.0), ((0.5, 0.5), 0.75), ((0.9, 0.0, 0.0, 0.9), 0.9)])
def test_confidence_is_the_chance_that_one_of_the_first_three_is_needed(
    probabilities: tuple[float, ...], expected: float
) -> None:
    files = tuple(Prediction(f"f{n}", probability, 1.0) for n, probability in enumerate(probabilities))
    assert confidence(files) == pytest.approx(expected)


def test_a_prediction_asks_few_questions_however_many_files_there_are() -> None:
    asked: list[str] = []

    class Counting(FakeLibrary):
        def __getattribute__(self, name: str) -> object:
            if name in {
                "paths",
                "cochanged",
                "recent",
                "links",
                "match_files",
                "passages",
                "weights",
                "owners",
                "search",
            }:
                asked.append(name)
            return super().__getattribute__(name)

    held = Counting(codes=generated(0, files=3_000).codes)
    many = tuple(held.codes)[:50]
    asked.clear()
    found = predict(focus(Signals(current_file=many[0], opened=many, query="retry"), ()), held)
    assert len(found) == 40
    assert FOLLOWED_LIMIT <= asked.count("cochanged") <= 3 * FOLLOWED_LIMIT
    assert len(asked) <= 3 * FOLLOWED_LIMIT + 7


@given(
    st.lists(st.sampled_from(["app", "test_app", "app_test", "AppTest", "colour_map", "map"]), min_size=2, max_size=6)
)
def test_names_compare_alike_one_by_one_and_over_the_whole_shelf(stems: list[str]) -> None:
    file_index = FileIndex({f"src/{stem}.py": () for stem in stems}, ())
    for path in file_index.paths:
        one_by_one = [read_name(path).alike(read_name(other)) for other in file_index.paths]
        assert list(file_index.alike(path)) == pytest.approx(one_by_one)
        assert list(file_index.pairs(path)) == [read_name(path).pairs(read_name(other)) for other in file_index.paths]


def test_pages_and_settings_are_no_source_files_and_a_script_among_documents_is() -> None:
    page = replace(code("src/templates/base.html", 0, "html"), role=FileRole.SOURCE)
    fixture = replace(code("tests/data.yaml", 0, "yaml"), role=FileRole.TEST)
    script = replace(code("docs/conf.py", 0), role=FileRole.DOC)
    codes = {forms.path: forms for forms in (code(APP), page, fixture, script, code("package.json", 0, "json"))}
    assert sorted(source_files(codes)) == ["docs/conf.py", APP]


def test_a_language_that_is_not_parsed_is_code_beside_one_that_is() -> None:
    codes = {path: code(path, 0, language) for path, language in (("R/a.R", "r"), ("src/a.cpp", "cpp"), ("a.md", ""))}
    assert sorted(source_files(codes)) == ["R/a.R", "src/a.cpp"]


def test_where_code_is_rare_all_files_are_what_the_project_is_made_of() -> None:
    codes = {f"roles/{number}.yml": code(f"roles/{number}.yml", 0, "yaml") for number in range(20)}
    codes["run.sh"] = code("run.sh", 0, "bash")
    assert len(source_files(codes)) == 21
    found = ask(FakeLibrary(codes=codes, commits=[("c", ("roles/1.yml", "roles/2.yml"))]), current_file="roles/1.yml")  # type: ignore[arg-type]
    assert found[0].path == "roles/2.yml"
    assert all(one.probability < MOST for one in found)
    assert sum(one.probability > 0.5 for one in found) <= 1
