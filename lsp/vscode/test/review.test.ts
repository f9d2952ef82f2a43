import assert from "node:assert/strict";
import { test } from "node:test";
import { dropped, linesOf, transcriptOf, type Act, type Preview } from "../src/review/preview";
import { isEverywhere, isParted, offersOf, scopeOf, scopeWrong, typedOf, verdictOf } from "../src/review/verdict";
import type { Contradiction, Memory, Scope } from "../src/views/records";

const NOWHERE: Scope = { language: "", path: "", environment: "", version: "", branch: "" };
const ACTS: readonly Act[] = [
    { id: "a1", name: "Your Story", project: "", permanent: true },
    { id: "a2", name: "shop", project: "p", permanent: false },
];
const PREVIEW: Preview = {
    conversation: {
        ...{ id: "c1", state: "ready_to_close", started_at: "2026-01-05T10:00:00Z", source: "mcp" },
        ...{ title: "Money \x1b[31m", turns: 4, unseen: false },
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

function memory(text: string): Memory {
    return {
        id: text,
        created_at: "",
        status: "active",
        draft: {
            ...{
                kind: "fact",
                type: "",
                subject: "",
                value: text,
                origin: "",
                evidence: [],
                scope: NOWHERE,
                pinned: false,
            },
            levels: { full: text, summary: text, compressed: text },
        },
    };
}

const CONTRADICTION: Contradiction = {
    ...{ id: "x1", a: memory("old"), b: memory("new"), reason: "r", confidence: 1, detected_at: "" },
    ...{ also_a: [], also_b: [], scope_a: null, scope_b: null, merged: "" },
};

test("a review offers all that can be done with it, the most usual first", () => {
    const lines = linesOf(PREVIEW, ACTS);
    const does = lines.map((line) => line.choice?.does);
    assert.deepEqual(does.slice(0, 6), ["confirm", "suggestion", "redirect", "split", "drop", "transcript"]);
    assert.deepEqual(does.slice(-2), ["item", "item"]);
    assert.equal(lines.find((line) => line.choice?.does === "words")?.label, "For Your Story");
    assert.equal(lines[1]?.label, "Send It to shop");
    assert.match(lines.at(-1)?.detail ?? "", /^settles: said to be done/);
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

test("a side that several say is settled for all of them, and says so", () => {
    const twins = { ...CONTRADICTION, also_a: [memory("old"), memory("old")] };
    assert.deepEqual(
        offersOf(twins)
            .slice(0, 2)
            .map((offer) => offer.detail),
        ["said by hand · old · and 2 that say the same", "said by hand · new"],
    );
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

test("each of the four verdicts is asked as the owner takes it", () => {
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
        offersOf({ ...CONTRADICTION, scope_a: a, scope_b: b }).map((offer) => offer.detail),
        [
            "said by hand · old",
            "said by hand · new",
            "By their own words: deploy and ci",
            "You say what is true instead",
        ],
    );
});
