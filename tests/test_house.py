"""Promises about the house itself: what importing costs, what the repository holds, what no module does."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from dataclasses import fields
from importlib import import_module
from pathlib import Path

import pytest
from evals import __main__ as measuring

from companion.config import Settings
from companion.evals import command

ROOT = Path(__file__).resolve().parent.parent
ABOVE = ("", "companion/", "companion/surfaces/", "lsp/companion_lsp/")
"""Where a path that a document names may begin."""
HEAVY = ("onnxruntime", "tokenizers", "quicktok", "tree_sitter", "usearch", "_duckdb", "numpy")


OWNED = "from companion.client import hosting; hosting.own = lambda home, serve, **_: __import__('companion.daemon.process')"
AT_THE_DOOR = (
    "import os; os._exit = lambda code: None; from companion.surfaces.cli import __main__ as door; door.main()"
)
"""A daemon's start with nothing owned: all that is loaded until the store is opened."""


def loaded_after(statement: str) -> set[str]:
    """Names of the modules that a fresh interpreter holds after a statement."""
    script = f"{statement}\nimport sys\nprint(' '.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    return set(done.stdout.split())


def test_importing_the_package_imports_nothing_else_of_it():
    assert not {name for name in loaded_after("import companion") if name.startswith("companion.")}


def test_the_command_line_and_the_client_load_nothing_heavy_until_they_are_used():
    loaded = loaded_after("import companion.surfaces.cli.main, companion.client")
    assert not loaded & set(HEAVY)


def test_a_command_loads_its_own_module_and_no_other_ones():
    called = "from companion.surfaces.cli.main import app; app(['schedule', '--help'], standalone_mode=False)"
    loaded = loaded_after(called)
    assert "companion.surfaces.cli.schedule" in loaded
    assert not {"companion.surfaces.cli.context", "companion.surfaces.cli.talk"} & loaded


def test_a_process_that_only_asks_for_a_context_loads_no_other_family_of_verbs():
    loaded = loaded_after(
        "import companion.app.compose; from companion.app.verbs import service_of; service_of('ask', 'assemble')"
    )
    assert "companion.app.verbs.ask.contexts" in loaded
    assert (
        not {
            "companion.app.consolidation.running",
            "companion.app.verbs.conversation",
            "companion.app.verbs.ask.search",
        }
        & loaded
    )
    assert "_duckdb" in loaded and "duckdb" not in loaded
    assert not {name for name in loaded if name.startswith(("companion.judge", "companion.reason", "companion.talk"))}
    others = (
        "api.conversation",
        "api.memory",
        "api.consolidation",
        "records.turn_history",
        "records.runs",
        "records.reasoning",
    )
    assert not {f"companion.{name}" for name in others} & loaded


def test_whoever_asks_a_daemon_loads_the_family_of_verbs_that_is_asked_and_no_other():
    loaded = loaded_after("import companion.surfaces.cli.memory, companion.client.remote as one; one._hints('story')")
    assert "companion.api.memory" in loaded
    assert not {f"companion.api.{name}" for name in ("companion", "consolidation", "conversation", "ask")} & loaded


def test_a_daemon_loads_no_library_of_the_command_line():
    start = f"import sys; sys.argv = ['companion', 'serve']; {OWNED}; {AT_THE_DOOR}"
    loaded = loaded_after(start)
    assert {"companion.daemon.process", "companion.surfaces.http.app"} <= loaded
    assert not loaded & {"typer", "rich", "pydantic"}


LAZY = ["records", "syntax", "ports", "signals.git", "signals.files"]


@pytest.mark.parametrize("package", [*LAZY, "api"])
def test_names_that_are_loaded_when_used_are_in_the_modules_that_the_package_takes_them_from(package):
    names = import_module(f"companion.{package}")._NAMES
    for module, words in names.items():
        made = vars(import_module(f"companion.{package}.{module}"))
        assert set(words.split()) <= set(made), module
    source = (ROOT / "companion" / package.replace(".", "/") / "__init__.py").read_text(encoding="utf-8")
    assert set(re.findall(r"    from (\S+) import", source)) == {f"companion.{package}.{module}" for module in names}


def test_who_asks_a_package_for_a_name_asks_for_one_that_it_has():
    modules = {f"companion.{package}": import_module(f"companion.{package}") for package in [*LAZY, "api"]}
    asked = set()
    for path in (
        path for folder in ("companion", "lsp", "consolidation", "tests") for path in (ROOT / folder).rglob("*.py")
    ):
        text = path.read_text(encoding="utf-8")
        called: dict[str, str] = {}
        for one in ast.walk(ast.parse(text)):
            if isinstance(one, ast.ImportFrom) and one.module in modules:
                asked |= {(one.module, name.name) for name in one.names}
            if isinstance(one, ast.ImportFrom):
                called |= {n.name: f"{one.module}.{n.name}" for n in one.names if f"{one.module}.{n.name}" in modules}
        for alias, package in called.items():
            asked |= {(package, name) for name in re.findall(rf"(?<![\w.]){alias}\.(\w+)\b(?! import)", text)}
    assert len(asked) > 200
    for package, name in asked - {(package, "*") for package in modules}:
        known = {word for words in modules[package]._NAMES.values() for word in words.split()}
        assert name in known or name in vars(modules[package]) or _is_module(package, name), (package, name)


def _is_module(package: str, name: str) -> bool:
    return (ROOT / package.replace(".", "/") / f"{name}.py").is_file() or (
        ROOT / package.replace(".", "/") / name
    ).is_dir()


def test_a_public_class_is_defined_once():
    defined: dict[str, list[str]] = {}
    for folder in ("companion", "lsp/companion_lsp", "consolidation", "schema"):
        for path in (ROOT / folder).rglob("*.py"):
            for one in ast.parse(path.read_text(encoding="utf-8")).body:
                if isinstance(one, ast.ClassDef) and not one.name.startswith("_"):
                    defined.setdefault(one.name, []).append(str(path.relative_to(ROOT)))
    assert len(defined) > 500
    assert not {name: places for name, places in defined.items() if len(places) > 1}


def test_the_engine_is_pure():
    loaded = loaded_after(
        "import companion.engine.assemble, companion.engine.telling.explain, companion.engine.predicting.learn"
    )
    assert not loaded & {"_duckdb", "usearch", "sqlite3", "onnxruntime", "tree_sitter", "subprocess"}
    assert not {
        name for name in loaded if name.startswith(("companion.store", "companion.signals", "companion.adapters"))
    }


@pytest.mark.parametrize("room", ["records", "api", "ports", "wire", "kinds", "evidence", "engine"])
def test_records_are_structs(room: str) -> None:
    files = sorted((ROOT / "companion" / room).rglob("*.py"))
    assert files
    assert not [file.name for file in files if "dataclass" in file.read_text(encoding="utf-8")]


PAPERS = ("ARCHITECTURE.md", "DECISIONS.md", "CONTRIBUTING.md")
PAGES_BYTES = 10_000
"""Two pages and a glossary."""


def papers() -> str:
    return "\n".join((ROOT / name).read_text(encoding="utf-8") for name in PAPERS)


def test_the_architecture_is_read_in_five_minutes():
    assert len((ROOT / "ARCHITECTURE.md").read_bytes()) < PAGES_BYTES


def test_every_place_that_architecture_names_exists():
    text = papers()
    named = set(re.findall(r"`((?:[a-z_]+/)+[\w.*]*)`", text)) - {"model/", "build/editors"}  # made by programs
    assert len(named) > 60
    assert not [path for path in sorted(named) if not any(next(ROOT.glob(f"{above}{path}"), None) for above in ABOVE)]


def test_every_list_that_architecture_adds_a_line_to_is_there():
    named = set(re.findall(r"`([A-Z]{4,})`", "\n".join(row for row in papers().splitlines() if row.startswith("| "))))
    assert {"KINDS", "PARTS"} <= named
    files = [
        *ROOT.glob("companion/**/*.py"),
        *ROOT.glob("lsp/companion_lsp/**/*.py"),
        *ROOT.glob("lsp/vscode/src/**/*.ts"),
    ]
    begun = re.compile(r"^(?:export )?(?:const )?([A-Z]{4,})\b ?[:=]", re.MULTILINE)
    assert named <= {name for file in files for name in begun.findall(file.read_text(encoding="utf-8"))}


def test_every_room_stands_on_the_map_and_among_who_imports_whom():
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    the_map, imports = text.partition("## How data flows")[0], text.partition("## Who imports whom")[2]
    rooms = {
        one.stem for one in (ROOT / "companion").iterdir() if one.suffix == ".py" or (one / "__init__.py").exists()
    }
    rooms -= {"__init__", "__about__"}
    assert len(rooms) > 20
    assert not [room for room in sorted(rooms) if not re.search(rf"^  .*\b{room}(?:/|\.py)", the_map, re.MULTILINE)]
    assert not [room for room in sorted(rooms) if not re.search(rf"^(?:.* )?{room}\b", imports, re.MULTILINE)]


def test_every_measurement_that_benchmarks_names_is_a_command_where_it_says():
    text = (ROOT / "BENCHMARKS.md").read_text(encoding="utf-8")
    users, ours = (set(app.commands) for app in (command.app, measuring.app))
    named = dict.fromkeys(re.findall(r"(companion eval|scripts/eval)\s+([\w-]+)", text))
    assert len(named) > 20
    wrong = [one for one in named if one[1] not in (users if one[0] == "companion eval" else ours | {"editor"})]
    assert not wrong


def test_every_setting_is_read_by_somebody():
    files = [
        file for room in ("companion", "lsp/companion_lsp", "consolidation") for file in ROOT.glob(f"{room}/**/*.py")
    ]
    code = "\n".join(file.read_text(encoding="utf-8") for file in files if file.name != "config.py")
    assert not [one.name for one in fields(Settings) if not re.search(rf"\b{one.name}\b", code)]


def test_pins_name_no_address_and_hold_every_dependency():
    pins = (ROOT / "constraints.txt").read_text(encoding="utf-8")
    assert "://" not in pins
    pinned = {line.partition("==")[0].lower().replace("_", "-") for line in pins.splitlines() if "==" in line}
    manifest = (ROOT / "pyproject.toml").read_text(encoding="utf-8").partition("[project.optional-dependencies]")[0]
    needed = {name.lower() for name in re.findall(r'^    "([A-Za-z0-9_.-]+)>=', manifest, re.MULTILINE)}
    assert len(needed) > 20
    assert needed <= pinned


PRODUCT = ("companion", "lsp/companion_lsp", "consolidation/companion_consolidation", "schema/companion_schema")
SQL = re.compile(
    r"\bselect\b.*\b(from|as)\b|\binsert (or \w+ )?into \S|\bupdate \S+ set\b|\bdelete from\b|\b(create|drop|alter) (temp )?"
    r"(table|view|index)\b|\b(group|order) by\b|\bjoin \S+ (as|on|using)\b|\bwhere \S+ (=|<|>|in\b|is\b)|\battach \S+ as\b",
    re.DOTALL,
)


def product() -> dict[str, str]:
    """Every module of the product by its path, with its text."""
    files = (path for folder in PRODUCT for path in (ROOT / folder).rglob("*.py"))
    return {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in sorted(files)}


def constant_text(node: ast.AST) -> str:
    """The words of an expression that makes a text, with a `?` for whatever is put into it."""
    if isinstance(node, ast.Constant):
        return str(node.value)
    if isinstance(node, ast.JoinedStr):
        return "".join(map(constant_text, node.values))
    return constant_text(node.left) + constant_text(node.right) if isinstance(node, ast.BinOp) else "?"


def test_no_module_but_one_makes_sql_of_anything_but_its_text():
    made = (ast.JoinedStr, ast.BinOp)
    found = [
        f"{path}:{node.lineno}"
        for path, text in product().items()
        for node in ast.walk(ast.parse(text))
        if (isinstance(node, made) and "?" in constant_text(node) and SQL.search(constant_text(node)))
        or (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in {"format", "format_map", "join"}
            and SQL.search(constant_text(node.func.value))
        )
    ]
    assert not found


LOOSENESS = {
    #                 Any  cast  type: ignore  noqa
    "companion/store": (29, 0, 4, 3),
    "companion/surfaces": (18, 0, 5, 7),
    "lsp/companion_lsp": (15, 0, 0, 2),
    "companion/wire": (9, 0, 0, 0),
    "companion/team": (8, 0, 0, 0),
    "companion/adapters": (3, 0, 0, 0),
    "companion/signals": (4, 0, 0, 1),
    "companion/client": (2, 1, 0, 0),
    "companion/evals": (3, 0, 0, 0),
    "companion/language": (3, 0, 0, 0),
    "companion/kinds": (2, 0, 0, 0),
    "companion/records": (2, 0, 0, 0),
    "companion/app": (2, 3, 0, 2),
    "companion/daemon": (1, 0, 0, 3),
    "companion/evidence": (1, 0, 0, 0),
    "companion/syntax": (1, 0, 0, 2),
    "companion/engine": (0, 1, 0, 2),
    "companion/config.py": (0, 0, 2, 0),
}
"""By room, how often types and lint are told to look away, at most. Lower a number where you can; never raise one."""
PLAIN_REASON = re.compile(r"# type: ignore\[[\w, -]+\]  # [\w`]|# noqa: [A-Z]+\d+(, [A-Z]+\d+)* - [\w`]")


def looks_away(text: str) -> tuple[int, int, int, int]:
    """How often a module says `Any`, `cast`, `type: ignore` and `noqa`."""
    named = (one for one in ast.walk(ast.parse(text)) if isinstance(one, ast.Name | ast.Attribute))
    said = [one.id if isinstance(one, ast.Name) else one.attr for one in named]
    return said.count("Any"), said.count("cast"), text.count("# type: ignore"), text.count("# noqa")


def test_types_and_lint_are_told_to_look_away_no_more_often_than_before():
    counted: dict[str, list[int]] = {}
    for path, text in product().items():
        room = "/".join(path.split("/")[:2])
        counted[room] = [a + b for a, b in zip(counted.get(room, [0] * 4), looks_away(text), strict=True)]
    assert not {
        room: told
        for room, told in counted.items()
        if any(now > most for now, most in zip(told, LOOSENESS.get(room, (0, 0, 0, 0)), strict=True))
    }


def test_who_tells_types_or_lint_to_look_away_says_why():
    lines = [line for text in product().values() for line in text.splitlines()]
    assert not [line for line in lines if re.search("# (type: ignore|noqa)", line) and not PLAIN_REASON.search(line)]
