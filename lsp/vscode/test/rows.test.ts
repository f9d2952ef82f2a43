import assert from "node:assert/strict";
import { test } from "node:test";
import { isInside, virtual } from "../src/views/documents";
import { clean, escaped, iconless, many, oneLine } from "../src/views/plain";
import { iconOf, itemRow, LABEL_CHARACTERS, noticeRow, rootRow, tierRow, tiersShown } from "../src/views/rows";
import type { Item, Now } from "../src/wire";

const HOSTILE =
    "\x1b[31m<img src=x onerror=alert(1)> ![x](http://evil/x.png) [y](command:evil) \u202eesrever\u2066 $(trash) `|#";
const ITEM: Item = {
    id: "m1ab",
    title: "Prices are integer cents",
    text: "Prices are integer cents, because floats lose some.",
    kind: "decision",
    section: "Decisions",
    level: "summary",
    tokens: 1_234,
    reason: "about price.py",
    reasons: ["about price.py", "pinned"],
    source: "docs/adr/0001.md:3",
    age: "2 weeks ago",
    pinned: false,
    opens: "companion:///memory/m1ab.md?root=/r",
    uri: "file:///r/docs/adr/0001.md",
    line: 3,
};

test("an item says its level, its tokens and why it is there, to the eye and to the ear", () => {
    const row = itemRow(ITEM);
    assert.equal(row.label, "Prices are integer cents");
    assert.equal(row.description, "1,234 · summary · about price.py");
    assert.equal(
        row.spoken,
        "Prices are integer cents, decision, summary, 1,234 tokens, because about price.py",
        "nothing is said by an icon alone",
    );
    assert.match(row.tooltip, /2 weeks ago/);
    assert.equal(row.icon, "law");
});

test("menus know what can be done with an item", () => {
    assert.equal(itemRow(ITEM).context, "item decision memory loose source whole");
    assert.equal(itemRow({ ...ITEM, pinned: true }).context, "item decision memory pinned source whole");
    const { uri: _uri, line: _line, ...bare } = ITEM;
    assert.equal(itemRow({ ...bare, id: "topic:money", kind: "topic", opens: "" }).context, "item topic");
    assert.equal(itemRow({ ...ITEM, pinned: true }).icon, "pinned");
    assert.match(itemRow({ ...ITEM, pinned: true }).spoken, /, pinned,/);
});

test("a memory as long as a book, with markup, escapes and turned directions, is a short row of plain text", () => {
    const book = HOSTILE.repeat(1_000);
    const row = itemRow({
        ...ITEM,
        title: book,
        text: book,
        reason: book,
        reasons: [book],
        source: book,
        section: book,
    });
    assert.equal([...row.label].length, LABEL_CHARACTERS);
    for (const text of [row.label, row.description, row.tooltip, row.spoken]) {
        assert.ok(!/[\u001b\u202e\u2066]/u.test(text), text.slice(0, 200));
        assert.ok(text.length < 5_000, "it is short");
    }
    assert.ok(!/(?<!\\)[<[!`$]/.test(row.tooltip), "every sign of Markdown is taken literally");
    assert.ok(!/(?<!\\):\/\//.test(row.tooltip), "and no address becomes a link");
});

test("right to left text keeps its letters", () => {
    assert.equal(oneLine("\u202bשלום עולם\u202c", 20), "שלום עולם");
});

test("cutting never leaves half a sign", () => {
    assert.equal(oneLine("👩‍🚀".repeat(50), 5).endsWith("…"), true);
    assert.doesNotMatch(oneLine("😀".repeat(50), 5), /[\ud800-\udbff](?![\udc00-\udfff])/);
});

test("icons of VS Code are text in quick picks and in the status bar", () => {
    assert.equal(iconless("$(trash) a"), "\\$(trash) a");
    assert.equal(escaped("$(trash)"), "\\$\\(trash\\)");
    assert.equal(clean("a\u0000b\r\nc"), "ab\nc");
});

test("a share tells what it takes, what it may take and how many items it holds", () => {
    const tier = { name: "critical", tokens: 1_204, share: 2_400, items: [ITEM] };
    assert.equal(tierRow(tier).description, "1,204 tokens · 1 item");
    assert.equal(tierRow(tier).opens, "expanded");
    assert.equal(tierRow({ ...tier, name: "index" }).opens, "collapsed");
    assert.deepEqual(
        [tierRow({ ...tier, items: [] }).description, tierRow({ ...tier, items: [] }).opens],
        ["nothing is sure to be needed", "never"],
    );
    assert.equal(tierRow({ ...tier, name: "later" }).label, "later", "a tier of a newer server is shown by its name");
});

test("repositories stand apart by their names, and a kind nobody knows has an icon", () => {
    const now: Now = {
        root: "file:///r",
        name: "r",
        tokens: 5,
        budget: 8_000,
        activity: "",
        file: "",
        tiers: [],
        notices: [],
    };
    assert.equal(rootRow("r", now).description, "5 of 8,000 tokens");
    assert.equal(rootRow("r", undefined).opens, "collapsed");
    assert.equal(iconOf("of tomorrow"), "note");
    assert.equal(noticeRow("a\nb").label, "A b");
    assert.deepEqual([many(1, "memory", "memories"), many(2, "memory", "memories")], ["1 memory", "2 memories"]);
});

test("documents have the URIs that the language server writes", () => {
    assert.equal(virtual("memory", "m1ab", "file:///a%20b/r"), "companion:///memory/m1ab.md?root=/a%20b/r");
    assert.equal(virtual("memory", "file:a/b.py", "file:///r"), "companion:///memory/file%3Aa/b.py.md?root=/r");
    assert.equal(virtual("memory", "m1", "file:///r", "Fix: a/b"), "companion:///memory/m1/Fix%20%20a%20b.md?root=/r");
    assert.equal(virtual("older", "x1", "file:///c%3A/r"), "companion:///older/x1.md?root=c%3A/r");
    assert.equal(virtual("older", "x1", "file://host/share"), "companion:///older/x1.md?root=//host/share");
});

test("evidence outside of the repository is not opened", () => {
    for (const path of ["", "/etc/passwd", "..", "a/../../b", "C:\\x", "c:/x", "\\\\host\\x", "a\\..\\..\\b"]) {
        assert.ok(!isInside(path), path);
    }
    assert.ok(isInside("src/a..b/..c.py"));
});

test("an empty share has no row, but for the first, which says what its emptiness means", () => {
    const tier = (name: string, ...items: Item[]): Now["tiers"][number] => ({ name, tokens: 0, share: 9, items });
    const shown = tiersShown([tier("critical"), tier("relevant"), tier("background", ITEM), tier("index")]);
    assert.deepEqual(
        shown.map((one) => one.name),
        ["critical", "background"],
    );
    assert.equal(tierRow(tier("critical")).spoken, "Critical, nothing is sure to be needed");
});
