"""What the asking side holds is not repeated to it; everything else stays."""

from __future__ import annotations

import pytest

from companion.engine.recalling.held import not_held
from companion.records import Candidate, Evidence, EvidenceKind, Form, Signals, Tier
from companion.records.instructions import INSTRUCTION_FILES, is_instruction_file, read_by_itself


def rests_on(*paths: str, kind: str = "fact", section: str = "Conventions", id_: str = "m1") -> Candidate:
    evidence = tuple(Evidence(EvidenceKind.FILE, path, 3) for path in paths)
    return Candidate(
        id_, "a rule", Tier.RELEVANT, section, 0.5, (Form("full", "x", 1, 1.0),), evidence=evidence, kind=kind
    )


def passage(path: str) -> Candidate:
    return rests_on(path, kind="", section="Places", id_=f"chunk:{path}:1")


def left(one: Candidate, **signals: object) -> bool:
    return bool(not_held([one], Signals(**signals)))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("assistant", "path", "told"),
    [
        ("claude-code", "CLAUDE.md", False),
        ("claude-code", "packages/shop/CLAUDE.md", False),
        ("claude-code", "AGENTS.md", True),
        ("cursor-vscode", ".cursor/rules/style.mdc", False),
        ("cursor-vscode", "CLAUDE.md", True),
        ("Visual Studio Code", ".github/copilot-instructions.md", False),
        ("an unknown one", "CLAUDE.md", False),
        ("an unknown one", "CONTRIBUTING.md", True),
        ("", "CLAUDE.md", True),
    ],
)
def test_an_assistant_is_not_told_what_it_reads_by_itself(assistant: str, path: str, told: bool) -> None:
    assert left(rests_on(path), assistant=assistant) is told


def test_what_stands_elsewhere_too_is_told() -> None:
    assert left(rests_on("CLAUDE.md", "README.md"), assistant="claude-code")
    said = Candidate("m1", "a rule", Tier.RELEVANT, "Decisions", 0.5, (), kind="decision")
    assert left(said, assistant="claude-code", has=("README.md",))


def test_of_the_current_file_its_text_is_left_out_and_what_is_remembered_of_it_stays() -> None:
    assert not left(passage("shop/price.py"), current_file="shop/price.py")
    assert left(rests_on("shop/price.py"), current_file="shop/price.py")
    assert left(passage("shop/cart.py"), current_file="shop/price.py")


def test_an_assistant_has_of_the_file_it_names_for_a_task_only_what_it_says_it_has() -> None:
    asked = {"current_file": "shop/price.py", "query": "round the price", "assistant": "claude-code"}
    assert left(passage("shop/price.py"), **asked)
    assert not left(passage("shop/price.py"), **asked, has=("shop",))
    assert not left(passage("shop/price.py"), **(asked | {"query": ""})), "with no task it asks what is around it"


@pytest.mark.parametrize("had", ["shop/price.py", "shop", "shop/", "price.py", "shop/*.py", "chunk:shop/price.py:1"])
def test_what_the_asking_side_says_it_has_is_left_out(had: str) -> None:
    assert not left(passage("shop/price.py"), has=(had,))


@pytest.mark.parametrize("had", ["shop/cart.py", "sho", "shop/price", "m1"])
def test_nothing_else_is_left_out_for_it(had: str) -> None:
    assert left(passage("shop/price.py"), has=(had,))


def test_a_path_with_signs_of_patterns_is_itself() -> None:
    assert not left(passage("app/[id]/page.tsx"), has=("app/[id]/page.tsx",))


def test_of_what_a_person_chose_all_is_left_and_nothing_else() -> None:
    assert left(rests_on("CLAUDE.md"), assistant="claude-code", only=("m1",)), "it was asked for by its id"
    assert not left(passage("shop/cart.py"), only=("m1",))


def test_a_contradiction_is_told_whoever_has_the_files() -> None:
    assert left(rests_on("CLAUDE.md", section="Contradictions", kind=""), assistant="claude-code")


def test_every_instruction_file_is_known_as_one_and_read_by_somebody() -> None:
    assert all(is_instruction_file(path.replace("*", "style")) for path in INSTRUCTION_FILES)
    assert set(read_by_itself("somebody new")) == set(INSTRUCTION_FILES)
    assert not is_instruction_file("docs/claude/model.md")
