import assert from "node:assert/strict";
import { test } from "node:test";
import { dropped, linesOf, transcriptOf, type Act, type Preview } from "../src/review/preview";
import {
    isEverywhere,
    isParted,
    offersOf,
    scopeOf,
    scopeWrong,
    typedOf,
    verdictOf,
    openOnes,
    type Contradiction,
    type Open,
    type Scope,
} from "../src/review/verdict";
import type { Row } from "../src/wire";

const NOWHERE: Scope = { language: "", path: "", environment: "", version: "", branch: "" };
const ACTS: readonly Act[] = [
    { id: "a1", name: "Your Story", project: "", permanent: true },
    { id: "a2", name: "shop", project: "p", permanent: false },
];
const PREVIEW: Preview = {
    conversation: {
        ...{ id: "c1", state: "ready_to_close", title: "Money \x1b[31m", turns: 4, unseen: false },
    },
    extraction: {
        items: [
            { id: "i1", type: "decision", text: "Cents", turn: 1, quote: "we take cents" },
            { id: "i2", type: "task", text: "Tell Ann", turn: 2, quote: "" },
        ],
        settles: [{ by: "i2", reason: "said to be done" }],
        suggestion: { act: "a2", confidence: 0.8, reason: "it names the shop" },
        notes: [],
    },
    parts: [{ act: "a1", narrative: "We take cents.", items: ["i1", "i2"] }],
    original: "",
};

function side(label: string, description = "told by hand"): Row {
    const drawn = { icon: "quote", spoken: label, context: "item side", fold: "never", tooltip: "", rows: [] } as const;
    return { ...drawn, id: label, sort: "side", label, description, text: label, opens: ["document", label] };
}

const CONTRADICTION: Contradiction = {
    ...{ id: "x1", a: { draft: { scope: NOWHERE } }, b: { draft: { scope: NOWHERE } } },
    ...{ scope_a: null, scope_b: null, merged: "" },
};

function open(one: Contradiction = CONTRADICTION, ...sides: Row[]): Open {
    const row = { ...side("old ↔ new"), rows: sides.length === 2 ? sides : [side("old"), side("new")] };
    const [found] = openOnes([one], [row]);
    assert.ok(found);
    return found;
}

test("a review offers all that can be done with it, the most usual first", () => {
    const lines = linesOf(PREVIEW, ACTS);
    const does = lines.map((line) => line.choice?.does);
    assert.deepEqual(does.slice(0, 6), ["confirm", "suggestion", "redirect", "split", "drop", "transcript"]);
    assert.deepEqual(does.slice(-2), ["item", "item"]);
    assert.equal(lines.find((line) => line.choice?.does === "words")?.label, "For Your Story");
    assert.equal(lines[1]?.label, "Send It to shop");
    assert.match(lines.at(-1)?.detail ?? "", /^resolves: said to be done/);
});

test("what is being put into memory can only be finished, an empty one archived or put in one's own words", () => {
    const under = { ...PREVIEW, conversation: { ...PREVIEW.conversation, state: "compressing" as const } };
    assert.deepEqual(
        linesOf(under, ACTS).flatMap((line) => (line.choice ? [line.choice.does] : [])),
        ["confirm", "transcript"],
    );
    const empty = { ...PREVIEW, parts: [], extraction: { ...PREVIEW.extraction, items: [] } };
    assert.equal(linesOf(empty, ACTS)[0]?.label, "Archive");
    assert.deepEqual(linesOf(empty, ACTS)[1]?.choice, { does: "words", part: 1 });
});

test("what is not marked any more is left out", () => {
    assert.deepEqual(dropped(PREVIEW.extraction.items, new Set(["i2"])), ["i1"]);
});

test("a transcript shows each side and hides nothing in it", () => {
    const said = transcriptOf([{ number: 1, messages: [{ role: "user", text: "a\u202eb\x1b[2Jc" }] }]);
    assert.equal(said, "## 1. user\n\nabc\n");
});

test("a side is offered by what it says, where, and how many say the same", () => {
    const twins = open(CONTRADICTION, side("old", "told by hand and 2 that say the same"), side("new"));
    assert.deepEqual(
        offersOf(twins)
            .slice(0, 2)
            .map((offer) => offer.detail),
        ["told by hand and 2 that say the same · old", "told by hand · new"],
    );
    assert.deepEqual(openOnes([CONTRADICTION], []), [], "one whose row did not come is not offered");
});

test("a scope is typed as on the command line", () => {
    assert.deepEqual(scopeOf("deploy, environment = ci"), { ...NOWHERE, path: "deploy", environment: "ci" });
    assert.equal(typedOf(scopeOf("environment=ci,path=a b")), "path=a b, environment=ci");
    assert.ok(isEverywhere(scopeOf(" , ")));
    for (const wrong of ["planet=mars", "path=", "=x"]) {
        assert.match(scopeWrong(wrong) ?? "", /^Write NAME=VALUE/, wrong);
    }
    assert.equal(scopeWrong("path=a,b"), undefined);
});

test("each of the four verdicts is asked as the daemon takes it", () => {
    const a = scopeOf("deploy");
    const b = scopeOf("environment=ci");
    assert.deepEqual(verdictOf(CONTRADICTION, "a_wins", " why ", { a, b, merged: "x" }), {
        ...{ id: "x1", resolution: "a_wins", note: "why", merged: "" },
        scopes: { a: null, b: null },
    });
    assert.deepEqual(verdictOf(CONTRADICTION, "both_valid", "", { a, b }).scopes, { a, b });
    assert.deepEqual(verdictOf(CONTRADICTION, "both_valid", "", { a, b: a }).scopes, { a: null, b: null });
    assert.equal(verdictOf(CONTRADICTION, "merged", "", { merged: " both " }).merged, "both");
    assert.ok(isParted(a, b) && !isParted(a, { ...a }));
    assert.deepEqual(
        offersOf(open({ ...CONTRADICTION, scope_a: a, scope_b: b })).map((offer) => offer.detail),
        [
            "told by hand · old",
            "told by hand · new",
            "By their own words: deploy and ci",
            "You say what is true instead",
        ],
    );
});
