"""What a colleague shared says so wherever it is told: to people, to assistants, to editors and to programs."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest
from companion_lsp.texts import hover_markdown, hover_plain
from msgspec.structs import replace
from team_records import AT, BOB, version

from companion.api import Order
from companion.app.compose import open_companion
from companion.app.local import LocalCompanion
from companion.app.team import folder
from companion.records import Evidence, EvidenceKind, Format, SearchQuery, Signals, memory_key
from companion.surfaces import rows
from companion.team.text import record_id
from surfaces.assistants import called, in_memory, says
from surfaces.shells import Shell

SAYS = "Never round prices in checkout of shop/cart.py: they are integer cents"
FILE = "shop/cart.py"
DAY = "Bob, shared 1 March 2026"
HALF_TO_EVEN = "Prices are rounded half to even"
"""What the shop remembers, and Bob's note denies."""
ROUND = "round the prices in checkout of the shop"


@dataclass(frozen=True)
class Reader:
    """Somebody who read what Bob shared, and its id there."""

    shell: Shell
    id: str

    def asks(self, tool: str, **arguments: object) -> str:
        """What an assistant is answered, as text and as values."""
        answer = in_memory(called(tool, **arguments), self.shell.folder)
        return says(answer) + json.dumps(answer.structured_content)

    def companion(self) -> closing[LocalCompanion]:
        return closing(open_companion(self.shell.folder))


@pytest.fixture
def reader(shop: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Reader:
    for name, value in (("DAEMON", "never"), ("EMBEDDINGS", "off"), ("HOME", str(shop.home))):
        monkeypatch.setenv(f"COMPANION_{name}", value)
    bare = version(SAYS, BOB)
    about = (Evidence(EvidenceKind.FILE, FILE, 4),), (f"file:{FILE}", "symbol:checkout")
    draft = replace(bare.draft, evidence=about[0], entities=about[1])
    shared = replace(bare, draft=draft, key=memory_key(draft, ""))
    folder.write(tmp_path / "team", {record_id(shared): shared}, frozenset())
    assert shop("team", "import", tmp_path / "team").code == 0
    with closing(open_companion(shop.folder)) as companion:
        (against,) = [one for one in companion.search(SearchQuery("rounded half to even")) if one.text == HALF_TO_EVEN]
        companion.forget(against.id)
    return Reader(shop, shop("team", "status", "--json").json["shared"][0]["memory"])


@pytest.mark.parametrize(
    "words",
    [
        lambda id_: ("search", ROUND),
        lambda id_: ("search", ROUND, "--json"),
        lambda id_: ("expand", id_),
        lambda id_: ("expand", id_, "--json"),
        lambda id_: ("why", f"{FILE}:4"),
        lambda id_: ("why", f"{FILE}:4", "--json"),
        lambda id_: ("context", "--file", FILE),
        lambda id_: ("context", "--file", FILE, "--format", "xml"),
        lambda id_: ("context", "--file", FILE, "--json"),
        lambda id_: ("predict", "--file", FILE, "--json"),
        lambda id_: ("call", "verify", f"action={ROUND}"),
    ],
)
def test_every_command_that_tells_it_names_who_shared_it(reader: Reader, words: Callable[[str], tuple[str, ...]]):
    told = reader.shell(*words(reader.id)).out
    assert "ever round prices" in told
    assert "Bob" in told


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("search_memory", {"query": ROUND}),
        ("expand", {}),
        ("context", {"file": FILE}),
        ("explain", {}),
        ("predict", {"file": FILE}),
        ("why", {"place": f"{FILE}:4"}),
        ("get_reasoning_context", {"action": ROUND, "query": "prices", "context_type": "verification"}),
    ],
)
def test_every_tool_that_tells_it_names_who_shared_it(reader: Reader, tool: str, arguments: dict[str, str]):
    if tool == "explain":
        reader.asks("context", file=FILE)
    told = reader.asks(tool, **({"id": reader.id} if tool in {"expand", "explain"} else arguments))
    assert "ever round prices" in told
    assert "Bob" in told


def test_a_hover_says_it_as_something_said_by_who_shared_it_and_when(reader: Reader):
    with reader.companion() as companion:
        found = companion.why(FILE, 4)
        (line,) = [one for one in found.lines if one.id == reader.id]
    assert (line.text, line.source) == (f"Said: {SAYS}", DAY)
    assert line.at == AT
    for told in (hover_plain(found, AT), hover_markdown(found, AT, "", links=False)):
        assert DAY in told


def test_every_list_names_who_shared_it_however_it_came_to_be_listed(reader: Reader):
    with reader.companion() as companion:
        (hit,) = [one for one in companion.search(SearchQuery(ROUND)) if one.id == reader.id]
        context = companion.assemble(2_000, Signals(current_file=FILE), Format.MARKDOWN, Order.PEOPLE)
        (item,) = [one for tier in context.tiers for one in tier.items if one.id == reader.id]
    listed = [rows.of_hit(hit), rows.of_memory(hit.memory), rows.of_item(item, FILE)]
    assert [DAY in row.description for row in listed] == [True, True, True]
    assert [row.description.count("Bob") for row in listed] == [1, 1, 1]
