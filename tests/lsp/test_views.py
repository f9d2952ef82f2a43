"""What an editor's own views ask for: the context of now, verbs, news; and the documents behind their items."""

from __future__ import annotations

import asyncio
import json
import re
import uuid
from datetime import datetime, timedelta
from pathlib import Path
from urllib.parse import quote, unquote, urljoin, urlsplit

import pytest
from companion_lsp.addresses import SORTS, WHY, VirtualDocument, wanted_of
from companion_lsp.drawing import drawn
from companion_lsp.features import asks
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types

from companion.surfaces.http.verbs import VERBS
from companion.surfaces.rows import ListRow
from lsp.conftest import DEADLINE_S, NEVER, until

PRICE = "shop/price.py"
NOW = datetime(2026, 1, 5)
HOSTILE = "\x1b[31m<img src=x onerror=alert(1)> [x](command:evil) \u202eesrever\u2066 ` | # "


async def ask(editor, method, params):
    """The answer to a request of ours, as JSON."""
    name = str(uuid.uuid4())
    answer = editor.client.protocol.send_request(method, params, msg_id=name)
    said = await asyncio.wait_for(asyncio.wrap_future(answer), DEADLINE_S)
    return json.loads(json.dumps(plain(said)))


def plain(said):
    """What pygls made named tuples of."""
    if hasattr(said, "_asdict"):
        return {name: plain(one) for name, one in said._asdict().items()}
    return [plain(one) for one in said] if isinstance(said, (list, tuple)) else said


async def verb(editor, name, **given):
    return await ask(editor, "companion/ask", {"folder": editor.root.as_uri(), "verb": name, "ask": given})


async def command(editor, name, **given):
    return plain(await editor.run(name, {"root": str(editor.root), **given}))


async def content(editor, uri):
    asked = types.TextDocumentContentParams(uri)
    return (await editor.client.workspace_text_document_content_async(asked)).text


def items(said):
    """All rows of an answer that are no group."""
    for row in said["rows"]:
        yield from items(row) if row["sort"] == "group" else [row]


@pytest.mark.asyncio(loop_scope="module")
async def test_a_story_is_rows_that_say_which_lines_of_the_file_they_wrote(browsing):
    editor = browsing
    editor.open(PRICE)

    async def story(line):
        said = await ask(editor, "companion/story", {"uri": editor.uri(PRICE), "line": line, "wait": True})
        return said if not said["asking"] else await story(line)

    said = await story(2)
    assert (said["root"], said["file"], said["symbol"], said["line"]) == (editor.root.as_uri(), PRICE, "Price.total", 2)
    line, *steps = said["rows"]
    assert [row["group"] for row in said["rows"]] == ["line", *["steps"] * len(steps)]
    assert steps
    assert line["sha"] not in [row["sha"] for row in steps], "the commit of the line is shown once"
    assert [row["did"] for row in said["rows"]] == ["made", *["fixed"] * len(steps)]
    assert re.fullmatch(r"Add the shop \(made total, \d+ lines\)", line["label"]), "whole: its panel is wide"
    assert re.fullmatch(r"\d+ years? ago · .+", line["description"]), "when and who"
    assert [row["date"] for row in said["rows"]] == ["2024-05-01"] * len(said["rows"])
    assert all(row["sort"] == "step" and row["tooltip"] and row["spoken"] for row in said["rows"])
    assert [line["links"][-1][name] for name in ("sort", "name", "url")] == ["commit", line["sha"][:10], ""]
    spans = sorted(tuple(span) for row in said["rows"] for span in row["spans"])
    assert (spans[0][0], spans[-1][1]) == (said["first"], said["last"]), "together they are the definition"
    does, uri = line["opens"]
    assert does == "document", "without a forge the commit opens in the editor"
    assert "Add the shop" in await content(editor, uri)
    editor.change(PRICE, "# new\n", (0, 0), (0, 0))
    moved = await story(3)
    assert moved["first"] == said["first"] + 1
    assert moved["rows"][0]["spans"] == [[first + 1, last + 1] for first, last in line["spans"]]
    editor.change(PRICE, "", (0, 0), (1, 0))
    refused = await ask(editor, "companion/story", {"uri": "untitled:x", "line": 1})
    assert "not a file of a repository" in refused["error"]["message"]


@pytest.mark.asyncio(loop_scope="module")
async def test_now_is_groups_of_rows_that_are_ready_to_be_drawn(browsing):
    said = await ask(browsing, "companion/now", {"uri": browsing.uri(PRICE)})
    assert (said["root"], said["name"], said["file"]) == (browsing.root.as_uri(), "shop", PRICE)
    assert 0 < said["tokens"] <= said["budget"] == 8_000
    assert all(group["sort"] == "group" and group["rows"] for group in said["rows"]), "none is empty"
    assert all(row["label"] and row["tooltip"] and row["spoken"] and row["context"] for row in items(said))
    decision = next(row for row in items(said) if row["sort"] == "decision")
    assert "integer" in decision["text"]
    assert decision["uri"] == browsing.uri("docs/adr/0001-money.md")
    assert decision["context"] == "item decision memory loose source"
    does, uri = decision["opens"]
    assert does == "document"
    assert "integer cents" in await content(browsing, uri)
    file = next(row for row in items(said) if row["sort"] == "file")
    assert file["opens"][0] == "source"
    assert file["uri"].endswith(f"/{file['label']}"), "a file is called by its name"


@pytest.mark.asyncio(loop_scope="module")
async def test_memory_shows_what_is_there_and_no_group_for_what_is_not(browsing):
    said = await ask(browsing, "companion/memory", {"folder": browsing.root.as_uri()})
    names = [group["id"] for group in said["rows"]]
    assert names[0] == "contradictions", "what waits for a person comes first"
    assert {"rules", "decisions"} <= set(names)
    assert not {"review", "threads", "workflows", "search"} & set(names)
    assert all(group["rows"] and group["description"].isdigit() for group in said["rows"])
    (one,) = said["rows"][0]["rows"]
    assert one["opens"] == ["settle", one["id"]]
    for side, sort in zip(one["rows"], ("older", "newer"), strict=True):
        assert side["opens"][1].startswith(f"companion:///{sort}/{one['id']}.md")
        assert side["label"] in one["label"]


@pytest.mark.asyncio(loop_scope="module")
async def test_a_search_shows_passages_that_open_at_their_lines_a_page_at_a_time(browsing):
    asked = {"folder": browsing.root.as_uri(), "search": "price in cents", "counts": {"search": 2}}
    said = await ask(browsing, "companion/memory", asked)
    *rows, more = said["rows"][0]["rows"]
    assert (said["rows"][0]["id"], len(rows), more["opens"]) == ("search", 2, ["more", "search"])
    every = await ask(browsing, "companion/memory", asked | {"counts": {"search": 500}})
    found = [row for row in every["rows"][0]["rows"] if row["sort"] == "file"]
    assert found, "not memories alone are found"
    assert all(row["uri"] and row["line"] and row["tooltip"] for row in found)
    none = await ask(browsing, "companion/memory", asked | {"search": "zebra xylophone quux"})
    assert none["rows"][0]["id"] == "search"


@pytest.mark.asyncio(loop_scope="module")
async def test_what_was_chosen_in_now_is_one_context_of_just_that(browsing):
    now = await ask(browsing, "companion/now", {"uri": browsing.uri(PRICE)})
    chosen = [row["id"] for row in items(now) if "item" in row["context"].split()][:2]
    signals = {"current_file": PRICE, "only": chosen}
    said = (await verb(browsing, "assemble", budget=8_000, signals=signals, order="assistants"))["result"]
    put = {item["id"] for tier in said["tiers"].values() for item in tier["items"]}
    assert len(chosen) == 2
    assert put == set(chosen)
    assert said["context"].startswith("# Context for shop")


@pytest.mark.asyncio(loop_scope="module")
async def test_a_smaller_budget_holds_and_zero_leaves_nothing(browsing):
    for budget in (0, 300):
        said = await ask(browsing, "companion/now", {"uri": browsing.uri(PRICE), "budget": budget})
        assert said["tokens"] <= budget == said["budget"]


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize(
    ("method", "params", "names"),
    [
        ("companion/now", {"budget": -1}, "budget"),
        ("companion/now", {"budget": "many"}, "budget"),
        ("companion/now", {"uri": 5}, "uri"),
        ("companion/now", {"uri": "x" * 20_000}, "uri"),
        ("companion/now", {"planet": "mars"}, "planet"),
        ("companion/now", [1], "must be"),
        ("companion/now", {}, "No folder"),
        ("companion/ask", {}, "verb"),
        ("companion/ask", {"verb": "rebuild", "folder": "file:///"}, "rebuild"),
        ("companion/ask", {"verb": "x" * 50}, "verb"),
    ],
)
async def test_what_cannot_be_asked_is_refused_at_the_door_in_words_that_name_it(browsing, method, params, names):
    wrong = (await ask(browsing, method, params))["error"]
    assert set(wrong) == {"message", "hint", "sort"}
    assert names in wrong["message"]
    assert wrong["sort"] == "UsageError"
    assert wrong["hint"]


@pytest.mark.asyncio(loop_scope="module")
async def test_a_verb_says_which_field_of_its_ask_is_off(browsing):
    wrong = (await verb(browsing, "search", query={"text": 5}))["error"]
    assert "query.text" in wrong["message"]
    wrong = (await verb(browsing, "settle", id="x1nowhere", resolution="a_wins"))["error"]
    assert wrong["hint"]


@pytest.mark.asyncio(loop_scope="module")
async def test_a_folder_that_is_no_repository_and_a_document_that_is_no_file_are_named(browsing, tmp_path):
    (tmp_path / "plain").mkdir()
    for params in ({"folder": (tmp_path / "plain").as_uri()}, {"uri": "untitled:Untitled-1"}, {"folder": "http://x/"}):
        wrong = (await ask(browsing, "companion/now", params))["error"]
        assert wrong["sort"] == "NotARepository"
        assert wrong["hint"]
    beside = {"uri": "untitled:Untitled-1", "folder": browsing.root.as_uri()}
    assert (await ask(browsing, "companion/now", beside))["file"] == "", (
        "the folder is meant where the document is none"
    )


@pytest.mark.asyncio(loop_scope="module")
async def test_a_repository_that_was_never_read_is_an_answer_and_no_question(unread):
    editor = await unread.edit()
    folder = {"folder": editor.root.as_uri()}
    why = {"verb": "why", "ask": {"path": "a.py", "line": 1}}
    for method, params in (("companion/now", folder), ("companion/memory", folder), ("companion/ask", folder | why)):
        wrong = (await ask(editor, method, params))["error"]
        assert wrong["sort"] == "NotReadYet"
        assert "init" in wrong["hint"]
    assert await ask(editor, "companion/repositories", {}) == {
        "repositories": [{"root": editor.root.as_uri(), "name": "fresh"}]
    }
    assert not editor.asked, "who asks shows it where it asked"


@pytest.mark.asyncio(loop_scope="module")
async def test_verbs_answer_as_the_api_does_and_what_changed_is_told_to_those_who_ask(own):
    changed = []
    own.client.protocol.fm.features.pop("companion/changed", None)
    own.client.feature("companion/changed")(lambda params: changed.append(plain(params)))
    said = await verb(own, "remember", note={"text": f"Never sell on Sundays. {HOSTILE}", "pinned": True})
    kept = said["result"]
    assert kept["draft"]["pinned"]
    assert said["notices"] == []
    await until(lambda: {"root": own.root.as_uri(), "what": "remember"} in changed)

    (hit,) = (await verb(own, "search", query={"text": "sell on Sundays", "limit": 1}))["result"]
    assert hit["memory"]["id"] == kept["id"]
    assert "\x1b" not in json.dumps(hit)
    assert "\u202e" not in hit["memory"]["draft"]["levels"]["full"]
    document = await command(own, "companion.expand", id=kept["id"])
    assert "<img src=x" in document["text"]
    assert "command:evil" not in document["text"], "no link to a command of the editor is left"
    outside = {"folder": own.root.parent.as_uri(), "id": kept["id"]}
    assert "is not a git repository" in plain(await own.run("companion.expand", outside))["error"]
    now = await ask(own, "companion/now", {"folder": own.root.as_uri()})
    (pinned,) = [row for row in items(now) if row["id"] == kept["id"]]
    assert (pinned["icon"], "pinned" in pinned["context"].split()) == ("pinned", True)
    await verb(own, "pin", id=kept["id"], on=False)
    await until(lambda: any(one["what"] == "pin" for one in changed))
    gone = (await verb(own, "pin", id="m1ffffffffffff", on=True))["error"]
    assert gone["sort"] == "UnknownMemory"


@pytest.mark.asyncio(loop_scope="module")
async def test_who_never_asked_is_told_nothing(desk):
    editor = await desk.edit(environment=NEVER)
    told = []
    editor.client.feature("companion/changed")(lambda params: told.append(plain(params)))
    editor.open("setup.cfg")
    await editor.hover_at_last("setup.cfg", 1)
    (one,) = {one.data["id"] for one in await editor.pull_at_last("setup.cfg")}
    verdict = {"verb": "settle", "ask": {"id": one, "resolution": "a_wins"}}
    await editor.run("companion.ask", {"uri": editor.uri("setup.cfg"), **verdict})
    assert await editor.pull("setup.cfg") == []
    assert not told


@pytest.mark.asyncio(loop_scope="module")
async def test_both_sides_of_a_contradiction_are_documents_with_their_evidence(browsing):
    said = await verb(browsing, "contradictions")
    (one,) = said["result"]
    now = await ask(browsing, "companion/now", {"uri": browsing.uri("setup.cfg")})
    (shown_as,) = [row["label"] for row in items(now) if row["id"] == one["id"]]
    assert shown_as == said["rows"][0]["label"], "who chooses from them reads the same"
    assert " ↔ " in shown_as, "it is called by what both sides say"
    assert "[" not in shown_as
    older, newer = [
        await content(browsing, VirtualDocument(sort, one["id"], browsing.root).uri()) for sort in ("older", "newer")
    ]
    assert older != newer
    assert {"pyproject.toml:3", "setup.cfg:2"} == {
        word.rstrip(":") for text in (older, newer) for word in text.split() if word.startswith(("pyproject", "setup."))
    }
    assert "may have been resolved" in await content(browsing, VirtualDocument("older", "x1gone", browsing.root).uri())
    assert "m1gone" in await content(browsing, VirtualDocument("memory", "m1gone", browsing.root).uri())


@pytest.mark.asyncio(loop_scope="module")
async def test_where_the_store_has_no_daemon_there_is_no_page_and_that_is_said(browsing):
    wrong = (await ask(browsing, "companion/page", {"folder": browsing.root.as_uri()}))["error"]
    assert "background service" in wrong["message"]
    assert wrong["hint"]


@pytest.mark.asyncio(loop_scope="module")
async def test_a_document_is_found_by_its_uri_as_vs_code_writes_it(browsing):
    written = VirtualDocument(WHY, PRICE, browsing.root, 2).uri()
    assert await content(browsing, as_vs_code(written)) == await content(browsing, written)


def as_vs_code(uri):
    """A URI after VS Code has read and written it: what stands after the question mark is decoded and encoded anew."""
    parts = urlsplit(uri)
    return f"{parts.scheme}://{quote(unquote(parts.path))}?{quote(unquote(parts.query), safe='/')}"


NAMES = st.text(st.characters(exclude_characters="\0", exclude_categories=("Cs",)), min_size=1, max_size=30)


@given(st.sampled_from(sorted(SORTS)), NAMES, NAMES, st.integers(1, 10**6))
def test_every_document_has_a_uri_that_leads_back_to_it(sort, subject, folder, line):
    wanted = VirtualDocument(
        sort, subject.replace("\\", ""), Path("/r") / folder.replace("\\", ""), line if sort == WHY else 1
    )
    assert wanted_of(wanted.uri()) == wanted
    assert wanted_of(as_vs_code(wanted.uri())) == wanted


def test_a_row_is_drawn_with_every_sign_of_markdown_taken_literally_and_nothing_outside_is_opened(tmp_path):
    lines = (HOSTILE, f"- {HOSTILE}", "# no heading\n> no quote\n1. no list\n--- no rule")
    row = ListRow("m1ab", "decision", HOSTILE, "why", lines, HOSTILE, file="../outside.py", line=3)
    shown = drawn(row, tmp_path, NOW)
    assert "uri" not in shown, "what lies outside of the repository is not opened"
    assert shown["context"] == "item decision memory loose"
    tooltip = shown["tooltip"]
    assert not re.search(r"(?<!\\)[<[`]", tooltip)
    assert not re.search(r"(?m)^(#|>|\d+\.|---)", tooltip)
    assert tooltip.count("\n- ") == 1, "our own lists stay lists"
    assert all(
        len(line) <= asks.TEXT_CHARACTERS for line in asks.cut([HOSTILE * 9_000, {"deep": ["a" * 9_000]}])[1]["deep"]
    )


def test_what_a_row_is_read_aloud_as_says_what_its_icon_and_marks_say(tmp_path):
    row = ListRow("m1ab", "error", "Fix it", "by Ann", word="fix", at=NOW - timedelta(days=60), marks=("pinned",))
    shown = drawn(row, tmp_path, NOW)
    assert shown["spoken"] == "Fix it, fix, pinned, 2 months ago · by Ann"
    assert (shown["description"], shown["icon"]) == ("2 months ago · by Ann", "pinned")
    group = drawn(ListRow("past", "group", "Past", "1", ("What happened here.", "1 item"), rows=(row,)), tmp_path, NOW)
    assert (group["spoken"], group["fold"]) == ("Past, 1. What happened here. 1 item.", "expanded")
    assert drawn(ListRow("topic:money", "topic", "money"), tmp_path, NOW)["opens"] == ("search", "money")
    assert drawn(ListRow("x", "of tomorrow", "a"), tmp_path, NOW)["icon"] == "note"


@pytest.mark.parametrize(
    ("label", "head", "rest"),
    [
        ("Round each price", "Round each price", ""),
        ("Python 3.11 or newer is required.", "Python 3.11 or newer is required", ""),
        ("Don't do infinite retries on server-canceled calls", "Don't do infinite retries", "on server-canceled calls"),
        ("Clear the cache, so that no price is of yesterday", "Clear the cache,", "so that no price is of yesterday"),
        ("Prices have two digits (behind the decimal point)", "Prices have two digits", "(behind the decimal point)"),
        ("Take out the lock (it was held, twice)", "Take out the lock", "(it was held, twice)"),
        ("Tests call only what is public of a module", "Tests call only what is public", "of a module"),
        ("no joint stands early enough to part this one", "no joint stands early enough", "to part this one"),
        ("If necessary, new unit tests have been added", "If necessary, new unit tests", "have been added"),
        ("proxy: fix broken sampling in random policies", "proxy: fix broken sampling", "in random policies"),
        ("proxy: api: remove the misleading value", "proxy: api: remove the", "misleading value"),
        ("Indent javascript, json, yaml with 2 spaces", "Indent javascript, json, yaml", "with 2 spaces"),
        ("words words words words words words words", "words words words words words", "words words"),
        ("x" * 80, "x" * 80, ""),
    ],
)
def test_a_long_label_is_parted_where_a_phrase_ends_and_nothing_of_it_is_lost(label, head, rest, tmp_path):
    shown = drawn(ListRow("m1ab", "episode", label, "by Ann"), tmp_path, NOW)
    assert (shown["label"], shown["description"]) == (head, " · ".join(filter(None, (rest, "by Ann"))))
    assert shown["tooltip"].startswith(f"**{label.split('(')[0].split(chr(39))[0][:4]}")
    assert shown["spoken"].startswith(label), "who hears it hears all of it"
    for sort in ("file", "step"):
        whole = drawn(ListRow("a", sort, label), tmp_path, NOW)["label"]
        assert whole == label, "neither a name nor a step of a story, whose panel is wide, is ever parted"


def test_an_icon_stands_only_where_the_group_does_not_say_it_already(tmp_path):
    rules = ListRow(
        "rules", "group", "Rules", rows=(ListRow("m1", "fact", "a"), ListRow("m2", "fact", "b", marks=("pinned",)))
    )
    assert [row["icon"] for row in drawn(rules, tmp_path, NOW)["rows"]] == ["", "pinned"]
    found = ListRow("search", "group", "Search", rows=(ListRow("m1", "decision", "a"), ListRow("c", "commit", "b")))
    assert [row["icon"] for row in drawn(found, tmp_path, NOW)["rows"]] == ["law", "git-commit"]


def test_a_hit_in_a_file_is_shown_as_a_preview_at_its_lines(tmp_path):
    (tmp_path / "a.go").write_text("package a\n")
    hit = ListRow("file:a.go", "file", "Get()", file="a.go", line=12, last=20)
    (row,) = drawn(ListRow("search", "group", "Search", rows=(hit,)), tmp_path, NOW)["rows"]
    assert (row["opens"][0], row["line"], row["last"]) == ("preview", 12, 20)
    assert drawn(hit, tmp_path, NOW)["opens"][0] == "source"


def test_the_address_of_a_memory_names_it_for_the_tab_and_leads_to_the_memory():
    uri = VirtualDocument("memory", "m1ab", Path("/r"), title="Fix: a/b?\\ #1 <x>").uri()
    assert uri == "companion:///memory/m1ab/Fix%20%20a%20b%20%20%201%20%20x.md?root=/r"
    assert wanted_of(uri) == wanted_of(as_vs_code(uri)) == VirtualDocument("memory", "m1ab", Path("/r"))


def test_the_tab_of_a_line_or_a_context_says_what_it_shows():
    assert (
        VirtualDocument(WHY, "a/b.py", Path("/r"), 7).uri()
        == "companion:///why/a/b.py/Why%20line%207.md?line=7&root=/r"
    )
    folder = VirtualDocument("context", "", Path("/r"))
    assert folder.uri() == "companion:///context/Context.md?root=/r"
    assert wanted_of(folder.uri()) == folder


@given(NAMES, st.sampled_from(["m1ab", "abcdefabcd" * 4]))
def test_a_link_in_why_a_line_is_as_it_is_leads_to_what_is_behind_it(folder, id_):
    why = VirtualDocument(WHY, f"{folder.replace(chr(92), '')}/b.py", Path("/r"), 7)
    path, _, query = why.uri().partition("?")
    followed = f"{urljoin(path.replace('companion', 'http', 1), why.way_to(id_))}?{query}".replace(
        "http", "companion", 1
    )
    assert wanted_of(followed) == VirtualDocument("memory", id_, Path("/r"), 7), "an editor keeps the query"


def test_every_verb_that_can_be_asked_is_one_of_the_api():
    listed = [*asks.LISTS, *asks.LOOKS, *asks.ACTS]
    assert len(listed) == len(set(listed))
    assert set(listed) <= {verb.name for verb in VERBS}


@pytest.mark.asyncio(loop_scope="module")
async def test_a_side_that_several_say_is_one_entry_whose_document_names_them(desk):
    npm, *pnpm = (
        "The packages are installed by npm in every folder.",
        "We install packages with pnpm.",
        "We use pnpm to install the packages.",
    )
    for command in (*(("remember", text) for text in (pnpm[0], npm, pnpm[1])), ("consolidate",)):
        assert desk.run(*command, **NEVER).returncode == 0
    editor = await desk.edit()
    open_ = (await verb(editor, "contradictions"))["result"]
    (one,) = [one for one in open_ if npm in [one[side]["draft"]["levels"]["full"] for side in "ab"]]
    side = "older" if one["also_a"] else "newer"
    assert len(one[f"also_{'a' if side == 'older' else 'b'}"]) == 1
    shown = await content(editor, VirtualDocument(side, one["id"], editor.root).uri())
    assert "## 1 more that says the same" in shown
    assert all(text in shown for text in pnpm)
