from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from kinds.worlds import world_of

from companion.kinds.facts import said_in
from companion.kinds.facts.agreeing import SourcedStatement, agreed
from companion.kinds.facts.statement import DeclaredStatement
from companion.records import Draft, FileSeen

MIT = "Permission is hereby granted, free of charge, to any person obtaining a copy\n"
PYPROJECT = '[project]\nname = "x"\nlicense = "MIT"\nrequires-python = ">=3.10"\n'


def learned(folder: Path, files: Mapping[str, str]) -> list[Draft]:
    return list(agreed(one for one, _ in said_in(world_of(folder, files))))


def of(drafts: list[Draft], attribute: str) -> list[Draft]:
    return [draft for draft in drafts if draft.attribute == attribute]


def sources(draft: Draft) -> list[str]:
    return [proof.ref for proof in draft.evidence]


def php(version: str) -> str:
    return f'{{"require": {{"php": "{version}"}}}}'


def said(path: str, value: str, confidence: float = 0.9, attribute: str = "level") -> SourcedStatement:
    statement = DeclaredStatement("tool", attribute, value, f"The level is {value}.", 1, confidence=confidence)
    return SourcedStatement(statement, FileSeen(path, "0", "text\n"))


def test_a_fact_that_three_files_declare_is_one_memory_with_three_sources(tmp_path: Path) -> None:
    files = {"pyproject.toml": PYPROJECT, "LICENSE": MIT, "package.json": '{"license": "MIT"}'}
    (licence,) = of(learned(tmp_path, files), "licence")
    assert licence.value == "MIT"
    assert set(sources(licence)) == {"pyproject.toml", "LICENSE", "package.json"}
    assert {f"file:{path}" for path in files} <= set(licence.entities)


def test_the_texts_of_two_licences_to_choose_from_do_not_contradict_each_other(tmp_path: Path) -> None:
    texts = {"LICENSE.MIT": MIT, "LICENSE.APACHE2": "Apache License\nVersion 2.0, January 2004\n"}
    assert of(learned(tmp_path, texts), "licence") == []
    assert [one.value for one in of(learned(tmp_path, {"LICENSE.md": MIT}), "licence")] == ["MIT"]


def test_the_surest_source_words_a_fact_that_several_declare() -> None:
    (draft,) = agreed([said("README.md", "3", 0.7), said("tool.toml", "3", 0.95), said("ci.yml", "3", 0.8)])
    assert (draft.origin, draft.confidence) == ("tool.toml", 0.95)
    assert sources(draft) == ["tool.toml", "ci.yml", "README.md"]


def test_sources_that_disagree_give_a_fact_each(tmp_path: Path) -> None:
    files = {"pyproject.toml": PYPROJECT, "README.md": "# x\n\nRequires Python 3.9 or newer.\n"}
    found = {draft.value: sources(draft) for draft in of(learned(tmp_path, files), "min_python")}
    assert found == {"3.10": ["pyproject.toml"], "3.9": ["README.md"]}


def test_a_source_that_goes_leaves_the_others(tmp_path: Path) -> None:
    world = world_of(tmp_path, {"pyproject.toml": PYPROJECT, "LICENSE": MIT})
    (tmp_path / "LICENSE").unlink()
    later = dataclasses.replace(world, unchanged=frozenset({"pyproject.toml"}), gone=["LICENSE"])
    (licence,) = of(list(agreed(one for one, _ in said_in(later))), "licence")
    assert sources(licence) == ["pyproject.toml"]


def test_a_package_that_repeats_what_the_root_says_is_one_more_source(tmp_path: Path) -> None:
    files = {"composer.json": php(">=8.1"), "packages/a/composer.json": php(">=8.1")}
    (needed,) = of(learned(tmp_path, files), "min_php")
    assert (needed.scope.path, sources(needed)) == ("", ["composer.json", "packages/a/composer.json"])


def test_a_package_repeats_only_what_the_nearest_folder_above_it_says() -> None:
    drafts = agreed([said("tool.toml", "1"), said("a/tool.toml", "2"), said("a/b/tool.toml", "1")])
    assert {(draft.scope.path, draft.value) for draft in drafts} == {("", "1"), ("a", "2"), ("a/b", "1")}


def test_packages_side_by_side_that_all_say_the_same_say_it_of_their_folder(tmp_path: Path) -> None:
    files = {f"extra/{name}/composer.json": php(">=8.1") for name in ("cache", "html", "intl", "string")}
    (needed,) = of(learned(tmp_path, files), "min_php")
    assert needed.scope.path == "extra"
    assert needed.levels.full == "PHP 8.1 or newer is required (>=8.1) (in extra: cache, html, intl and 1 more)."
    assert sources(needed) == sorted(files)


def test_packages_of_which_one_says_otherwise_speak_for_themselves(tmp_path: Path) -> None:
    versions = {"cache": ">=8.1", "html": ">=8.1", "intl": ">=8.1", "string": ">=8.2"}
    files = {f"extra/{name}/composer.json": php(version) for name, version in versions.items()}
    assert {draft.scope.path for draft in of(learned(tmp_path, files), "min_php")} == {f"extra/{n}" for n in versions}


PATHS = st.sampled_from(["t", "a/t", "b/t", "c/t", "a/x/t", "a/y/t", "a/z/t"])


@given(st.lists(st.tuples(PATHS, st.sampled_from(["1", "2"])), max_size=8, unique_by=lambda one: one[0]))
def test_whatever_files_say_every_source_is_kept_once_and_no_key_twice(given_: list[tuple[str, str]]) -> None:
    drafts = list(agreed([said(path, value) for path, value in given_]))
    assert sorted(ref for draft in drafts for ref in sources(draft)) == sorted(path for path, _ in given_)
    keys = [(draft.scope.path, draft.value) for draft in drafts]
    assert len(keys) == len(set(keys))
