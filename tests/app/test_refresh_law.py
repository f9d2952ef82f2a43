"""The law of refreshing: after any changes, what is kept is what a fresh scan of the same files keeps."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import pytest
from repos import Repo

from app.conftest import Desk
from companion.app.local import LocalCompanion
from companion.app.verbs.code.scans import settle_down
from companion.ports import NoProgress
from companion.store import projects
from companion.store.text.documents import file_space

SAMPLES = Path(__file__).parent.parent / "syntax" / "samples"
SEEDS = (1, 2)
STEPS = 8
DEFINED = re.compile(r"\b(?:def|func|fn|function|class|interface|struct|type)\s+([A-Za-z_]\w+)")


def kept(companion: LocalCompanion) -> dict[str, Any]:
    """Everything that is kept of a checkout, without what tells when it was read."""
    runtime, checkout = companion.runtime, companion.checkout
    index, space = runtime.store.passages, file_space(checkout)
    words = {path: [one.whole for one in index.of_source(space, path)] for path in index.states(space)}
    return {
        "code": {file.path: file for file in runtime.store.code.parsed(checkout)},
        "links": set(runtime.store.code.links(checkout)),
        "links in memory": {link for path in companion.library().paths() for link in companion.library().links([path])},
        "forms": dict(companion.library().paths()),
        "words": words,
        "skipped": set(projects.skipped(runtime.store.database, checkout)),
        "memories": {
            (m.draft.kind, m.draft.subject, m.draft.attribute, m.draft.value, m.draft.origin, m.draft.scope)
            for m in runtime.store.memories.iterate(companion.project)
        },
    }


def change(root: Path, draw: random.Random) -> list[str]:
    """One thing that people do to files; the paths a watcher would tell."""
    files = sorted(p for p in root.rglob("*") if p.is_file() and ".git" not in p.relative_to(root).parts)
    one, other = draw.choice(files), draw.choice(files)
    text = one.read_text("utf-8", "replace")

    def told(*places: Path) -> list[str]:
        return [place.relative_to(root).as_posix() for place in places]

    match draw.choice(("rename a name", "rename a name", "delete", "copy", "move", "move folder", "swap")):
        case "rename a name" if names := DEFINED.findall(text):
            one.write_text(text.replace(draw.choice(names), f"renamed_{draw.randrange(99)}"))
            return told(one)
        case "delete":
            one.unlink()
            return told(one)
        case "copy":
            place = other.parent / f"copied_{one.name}"
            place.write_text(text)
            return told(place)
        case "move" if not (other.parent / one.name).exists():
            place = other.parent / one.name
            one.rename(place)
            return told(one, place)
        case "move folder" if one.parent != root:
            place = one.parent.with_name(f"{one.parent.name}_{draw.randrange(999)}")
            before = one.parent
            before.rename(place)
            return told(before, place)
        case "swap":
            first, second = one.read_bytes(), other.read_bytes()
            one.write_bytes(second)
            other.write_bytes(first)
            return told(one, other)
    one.write_text(f"{text}\n{text[-100:]}")
    return told(one)


@pytest.fixture
def many_languages(shop: Repo) -> Repo:
    """The shop beside a sample of every language, and modules of three that import each other."""
    for sample in sorted(SAMPLES.rglob("*")):
        if sample.is_file() and sample.suffix not in {".json", ".txt"}:
            shop.write(f"samples/{sample.relative_to(SAMPLES).as_posix()}", sample.read_bytes())
    shop.write("web/test/.env", "MODE=test\n")
    shop.write("web/package.json", '{"name": "web", "scripts": {"test": "jest"}}\n')
    shop.write("web/src/index.ts", 'export { render } from "./render";\n')
    shop.write("web/src/render.ts", "export function render(page: string) {\n  return page;\n}\n")
    shop.write(
        "web/src/page.ts", 'import { render } from ".";\nexport class FrontPage {\n  show() { return render(""); }\n}\n'
    )
    shop.write(
        "web/test/page.test.ts", 'import { FrontPage } from "../src/page";\ntest("x", () => new FrontPage().show());\n'
    )
    shop.write("go/go.mod", "module example.org/tool\n\ngo 1.22\n")
    shop.write("go/main.go", 'package main\n\nimport "example.org/tool/plan"\n\nfunc main() { plan.MakePlan() }\n')
    shop.write("go/plan/plan.go", "package plan\n\nfunc MakePlan() int { return helperOfPlan() }\n")
    shop.write("go/plan/more.go", "package plan\n\nfunc helperOfPlan() int { return 1 }\n")
    shop.write(
        "php/src/Cart.php",
        "<?php\nnamespace App;\nuse App\\Money\\Price;\nclass Cart { function sum() { return new Price(); } }\n",
    )
    shop.write(
        "php/src/Money/Price.php",
        "<?php\nnamespace App\\Money;\nclass Price { function roundedCents() { return 1; } }\n",
    )
    shop.commit("More languages")
    return shop


@pytest.mark.parametrize("seed", SEEDS)
def test_after_any_changes_all_that_is_kept_equals_a_fresh_scan(
    desk: Desk, many_languages: Repo, tmp_path: Path, seed: int
):
    root, draw = many_languages.root, random.Random(seed)
    live = desk.open(root)
    live.scan(NoProgress())
    for step in range(STEPS):
        paths = [path for _ in range(draw.choice((1, 1, 3))) for path in change(root, draw)]
        live.refresh(paths if draw.random() < 0.8 else None)
        if step % 4 == 3:
            settle_down(live)
            fresh_desk = Desk(tmp_path / f"fresh-{step}", desk.clock)
            fresh = fresh_desk.open(root)
            fresh.scan(NoProgress())
            expected, found = kept(fresh), kept(live)
            fresh.close()
            assert found["links in memory"] == found["links"]
            for what, content in expected.items():
                assert found[what] == content, (seed, step, what, paths)
    live.close()
