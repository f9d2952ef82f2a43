"""Promises about the house itself: what importing costs, what the repository holds, what no module does."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HEAVY = ("onnxruntime", "tokenizers", "quicktok", "tree_sitter", "usearch", "detect_secrets", "duckdb", "numpy")


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
    assert "companion.surfaces.cli.night" in loaded
    assert not {"companion.surfaces.cli.asking", "companion.surfaces.cli.talking"} & loaded


def test_a_process_that_only_asks_for_a_context_loads_no_other_family_of_verbs():
    loaded = loaded_after("from companion.app.compose import open_for_asking")
    assert "companion.app.verbs.asking" in loaded
    assert not {"companion.app.local", "companion.app.nights.night", "companion.app.verbs.turns"} & loaded
    assert not {name for name in loaded if name.startswith(("companion.judging", "companion.reason", "companion.talk"))}


def test_the_engine_is_pure():
    loaded = loaded_after(
        "import companion.engine.assemble, companion.engine.telling.explain, companion.engine.predicting.learn"
    )
    assert not loaded & {"duckdb", "usearch", "sqlite3", "onnxruntime", "tree_sitter", "subprocess"}
    assert not {
        name for name in loaded if name.startswith(("companion.store", "companion.signals", "companion.adapters"))
    }


def test_every_place_that_architecture_names_exists():
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`((?:companion|schema|tests|scripts)/[\w./]*)`", text))
    assert len(named) > 10
    assert not [path for path in sorted(named) if not (ROOT / path).exists()]


def test_pins_name_no_address_and_hold_every_dependency():
    pins = (ROOT / "constraints.txt").read_text(encoding="utf-8")
    assert "://" not in pins
    pinned = {line.partition("==")[0].lower().replace("_", "-") for line in pins.splitlines() if "==" in line}
    manifest = (ROOT / "pyproject.toml").read_text(encoding="utf-8").partition("[project.optional-dependencies]")[0]
    needed = {name.lower() for name in re.findall(r'^    "([A-Za-z0-9_.-]+)>=', manifest, re.MULTILINE)}
    assert len(needed) > 20
    assert needed <= pinned
