from __future__ import annotations

import json

import pytest
import yaml as pyyaml
from hypothesis import given
from hypothesis import strategies as st

from companion.kinds.facts.located import MAX_NODES, Node, ini, yaml
from companion.kinds.facts.marked import maven, xml
from companion.kinds.facts.nested import jsonc, toml

keys = st.from_regex(r"[a-z][a-z0-9_-]{0,8}", fullmatch=True).filter(
    lambda k: k not in {"y", "n", "on", "off", "yes", "no"}
)
plain = st.one_of(st.integers(-999, 999), st.booleans(), st.text(alphabet="abc #[]{}=:'\"\\é,", max_size=12))
trees = st.recursive(
    st.dictionaries(keys, plain, max_size=4),
    lambda inner: st.dictionaries(keys, st.one_of(plain, inner, st.lists(plain, max_size=3)), max_size=4),
    max_leaves=12,
)


def value_of(node: Node) -> object:
    if isinstance(node.value, dict):
        return {key: value_of(child) for key, child in node.value.items()}
    return [value_of(child) for child in node.value] if isinstance(node.value, list) else node.value


def keys_stand_on_their_lines(node: Node, lines: list[str]) -> bool:
    return all(
        key in lines[child.line - 1] and keys_stand_on_their_lines(child, lines) for key, child in node.fields().items()
    )


@given(trees)
def test_json_reads_as_the_standard_reader_does_and_every_key_is_on_its_line(tree: dict[str, object]) -> None:
    text = json.dumps(tree, indent=1)
    node = jsonc(text)
    assert node is not None
    assert value_of(node) == tree
    assert keys_stand_on_their_lines(node, text.split("\n"))


@given(trees)
def test_yaml_keys_are_on_their_lines(tree: dict[str, object]) -> None:
    text = pyyaml.safe_dump(tree, width=10_000)
    node = yaml(text)
    assert node is not None
    assert keys_stand_on_their_lines(node, text.split("\n"))


def as_toml(tree: dict[str, object], path: tuple[str, ...] = ()) -> list[str]:
    """The tree as tables, with comments and blank lines that must not shift anything."""
    lines = []
    for key, value in tree.items():
        if isinstance(value, list):
            lines += [f"{key} = [ # list", *(f"  {json.dumps(item)}," for item in value), "]", ""]
        elif not isinstance(value, dict):
            lines += [f"{key} = {json.dumps(value)} # = [x]"]
    for key, value in tree.items():
        if isinstance(value, dict):
            lines += ["", f"[{'.'.join((*path, key))}]", *as_toml(value, (*path, key))]
    return lines


@given(trees)
def test_toml_keys_and_list_items_are_on_their_lines(tree: dict[str, object]) -> None:
    lines = as_toml(tree)
    node = toml("\n".join(lines))
    assert node is not None
    assert value_of(node) == tree
    assert keys_stand_on_their_lines(node, lines)

    def items_stand(node: Node) -> bool:
        if isinstance(node.value, list):
            return all(json.dumps(item.value) in lines[item.line - 1] for item in node.items())
        return all(items_stand(child) for child in node.fields().values())

    assert items_stand(node)


def test_toml_table_arrays_multiline_strings_and_dotted_keys_keep_the_count() -> None:
    node = toml('[[a]]\nx = """\n\n"""\n[[a]]\ny = [{b = 1},\n  {b = 2}]\n[a.c]\nd = \'\'\'\nq\'\'\'\ne.f."g h" = 3\n')
    assert node is not None
    first, second = node.at("a").items()  # type: ignore[union-attr]
    assert (first.at("x").line, second.line, second.at("y").items()[1].line) == (2, 5, 7)  # type: ignore[union-attr]
    assert (second.at("c", "d").line, second.at("c", "e", "f", "g h").line) == (9, 11)  # type: ignore[union-attr]


def test_json_may_have_comments_and_trailing_commas() -> None:
    node = jsonc('{\n  // why\n  "a": [1, /* two */ 2,],\n  "b": "//not a comment",\n}\n')
    assert node is not None
    assert node.at("a").texts() == ["1", "2"]  # type: ignore[union-attr]
    assert (node.at("b").text, node.at("b").line) == ("//not a comment", 4)  # type: ignore[union-attr]


def test_yaml_versions_stay_as_written_and_on_is_a_key() -> None:
    node = yaml("on:\n  push:\npython: [3.10, '3.9']\n")
    assert node is not None
    assert node.at("python").texts() == ["3.10", "3.9"]  # type: ignore[union-attr]
    assert node.at("on", "push") is not None


def test_ini_values_over_several_lines_know_each_line() -> None:
    node = ini("top = 1\n[tool:pytest]\nfilterwarnings =\n    error\n    # why not\n    ignore:x\n\nnext: 2\n")
    warnings = node.at("tool:pytest", "filterwarnings")
    assert [(n.line, n.text) for n in warnings.lines()] == [(4, "error"), (6, "ignore:x")]  # type: ignore[union-attr]
    assert node.at("tool:pytest", "next").line == 8  # type: ignore[union-attr]
    assert node.at("", "top").text == "1"  # type: ignore[union-attr]


@pytest.mark.parametrize("text", ["", "{", "[1,", '{"a" 1}', '{"a": }', "\x00", "{'a': 1}", '{"a": 1} trailing'])
def test_broken_json_is_nothing(text: str) -> None:
    assert jsonc(text) is None


@pytest.mark.parametrize("text", ["a = ", "[a", "a = 1\na = 2", "= 3", "[a]\n[a]", 'a = "\n"'])
def test_broken_toml_is_nothing(text: str) -> None:
    assert toml(text) is None


def test_yaml_that_unfolds_without_end_is_nothing() -> None:
    bomb = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
        f"{chr(98 + i)}: &{chr(98 + i)} [{', '.join([f'*{chr(97 + i)}'] * 9)}]\n" for i in range(8)
    )
    assert MAX_NODES < 9**8
    assert yaml(bomb) is None


def test_deep_nesting_is_nothing_and_no_crash() -> None:
    assert jsonc("[" * 100_000) is None
    assert yaml("[" * 2_000) is None
    assert toml("a = " + "[" * 2_000) is None


def test_xml_elements_know_their_line_and_entities_are_refused() -> None:
    root = xml("<project>\n  <a>\n    <b>x</b>\n  </a>\n</project>")
    assert root is not None
    assert root.at("a", "b") == Node(3, "x")
    assert xml('<!DOCTYPE x [<!ENTITY a "b">]><x>&a;</x>') is None
    assert xml("<a><b></a>") is None


def test_an_xml_element_is_a_table_of_its_attributes_and_children_and_a_list_where_there_are_several() -> None:
    root = xml('<a n="1">\n<b/>\n<b><c>x</c></b></a>')
    assert root is not None
    assert root.at("@n") == Node(1, "1")
    assert root.at("b") == Node(2, [Node(2, ""), Node(3, {"c": Node(3, "x")})])


def test_a_pom_has_its_own_properties_put_in() -> None:
    root = maven("<project><properties><v>17</v></properties><a>${v}</a><b>${other}</b></project>")
    assert root is not None
    assert [node.text for key in "ab" if (node := root.at(key))] == ["17", "${other}"]
