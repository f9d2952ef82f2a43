import assert from "node:assert/strict";
import { test } from "node:test";
import { ago, kept, shownAgain } from "../src/kept";
import type { Now, Row } from "../src/wire";

const ROOT = "file:///home/me/a%20shop";

function row(sort: string, label: string): Row {
    const drawn = {
        description: "",
        icon: "",
        spoken: label,
        context: "item",
        fold: "never",
        opens: ["", ""],
    } as const;
    return { ...drawn, id: label, sort, label, text: `all of ${label}`, tooltip: `all of ${label}`, rows: [] };
}

function now(file: string, ...rows: Row[]): Now {
    const groups = [{ ...row("group", "Places"), rows }];
    return { root: ROOT, name: "shop", tokens: 90, budget: 8000, activity: "", file, rows: groups, notices: ["old"] };
}

test("what was said or learned is not kept beside the store", () => {
    const all = ["decision", "fact", "episode", "person", "question", "contradiction", "topic", "error", "memory"];
    const rows = [...all.map((sort) => row(sort, `secret ${sort}`)), row("file", "shop/price.py")];
    const found = kept(now("", ...rows, row("history", "Round prices")), 7, "0.1.0");
    assert.ok(!JSON.stringify(found.now.rows[0]?.rows).includes("secret"));
    assert.deepEqual(
        found.now.rows[0]?.rows.map((one) => [one.label, one.text, one.tooltip]),
        [
            ["shop/price.py", "", ""],
            ["Round prices", "", ""],
        ],
    );
});

test("what was kept is shown for the file that it is about, or where none is in front", () => {
    const last = kept(now("shop/price.py", row("file", "shop/cart.py")), 7, "0.1.0");
    for (const front of [undefined, `${ROOT}/shop/price.py`, "file:///home/me/a shop/shop/price.py"]) {
        assert.equal(shownAgain(last, "0.1.0", front), last, front);
    }
    for (const front of [`${ROOT}/shop/cart.py`, "file:///home/%zz", ROOT]) {
        assert.equal(shownAgain(last, "0.1.0", front), undefined, front);
    }
});

test("nothing is shown of another version, of an empty context or of nonsense", () => {
    const last = kept(now("", row("file", "shop/cart.py")), 7, "0.1.0");
    assert.equal(shownAgain(last, "0.2.0", undefined), undefined);
    assert.equal(shownAgain(kept(now("", row("fact", "a")), 7, "0.1.0"), "0.1.0", undefined), undefined);
    for (const nonsense of [undefined, null, 7, "x", [], {}, { by: "0.1.0" }, { by: "0.1.0", now: [] }]) {
        assert.equal(shownAgain(nonsense, "0.1.0", undefined), undefined);
    }
});

test("how long ago something was is said as people say it", () => {
    const minute = 60_000;
    const said = [0, 1, 2, 59, 60, 150, 24 * 60, 47 * 60, 48 * 60, -5].map((one) => ago(0, one * minute));
    assert.deepEqual(said, [
        "a moment ago",
        "a moment ago",
        "2 minutes ago",
        "59 minutes ago",
        "an hour ago",
        "2 hours ago",
        "yesterday",
        "yesterday",
        "2 days ago",
        "a moment ago",
    ]);
});
