"""Which manners of history and code are habits, and where the evidence is too mixed to say."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kinds.history import HistoryWorld, Log, seen

from companion.kinds.facts import DeclaredFacts
from companion.kinds.habits.habit import AGREED
from companion.kinds.habits.of_code import CodeHabits, docstrings_of, indent_of, quotes_of, semicolons_of
from companion.kinds.habits.of_history import HistoryHabits, interval, verdict
from companion.records import (
    Draft,
    EvidenceKind,
    FactType,
    FileRole,
    FileSeen,
    Import,
    Kind,
    ParsedFile,
    Reference,
    ReferenceKind,
    Shape,
    ShapeFamily,
)


def of_subjects(subjects: Iterable[str]) -> dict[str, Draft]:
    log = Log()
    for subject in subjects:
        log.commit(subject)
    return by_attribute(HistoryHabits().learn(HistoryWorld(commits=log.commits)))


def by_attribute(drafts: Iterable[Draft]) -> dict[str, Draft]:
    return {draft.attribute: draft for draft in drafts}


def mixed(yes: str, no: str, share: float, n: int = 300) -> list[str]:
    return [f"{yes} {i}" if i * 997 % n < share * n else f"{no} {i}" for i in range(n)]


@pytest.mark.parametrize(
    ("attribute", "yes", "no", "denied"),
    [
        ("conventional_commits", "feat(pool): add", "pool gets better", True),
        ("scope_colon_subject", "time: fix the wheel", "fix the wheel", False),
        ("bracketed_area", "[time] Fix the wheel", "fix the wheel", False),
        ("bracketed_area", "[time]: fix the wheel", "fix the wheel", False),
        ("capitalised_subject", "Fix the wheel", "fix the wheel", True),
    ],
)
def test_wording_is_told_when_clear_and_not_when_mixed(attribute: str, yes: str, no: str, denied: bool) -> None:
    assert of_subjects(mixed(yes, no, 0.97))[attribute].value == "true"
    no_more = of_subjects(mixed(yes, no, 0.02))
    assert (no_more[attribute].value == "false") if denied else attribute not in no_more
    assert attribute not in of_subjects(mixed(yes, no, 0.27))
    assert attribute not in of_subjects(mixed(yes, no, 0.5))


def test_the_request_number_must_end_the_subject() -> None:
    assert of_subjects(f"fix (#{i})" for i in range(300))["pr_number_suffix"].value == "true"
    assert of_subjects(f"fix #{i} at last" for i in range(300))["pr_number_suffix"].value == "false"


def test_an_area_in_brackets_denies_neither_an_area_nor_capitals() -> None:
    told = of_subjects(f"[time] Fix wheel {i}" for i in range(300))
    assert told["bracketed_area"].value == "true"
    assert not {"scope_colon_subject", "capitalised_subject"} & told.keys()


def test_where_no_area_begins_a_subject_that_no_type_does_is_told_with_it() -> None:
    told = of_subjects(f"fix wheel {i}" for i in range(300))
    assert told["conventional_commits"].value == "false"
    assert "nor with an area and a colon" in told["conventional_commits"].levels.full
    assert "scope_colon_subject" not in told
    areas = of_subjects(f"time: fix wheel {i}" for i in range(300))
    assert "area" not in areas["conventional_commits"].levels.full


def test_a_young_history_has_no_habits() -> None:
    assert of_subjects(f"feat: add {i}" for i in range(20)) == {}


def test_a_habit_has_its_share_as_confidence_and_commits_that_show_it() -> None:
    draft = of_subjects(mixed("Fix the wheel", "fix the wheel", 0.9))["capitalised_subject"]
    assert draft.kind is Kind.FACT
    assert draft.type == FactType.HABIT
    assert draft.label == "convention"
    assert draft.confidence == 0.9
    assert all(e.kind is EvidenceKind.COMMIT and e.quote[0].isupper() for e in draft.evidence)
    assert "90 %" in draft.levels.full


def test_merges_do_not_count_as_wording() -> None:
    log = Log()
    tip = log.commit("fix: start")
    for i in range(60):
        side = log.commit(f"fix: part {i}", parents=(tip,))
        tip = log.merge(tip, side, "Merge branch 'part'")
    told = by_attribute(HistoryHabits().learn(HistoryWorld(commits=log.commits)))
    assert told["conventional_commits"].value == "true"


@given(st.integers(0, 400), st.integers(1, 400))
def test_an_interval_holds_its_share_and_narrows_with_more_evidence(hits: int, n: int) -> None:
    hits = min(hits, n)
    low, high = interval(hits, n)
    assert low + 1e-9 >= 0
    assert high <= 1 + 1e-9
    assert low - 1e-9 <= hits / n <= high + 1e-9
    more = interval(hits * 10, n * 10)
    assert more[1] - more[0] <= high - low


@given(st.integers(30, 400), st.data())
def test_yes_and_no_are_never_both_near(n: int, data: st.DataObject) -> None:
    hits = data.draw(st.integers(0, n))
    answer = verdict(hits, n)
    assert answer is not True or hits / n > 0.75
    assert answer is not False or hits / n < 0.1


def of_texts(texts: Sequence[FileSeen]) -> dict[str, Draft]:
    code = [ParsedFile("src/a.py", "python", FileRole.SOURCE, "h", 1, 1)]
    world = HistoryWorld(texts=texts, code=code, paths=[text.path for text in texts])
    return by_attribute(CodeHabits().learn(replace(world, said=tuple(DeclaredFacts().learn(world)))))


PYTHON = '''from a import b
from a import c


def run(first, second):
    """Runs.

    :param first: the first
    :param second: the second
    """
    if first:
        return "one" + "two"
    name = "three"
    for part in "four", "five":
        print(part)
    while second:
        second -= 1
    return name
'''


def python_files(text: str = PYTHON, n: int = 10) -> list[FileSeen]:
    return [seen(f"src/part_{i}.py", text) for i in range(n)]


def test_the_manner_of_python_files_is_told_by_attribute() -> None:
    told = {name: draft.value for name, draft in of_texts(python_files()).items()}
    assert told == {
        "indent_python": "4 spaces",
        "quotes": "double",
        "imports_one_per_line": "true",
        "docstring_convention": "sphinx",
    }


def test_what_a_settings_file_declares_is_left_to_it() -> None:
    declared = seen("pyproject.toml", '[tool.ruff.format]\nquote-style = "double"\nindent-style = "space"\n')
    assert not {"quotes", "indent_python"} & set(of_texts([*python_files(), declared]))


@pytest.mark.parametrize(
    ("path", "tool"),
    [
        ("pyproject.toml", "[tool.black]\nskip-magic = true"),
        ("pyproject.toml", "[tool.ruff.format]"),
        (".pre-commit-config.yaml", "repos:\n- repo: a\n  hooks:\n  - id: ruff-format\n"),
    ],
)
def test_what_a_formatter_settles_by_its_defaults_is_no_habit(path: str, tool: str) -> None:
    told = of_texts([*python_files(), seen(path, tool)])
    assert not {"indent_python", "quotes", "line_length"} & told.keys()
    assert {"docstring_convention", "imports_one_per_line"} <= told.keys()


def test_a_habit_never_says_that_nothing_declares_it() -> None:
    assert not [draft for draft in of_texts(python_files()).values() if "declares" in draft.levels.full]


def runs_with(*tests: ParsedFile) -> dict[str, str]:
    drafts = CodeHabits().learn(HistoryWorld(code=[*tests, ParsedFile("lib/a.rb", "ruby", FileRole.SOURCE, "h", 1, 1)]))
    return {draft.attribute: draft.levels.compressed for draft in drafts if draft.subject == "tests"}


def test_what_tests_run_with_is_told_by_the_tests_and_not_by_what_they_mock_with() -> None:
    def ruby(path: str, module: str = "", base: str = "") -> ParsedFile:
        brought = (Import(module, 1),) if module else ()
        used = (Reference("Test", ReferenceKind.INHERIT, 2, "T", base),) if base else ()
        return ParsedFile(path, "ruby", FileRole.TEST, "h", 1, 1, imports=brought, references=used)

    mocked = ruby("test/helper.rb", "rspec/mocks", "Minitest")
    assert runs_with(mocked, ruby("test/test_a.rb"), ruby("test/test_b.rb", "helper")) == {
        "test_framework": "Tests run with Minitest."
    }
    assert runs_with(ruby("test/test_a.rb", "rspec/mocks")) == {}
    go = [
        ParsedFile(
            "a_test.go", "go", FileRole.TEST, "h", 1, 1, imports=(Import("github.com/stretchr/testify/assert", 1),)
        )
    ]
    assert runs_with(*go) == {"assertion_library": "Tests assert with testify."}


def test_the_share_of_a_tool_counts_every_test_that_could_do_otherwise() -> None:
    def tests(count: int, module: str, start: int = 0) -> list[ParsedFile]:
        case = Shape(ShapeFamily.TEST, "test function", 1, "TestIt")
        return [
            ParsedFile(f"{n}_test.go", "go", FileRole.TEST, "h", 1, 1, imports=(Import(module, 1),), shapes=(case,))
            for n in range(start, start + count)
        ]

    testify = "github.com/stretchr/testify/assert"
    learned = CodeHabits().learn(HistoryWorld(code=[*tests(9, testify), *tests(1, "testing", 9)]))
    (told,) = [draft for draft in learned if draft.subject == "tests"]
    assert told.levels.summary == "Tests assert with testify. Observed in 90 % of 10 tests."
    assert runs_with(*tests(5, testify), *tests(5, "testing", 5)) == {}


def test_a_tool_of_the_tests_that_is_declared_is_not_told_again() -> None:
    brought = (Import("pytest", 1, ("raises",)),)
    tests = [ParsedFile(f"tests/test_{n}.py", "python", FileRole.TEST, "h", 1, 1, imports=brought) for n in range(9)]
    told = by_attribute(CodeHabits().learn(HistoryWorld(code=tests)))["test_framework"]
    again = by_attribute(CodeHabits().learn(HistoryWorld(code=tests, said=(told,))))
    assert "test_framework" not in again


def test_of_two_tools_the_one_that_most_tests_show_is_told() -> None:
    def test(name: str, module: str) -> ParsedFile:
        return ParsedFile(
            f"tests/test_{name}.py", "python", FileRole.TEST, "h", 1, 1, imports=(Import(module, 1, ("TestCase",)),)
        )

    some = [test(name, "unittest") for name in "abc"]
    assert runs_with(*some, test("d", "pytest")) == {"test_framework": "Tests are written with unittest."}
    assert runs_with(some[0], test("d", "pytest"), test("e", "pytest")) == {"test_framework": "Tests run with pytest."}


def test_what_a_sample_of_a_language_that_the_project_is_not_written_in_brings_is_not_its_tool() -> None:
    sample = ParsedFile("tests/samples/a_test.py", "python", FileRole.TEST, "h", 1, 1, imports=(Import("pytest", 1),))
    code = [ParsedFile(f"src/{n}.rs", "rust", FileRole.SOURCE, "h", 1, 1) for n in range(20)]
    assert runs_with(sample) == {"test_framework": "Tests run with pytest."}
    assert runs_with(sample, *code) == {}


def test_files_that_disagree_tell_nothing() -> None:
    other = PYTHON.replace('"', "'").replace("'''", '"""')
    told = of_texts([*python_files(n=8), *(seen(f"lib/q_{i}.py", other) for i in range(4))])
    assert "quotes" not in told
    assert AGREED > 8 / 12


def test_the_manner_of_a_language_that_a_project_hardly_uses_is_not_told() -> None:
    tools = python_files(n=9)
    assert "indent_python" in of_texts(tools)
    assert "indent_python" not in of_texts([*tools, *(seen(f"lib/q_{i}.go", "package lib\n") for i in range(90))])


def test_a_few_files_are_no_habit() -> None:
    assert of_texts(python_files(n=4)) == {}


@pytest.mark.parametrize(("limit", "seed"), [(79, 1), (88, 5), (100, 3), (120, 7)])
def test_a_cliff_in_line_lengths_is_the_limit(limit: int, seed: int) -> None:
    lengths = [40 + (i * 37 + seed) % (limit - 39) for i in range(900)]
    text = "\n".join("x" * length for length in lengths)
    assert of_texts([seen(f"src/p{i}.py", text) for i in range(9)])["line_length"].value == str(limit)


def test_what_a_language_settles_itself_is_no_habit() -> None:
    text = "\n".join("x" * (40 + (i * 37) % 61) for i in range(900))
    assert "line_length" not in of_texts([seen(f"src/p{i}.rs", text) for i in range(9)])
    paths = [f"tests/part_{i}.rs" for i in range(12)]
    code = [ParsedFile("src/part.rs", "rust", FileRole.SOURCE, "h", 1, 1)]
    assert "test_dir" not in by_attribute(CodeHabits().learn(HistoryWorld(code=code, paths=paths)))


def test_line_lengths_that_fade_out_have_no_limit() -> None:
    text = "\n".join("x" * (30 + i % 170) for i in range(900))
    assert "line_length" not in of_texts([seen(f"src/p{i}.py", text) for i in range(9)])


def test_where_tests_lie_and_how_they_are_called() -> None:
    paths = [f"tests/unit/test_part_{i}.py" for i in range(12)] + ["tests/conftest.py", "src/part.py"]
    code = [ParsedFile("src/part.py", "python", FileRole.SOURCE, "h", 1, 1)]
    told = by_attribute(CodeHabits().learn(HistoryWorld(code=code, paths=paths)))
    assert told["test_dir"].value == "tests/"
    assert told["test_naming"].value == "test_*.py"
    assert [one.ref for one in told["test_naming"].evidence] == [
        "tests/unit/test_part_0.py",
        "tests/unit/test_part_1.py",
    ]


@pytest.mark.parametrize(
    ("form", "case"),
    [("user-{}", "kebab-case"), ("user_{}", "snake_case"), ("User{}x", "PascalCase"), ("user{}9", "camelCase")],
)
def test_file_names_follow_a_case_where_taste_decides(form: str, case: str) -> None:
    letters = "abcdefghij".upper() if case[0].isupper() or case == "camelCase" else "abcdefghij"
    paths = [f"src/{form.format(letter)}.ts" for letter in letters]
    code = [ParsedFile(paths[0], "typescript", FileRole.SOURCE, "h", 1, 1)]
    told = by_attribute(CodeHabits().learn(HistoryWorld(code=code, paths=paths)))
    assert told["file_naming"].value == case
    assert told["file_naming"].levels.compressed == f"TypeScript files are named in {case}."


def test_no_case_is_told_where_parts_of_names_between_dots_or_single_words_are_written_in_another() -> None:
    kebab = [f"src/user-{letter}.js" for letter in "abcdefghi"]
    for other in (["src/res.sendFile.js", "src/req.acceptsCharsets.js"], ["src/Route.js", "src/Router.js"]):
        code = [ParsedFile(kebab[0], "javascript", FileRole.SOURCE, "h", 1, 1)]
        told = by_attribute(CodeHabits().learn(HistoryWorld(code=code, paths=[*kebab, *other])))
        assert "file_naming" not in told
        told = by_attribute(CodeHabits().learn(HistoryWorld(code=code, paths=[*kebab, "src/app.js", "src/res.set.js"])))
        assert told["file_naming"].value == "kebab-case"


@pytest.mark.parametrize(
    ("text", "indent"),
    [
        ("a\n  b\n    c\n  d\n    e\n  f\n    g\n", "2 spaces"),
        ("a\n\tb\n\t\tc\n\tb\n\tb\n\tb\n", "tab"),
        ("a\nb\nc\n", ""),
    ],
)
def test_indent_is_the_commonest_step_inwards(text: str, indent: str) -> None:
    assert indent_of(text) == indent


def test_quotes_semicolons_and_docstrings_are_read_line_by_line() -> None:
    assert quotes_of("a = 'x'\n" * 6) == "single"
    assert quotes_of('a = "it\'s"\n' * 6) == ""
    assert quotes_of("# don't\n" * 9) == ""
    assert semicolons_of("const a = 1;\n" * 6) == "always"
    assert semicolons_of("const a = 1\nlet b = f()\n" * 3) == "never"
    assert docstrings_of('"""\n    Args:\n        a: b\n"""\n' * 3) == "google"
    assert docstrings_of('"""\n    Parameters\n    ----------\n"""\n' * 3) == "numpy"


@given(st.text(max_size=300))
def test_any_text_can_be_read(text: str) -> None:
    assert indent_of(text) in {"", "tab", "2 spaces", "3 spaces", "4 spaces", "8 spaces"}
    assert quotes_of(text) in {"", "single", "double"}
    assert semicolons_of(text) in {"", "always", "never"}
    assert docstrings_of(text) in {"", "google", "numpy", "sphinx"}


def test_conventional_commits_are_not_told_as_an_area_with_a_colon_too() -> None:
    told = of_subjects([f"fix(pool): close it {i}" for i in range(100)])
    assert told["conventional_commits"].value == "true"
    assert not {"scope_colon_subject", "capitalised_subject"} & told.keys()


def test_a_folder_of_tests_is_no_home_where_most_lie_beside_the_source() -> None:
    paths = [f"lib/part_{i}_test.go" for i in range(30)] + [f"suite/integration/part_{i}_test.go" for i in range(12)]
    code = [ParsedFile("lib/part.go", "go", FileRole.SOURCE, "h", 1, 1)]
    assert "test_dir" not in by_attribute(CodeHabits().learn(HistoryWorld(code=code, paths=paths)))
    others = [f"bench/part_{i}.go" for i in range(12)] + [f"test/part_{i}_test.go" for i in range(30)]
    told = by_attribute(CodeHabits().learn(HistoryWorld(code=code, paths=others)))
    assert told["test_dir"].value == "test/"
