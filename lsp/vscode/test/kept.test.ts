import assert from "node:assert/strict";
import { test } from "node:test";
import { ago, kept, shownAgain } from "../src/kept";
import type { Item, Now } from "../src/wire";

const ROOT = "file:///home/me/a%20shop";

function item(kind: string, title: string): Item {
    const told = { id: title, title, text: title, section: "", level: "full", tokens: 9, reason: "", reasons: [] };
    return { ...told, kind, source: "", age: "2 days ago", pinned: false, opens: "" };
}

function now(file: string, ...items: Item[]): Now {
    const tiers = [{ name: "critical", tokens: 90, share: 100, items }];
    return { root: ROOT, name: "shop", tokens: 90, budget: 8000, activity: "", file, tiers, notices: ["old"] };
}

test("what was said or learned is not kept beside the store", () => {
    const all = ["decision", "fact", "episode", "person", "question", "contradiction", "topic", "error", "memory"];
    const items = [...all.map((kind) => item(kind, `secret ${kind}`)), item("file", "shop/price.py")];
    const found = kept(now("", ...items, item("history", "Round prices")), 7, "0.1.0");
    assert.ok(!JSON.stringify(found).includes("secret"));
    assert.deepEqual(
        found.now.tiers[0]?.items.map((one) => [one.title, one.text, one.age]),
        [
            ["shop/price.py", "", ""],
            ["Round prices", "", ""],
        ],
    );
});

test("what was kept is shown for the file that it is about, or where none is in front", () => {
    const last = kept(now("shop/price.py", item("file", "shop/cart.py")), 7, "0.1.0");
    for (const front of [undefined, `${ROOT}/shop/price.py`, "file:///home/me/a shop/shop/price.py"]) {
        assert.equal(shownAgain(last, "0.1.0", front), last, front);
    }
    for (const front of [`${ROOT}/shop/cart.py`, "file:///home/%zz", ROOT]) {
        assert.equal(shownAgain(last, "0.1.0", front), undefined, front);
    }
});

test("nothing is shown of another version, of an empty context or of nonsense", () => {
    const last = kept(now("", item("file", "shop/cart.py")), 7, "0.1.0");
    assert.equal(shownAgain(last, "0.2.0", undefined), undefined);
    assert.equal(shownAgain(kept(now("", item("fact", "a")), 7, "0.1.0"), "0.1.0", undefined), undefined);
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
