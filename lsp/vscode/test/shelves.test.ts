import assert from "node:assert/strict";
import { test } from "node:test";
import type { Contradiction, Memory, Talk, Thread } from "../src/views/records";
import {
    entryRow,
    found,
    idOf,
    moreRow,
    namesOf,
    shelfRow,
    SHELVES,
    waits,
    type Page,
    type Shelf,
} from "../src/views/shelves";

const MEMORY: Memory = {
    id: "m1ab",
    created_at: "2026-01-05T00:00:00Z",
    status: "active",
    draft: {
        kind: "fact",
        type: "decision",
        subject: "money",
        value: "cents",
        origin: "",
        levels: {
            full: "Prices are integer cents.",
            summary: "Prices are integer cents.",
            compressed: "Integer cents",
        },
        evidence: [
            { kind: "commit", ref: "0123456789abcdef", line: null, quote: "" },
            { kind: "file", ref: "docs/adr/1.md", line: 3, quote: "" },
        ],
        scope: { language: "", path: "", environment: "", version: "", branch: "" },
        pinned: false,
    },
};
const THREAD: Thread = {
    id: "i1",
    type: "waiting-on",
    text: "Ann sends the prices",
    turn: 2,
    quote: "",
    details: { due: "2026-02-01" },
    conversation: "c1",
    touched_at: null,
    said_in: "talk of 5 November 2026",
};
const TALK: Talk = {
    id: "c1",
    state: "ready_to_close",
    started_at: "2026-01-05T10:00:00Z",
    source: "mcp",
    title: "",
    turns: 1,
    unseen: false,
};

function shelf(name: string): Shelf {
    const one = SHELVES.find((known) => known.name === name);
    assert.ok(one);
    return one;
}

/** What a shelf holds when the owner answers this, and what the owner was asked. */
async function loaded(of: Shelf, answer: unknown, count: number): Promise<{ page: Page; asked: unknown[] }> {
    const asked: unknown[] = [];
    const page = await of.load(<R>(verb: string, ask: object) => {
        asked.push(verb, ask);
        return Promise.resolve(answer as R);
    }, count);
    return { page, asked };
}

test("a search shows a page and knows whether there is more", async () => {
    const hits = [1, 2, 3].map((at) => ({
        memory: { ...MEMORY, id: `m${at}` },
        score: 1,
        reasons: [{ says: "by words" }],
    }));
    const { page, asked } = await loaded(found("cents"), hits, 2);
    assert.deepEqual(asked, ["search", { query: { text: "cents", limit: 3 } }]);
    assert.deepEqual([page.entries.map(idOf), page.more], [["m1", "m2"], true]);
    assert.equal(shelfRow(found("cents"), page).description, "first 2");
    assert.match(entryRow(page.entries[0]!).description, /by words/);
});

test("decisions come a page at a time with their number, newest first", async () => {
    const answer = { happened: [{ at: "", memory: MEMORY }], more_before: true, months: [{ count: 40 }, { count: 2 }] };
    const { page, asked } = await loaded(shelf("decisions"), answer, 1);
    assert.deepEqual(asked, ["timeline", { query: { kinds: ["fact"], types: ["decision"], limit: 1 } }]);
    assert.equal(shelfRow(shelf("decisions"), page).description, "42");
    assert.equal(moreRow(page).description, "41 more");
    const row = entryRow(page.entries[0]!);
    assert.deepEqual([row.label, row.icon, row.description], ["Integer cents", "law", "commit 0123456789"]);
    assert.equal(row.context, "item memory loose whole source decision");
});

test("only conversations that wait for their user are listed for review", async () => {
    assert.ok(waits(TALK) && waits({ ...TALK, state: "archived", unseen: true }));
    assert.ok(!waits({ ...TALK, state: "active" }) && !waits({ ...TALK, state: "archived" }));
    const { page } = await loaded(shelf("review"), [TALK, { ...TALK, id: "c2", state: "active" }], 30);
    assert.deepEqual(page.entries.map(idOf), ["c1"]);
    assert.equal(entryRow(page.entries[0]!).label, "Conversation without a title");
});

test("contradictions are cut to a page, threads are asked for one more than is shown", async () => {
    const one: Contradiction = {
        ...{ id: "x1", a: MEMORY, b: MEMORY, reason: "cents or floats", confidence: 1, detected_at: "", merged: "" },
        ...{ also_a: [], also_b: [], scope_a: null, scope_b: null },
    };
    const open = await loaded(shelf("contradictions"), [one, { ...one, id: "x2" }], 1);
    assert.deepEqual([open.page.entries.length, open.page.more, open.page.total], [1, true, 2]);
    assert.match(entryRow(open.page.entries[0]!).spoken, /One side: Prices are integer cents\. The other/);
    const threads = await loaded(shelf("threads"), [THREAD], 1);
    assert.deepEqual([threads.asked[1], threads.page.total], [{ limit: 2 }, 1]);
    assert.equal(entryRow(threads.page.entries[0]!).description, "waiting on · due 2026-02-01");
    const late = entryRow({ sort: "thread", thread: { ...THREAD, details: { overdue_since: "2026-01-31" } } });
    assert.equal(late.description, "waiting on · overdue since 2026-01-31");
    assert.match(late.tooltip, /talk of 5 November 2026/);
});

test("a contradiction is called by what its sides say and where, not by who found it", () => {
    const says = (text: string): Memory => ({
        ...MEMORY,
        draft: { ...MEMORY.draft, levels: { ...MEMORY.draft.levels, compressed: text } },
    });
    const one: Contradiction = {
        ...{ id: "x1", a: says("min python: 3.10"), b: says("min python: 3.8"), reason: "r", confidence: 1 },
        ...{ also_a: [], also_b: [], detected_at: "", merged: "", scope_a: null, scope_b: null },
    };
    assert.deepEqual(namesOf(one), ["min python: 3.10", "3.8"]);
    assert.deepEqual(namesOf({ ...one, b: says("Integers") }), ["min python: 3.10", "Integers"]);
    const words = { ...one, a: says("Tickets live in Jira."), b: says("Tickets live in Linear.") };
    assert.deepEqual(namesOf(words), ["Tickets live in Jira.", "Tickets live in Linear."]);
    const row = entryRow({ sort: "contradiction", one });
    assert.deepEqual([row.label, row.description], ["min python: 3.10 ↔ 3.8", "commit 0123456789 ↔ commit 0123456789"]);
    assert.doesNotMatch(row.spoken, /the same/);
});

test("a contradiction whose side several say is one entry that tells how many", async () => {
    const readme: Memory = {
        ...MEMORY,
        draft: { ...MEMORY.draft, evidence: [{ kind: "file", ref: "README.md", line: 3, quote: "" }] },
    };
    const one: Contradiction = {
        ...{ id: "x1", a: MEMORY, b: MEMORY, also_a: [readme, MEMORY], also_b: [readme], reason: "r", confidence: 1 },
        ...{ detected_at: "", merged: "", scope_a: null, scope_b: null },
    };
    const { page } = await loaded(shelf("contradictions"), [one], 30);
    const [row, ...others] = page.entries.map(entryRow);
    assert.deepEqual(others, []);
    assert.equal(
        row?.description,
        "commit 0123456789 and 2 that say the same ↔ commit 0123456789 and 1 that says the same",
    );
    assert.match(row?.spoken ?? "", /and 2 that say the same The other: .* and 1 that says the same$/);
    assert.equal(row?.tooltip.match(/ {2}- README\.md/g)?.length, 2);
});

test("an empty shelf says so in words", async () => {
    for (const name of ["review", "contradictions", "threads"]) {
        const { page } = await loaded(shelf(name), [], 30);
        assert.deepEqual([page.entries, page.more], [[], false]);
        assert.ok(shelf(name).empty.endsWith("."));
        const row = shelfRow(shelf(name), page);
        assert.deepEqual([row.description, row.opens], ["none", "never"]);
    }
});
