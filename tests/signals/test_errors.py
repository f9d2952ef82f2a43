"""Errors of every tool are understood, placed in the repository, and known again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import to_builtins

from companion.records import ErrorReport
from companion.signals.errors import FAMILIES, REPORTS_MAX, parse_errors
from companion.signals.errors.fingerprint import normalised
from companion.signals.errors.repository_paths import Places
from companion.signals.errors.text import TEXT_MAX_CHARS

GOLDEN = Path(__file__).parent / "golden"
PATHS = (GOLDEN / "paths.txt").read_text("utf-8").split("\n")
SAMPLES = sorted(path.stem for path in GOLDEN.glob("*.txt") if path.stem != "paths")


def sample(name: str) -> str:
    return (GOLDEN / f"{name}.txt").read_text("utf-8")


def told(reports: tuple[ErrorReport, ...]) -> list[dict[str, object]]:
    """What a golden file holds of each report: all but the fingerprint."""
    kept = []
    for report in reports:
        whole = to_builtins(report)
        frames = [
            " ".join(filter(None, [f"{f.path}:{f.line}", f.symbol, "" if f.inside else "(outside)"]))
            for f in report.frames
        ]
        kept.append({**{key: whole[key] for key in ("tool", "error_type", "message")}, "frames": frames})
        kept[-1]["symbols"] = list(report.symbols)
    return kept


@pytest.mark.parametrize("name", SAMPLES)
def test_a_tools_output_is_understood(name: str):
    expected = json.loads((GOLDEN / f"{name}.json").read_text("utf-8"))
    assert told(parse_errors(sample(name), PATHS)) == expected


@pytest.mark.parametrize("name", SAMPLES)
def test_line_ends_and_colours_make_no_difference(name: str):
    plain = parse_errors(sample(name), PATHS)
    coloured = "".join(f"\x1b[31m{line}\x1b[0m\r\n" for line in sample(name).split("\n"))
    assert told(parse_errors(coloured, PATHS)) == told(plain)


@pytest.mark.parametrize("name", SAMPLES)
def test_log_prefixes_make_no_difference(name: str):
    plain = parse_errors(sample(name), PATHS)
    stamped = "".join(f"2025-03-02T11:04:17.1234567Z {line}\n" for line in sample(name).split("\n"))
    assert told(parse_errors(stamped, PATHS)) == told(plain)


def test_what_nobody_knows_is_one_plain_line_and_nothing_is_nothing():
    (report,) = parse_errors("the door is stuck\nagain", PATHS)
    assert (report.tool, report.error_type, report.message) == ("plain", "", "the door is stuck")
    assert parse_errors("", PATHS) == parse_errors(" \n\t\n", PATHS) == ()


def test_the_same_error_many_times_is_told_once_and_many_errors_are_limited():
    once = parse_errors(sample("python_plain"), PATHS)
    assert parse_errors(sample("python_plain") * 20, PATHS) == once
    many = "".join(f"src/cart.ts({n},1): error TS2304: Cannot find name 'x{n}'.\n" for n in range(500))
    assert len(parse_errors(many, PATHS)) == REPORTS_MAX


# ---------------------------------------------------------------- fingerprints

TRACEBACK = """Traceback (most recent call last):
  File "{prefix}shop/views/users.py", line {outer}, in {caller}
    show(x)
  File "{prefix}shop/models.py", line {inner}, in {function}
    raise {kind}(...)
{kind}: cart {number} of '{name}' at {address} ({uuid}) since {day}: {file}
"""
SAME = {
    "prefix": "/home/ann/shop-1/",
    "outer": 12,
    "inner": 34,
    "caller": "show_user",
    "function": "load_user",
    "kind": "ValueError",
    "number": 17,
    "name": "blue",
    "address": "0x7f00aa11",
    "uuid": "0b9f3c1e-7a52-4d0e-9b1c-2f3a4b5c6d7e",
    "day": "2025-03-02T11:04:17.552Z",
    "file": "/tmp/x1/a.json",
}


def fingerprint_of(**changed: object) -> str:
    (report,) = parse_errors(TRACEBACK.format(**{**SAME, **changed}), PATHS)
    assert [frame.inside for frame in report.frames] == [True, True]
    return report.fingerprint


@given(
    prefix=st.sampled_from(["/app/", "", "C:/Users/Bo/shop/", "/Users/bo/My Projects/shop/", "/builds/9f/shop/"]),
    outer=st.integers(1, 99_999),
    inner=st.integers(1, 99_999),
    number=st.integers(-(10**6), 10**12) | st.floats(allow_nan=False, allow_infinity=False, width=32),
    name=st.from_regex(r"[\w .,:/=-]{0,30}", fullmatch=True),
    address=st.integers(0, 2**64 - 1).map(hex),
    uuid=st.uuids().map(str),
    day=st.datetimes().map(lambda at: at.isoformat(" ")) | st.datetimes().map(lambda at: at.isoformat() + "+02:00"),
    file=st.from_regex(r"/[a-z]{1,8}/[a-z0-9_-]{1,8}\.[a-z]{1,4}", fullmatch=True),
)
def test_another_day_machine_line_or_value_keeps_the_fingerprint(**changed: object):
    assert fingerprint_of(**changed) == fingerprint_of()


@pytest.mark.parametrize(
    "changed",
    [{"kind": "TypeError"}, {"function": "save_user"}, {"caller": "list_users"}],
    ids=lambda one: next(iter(one)),
)
def test_another_kind_or_function_changes_the_fingerprint(changed: dict[str, str]):
    assert fingerprint_of(**changed) != fingerprint_of()


def test_another_message_changes_the_fingerprint():
    first, second = (
        parse_errors(f"src/cart.ts(1,1): error TS2304: {said}", PATHS)[0].fingerprint
        for said in ("Cannot find name 'x'.", "Cannot use name 'x'.")
    )
    assert first != second


def test_a_test_and_a_run_that_meet_one_error_agree():
    (in_test,) = parse_errors(sample("pytest_long"), PATHS)
    run = (
        sample("python_plain")
        .replace("show_user", "test_load_user")
        .replace("shop/views/users.py", "tests/test_models.py")
    )
    (in_run,) = parse_errors(run, PATHS)
    assert in_test.fingerprint == in_run.fingerprint


@given(st.text(max_size=300))
def test_normalising_twice_changes_nothing_more(message: str):
    assert normalised(normalised(message)) == normalised(message)


# ---------------------------------------------------------------- places


@pytest.mark.parametrize(
    ("named", "expected"),
    [
        ("/home/ann/work/shop/shop/models.py", "shop/models.py"),
        ("C:\\Users\\Bo\\shop\\shop\\models.py", "shop/models.py"),
        ("shop\\models.py", "shop/models.py"),
        ("./shop/views/../models.py", "shop/models.py"),
        ("/usr/lib/python3.11/site-packages/shop/models.py", "shop/models.py"),
        ("/usr/lib/python3.11/site-packages/bakery/models.py", ""),
        ("/usr/lib/python3.11/shop/models/decoder.py", ""),
        ("/code/views/users.py", "shop/views/users.py"),
        ("/elsewhere/users.py", ""),
        ("/anywhere/manage.py", "manage.py"),
        ("webpack:///./src/main.ts?1a2b", "src/main.ts"),
        ("webpack://shop/src/main.ts", "src/main.ts"),
        ("webpack-internal:///(rsc)/./src/app/(shop)/cart/page.tsx", "src/app/(shop)/cart/page.tsx"),
        ("http://localhost:3000/src/main.ts?t=17", "src/main.ts"),
        ("file:///srv/shop/src/main.ts", "src/main.ts"),
        ("com/acme/shop/App.java", "src/main/java/com/acme/shop/App.java"),
        ("org/other/App.java", ""),
        ("/home/u/.cargo/registry/src/index-6f17/serde-1.0.1/src/main.rs", ""),
        ("/usr/local/go/src/internal/cart/cart.go", "internal/cart/cart.go"),
        ("cart_test.go", "internal/cart/cart_test.go"),
        ("<string>", ""),
        ("<frozen importlib._bootstrap>", ""),
        ("", ""),
        ("/", ""),
    ],
)
def test_a_path_of_elsewhere_is_found_by_its_longest_end(named: str, expected: str):
    assert Places(PATHS).locate(named) == expected


def test_a_path_that_may_be_one_of_several_is_none_of_them():
    places = Places(["a/index.ts", "b/index.ts", "index.js", "c/index.js"])
    assert places.locate("/x/index.ts") == ""
    assert places.locate("b/index.ts") == "b/index.ts"
    assert places.locate("/x/index.js") == "index.js"


@given(
    st.lists(st.from_regex(r"[a-z]{1,3}(/[a-z]{1,3}){0,3}\.py", fullmatch=True), min_size=1, max_size=9, unique=True),
    st.data(),
)
def test_a_repository_path_means_itself(paths: list[str], data: st.DataObject):
    path = data.draw(st.sampled_from(paths))
    assert Places(paths).locate(path) == path


# ---------------------------------------------------------------- limits

HOSTILE = {
    "one long word": "A" * 10**6,
    "spaces": " " * 10**6,
    "line ends": "\n" * 10**6,
    "slashes": "at " + "/" * 10**6,
    "many slashes": ("    at " + "/" * 900 + "a(b\n") * 1_000,
    "brackets": ("    at " + "a (" * 300 + "\n") * 1_000,
    "quotes": ("TypeError: " + "'a " * 300 + "\n") * 1_000,
    "java dots": ("at a.b.c(" + "a." * 450 + "\n") * 1_000,
    "error words": ("A" * 980 + "Error:\n") * 1_000,
    "headers": "Traceback (most recent call last):\n" * 30_000,
    "frames": '  File "x", line 1, in f\n' * 40_000,
    "panics": "panic: x\ngoroutine 1 [x]:\n" * 40_000,
    "escapes": "\x1b[" * 500_000,
    "unended escape": "\x1b]" + "a" * 10**6,
    "surrogates and zeros": "\ud800\0" * 500_000,
    "fatal": ("PHP Fatal error:  Uncaught " + "a: in " * 130 + "\n") * 1_000,
    "bullets": "● x\n" * 250_000,
}


@pytest.mark.timeout(100)  # the slowest takes about a second; an exponential pattern takes years
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_of_a_megabyte_is_read(name: str):
    reports = parse_errors(HOSTILE[name], PATHS)
    assert len(reports) <= REPORTS_MAX
    for report in reports:
        json.dumps(to_builtins(report), ensure_ascii=False).encode("utf-8")


def test_of_a_huge_log_the_beginning_and_the_end_are_read():
    noise = "all is well\n" * (TEXT_MAX_CHARS // 10)
    text = "src/cart.ts(1,1): error TS1005: ';' expected.\n" + noise + sample("python_plain")
    assert [report.tool for report in parse_errors(text, PATHS)] == ["typescript", "python"]


@given(st.text(max_size=400))
def test_any_text_is_read_without_failing(text: str):
    for report in parse_errors(text, PATHS):
        assert report.fingerprint.startswith("e1-")
        json.dumps(to_builtins(report), ensure_ascii=False).encode("utf-8")


WORDS = [line for name in SAMPLES for line in sample(name).split("\n")]


@given(st.lists(st.sampled_from(WORDS), max_size=30))
def test_torn_and_mixed_output_is_read_without_failing(lines: list[str]):
    text = "\n".join(lines)
    reports = parse_errors(text, PATHS)
    assert bool(reports) == bool(text.strip())
    assert reports == parse_errors(text, PATHS)


def test_every_family_yields_spans_inside_the_text():
    for name in SAMPLES:
        lines = sample(name).split("\n")
        for find in FAMILIES:
            for found in find(lines):
                assert 0 <= found.first_line <= found.last_line < len(lines)
