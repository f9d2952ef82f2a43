import assert from "node:assert/strict";
import { test } from "node:test";
import { Failure } from "../src/failure";
import { grouped, lacks, NO_REPOSITORY, NOT_READ, short, shown, type Standing } from "../src/standing";
import type { Row } from "../src/wire";

const NOW = { root: "", name: "", tokens: 3214, budget: 8000, activity: "", file: "a.py", rows: [], notices: [] };
const READY: Standing = {
    state: "running",
    trouble: undefined,
    reading: undefined,
    failure: undefined,
    now: NOW,
    quiet: false,
};

test("the status item shows tokens when it is ready, and reads them out in full", () => {
    assert.equal(shown(READY)?.text, "$(book) 3.2k tokens");
    const said = "Companion is ready: an assistant gets 3,214 of 8,000 tokens for a.py.";
    assert.equal(shown(READY)?.sentence, `${said} Click for a menu.`);
    assert.match(shown({ ...READY, quiet: true })?.sentence ?? "", /Quiet is on: nothing is shown on its own\./);
});

test("every state has a sign of its own and a sentence that says it without the sign", () => {
    const standings: Standing[] = [
        READY,
        { ...READY, now: undefined, failure: new Failure("Not read.", "", NOT_READ) },
        { ...READY, now: undefined, failure: new Failure("No repository.", "Open one.", "NotARepository") },
        { ...READY, reading: { title: "Companion reads flask", percent: 45.4, says: "5,531 commits" } },
        ...(["starting", "paused", "restricted"] as const).map((state) => ({ ...READY, state })),
        { ...READY, state: "failed", trouble: { sort: "noPython" } },
    ];
    const seen = standings.map((one) => shown(one));
    assert.equal(new Set(seen.map((one) => one?.text)).size, standings.length);
    assert.equal(new Set(seen.map((one) => one?.sentence)).size, standings.length);
    assert.ok(seen.every((one) => one !== undefined && !one.sentence.includes("$(")));
    assert.deepEqual(
        seen.map((one) => one?.warns),
        [false, false, false, false, false, false, false, true],
    );
});

test("until the first answer it is starting, and what it reads is one sentence", () => {
    assert.deepEqual(shown({ ...READY, now: undefined }), shown({ ...READY, state: "starting" }));
    const reading = { title: "Companion reads flask", percent: 45.4, says: "reading code; about 20 s left" };
    const said = "Companion reads flask 45 %: reading code; about 20 s left.";
    assert.equal(shown({ ...READY, reading })?.sentence, said);
});

test("an assistant's share is told by the name of the file and by what is in it", () => {
    const row = (label: string, description: string): Row => ({ ...({} as Row), label, description });
    const now = { ...NOW, file: "src/main/deep/a.py", rows: [row("Places", "6"), row("Past", "5")] };
    const said = shown({ ...READY, now })?.sentence ?? "";
    assert.match(said, /tokens for a\.py\. Places 6, Past 5: the view Now gives each its reason\./);
});

test("where nothing is open nothing is shown", () => {
    assert.equal(shown({ ...READY, state: "asleep" }), undefined);
});

test("what is lacking is told apart from what only went wrong", () => {
    const sorts = [NOT_READ, NO_REPOSITORY, "StoreHeld"].map((sort) => lacks(new Failure("No.", "", sort)));
    assert.deepEqual([...sorts, lacks(undefined)], ["reading", "repository", "", ""]);
});

test("counts are written as people read them", () => {
    assert.deepEqual([0, 999, 1000, 3299, 9999, 10_000, 123_456].map(short), [
        "0",
        "999",
        "1.0k",
        "3.2k",
        "9.9k",
        "10k",
        "123k",
    ]);
    assert.deepEqual([7, 1234, 1234567].map(grouped), ["7", "1,234", "1,234,567"]);
});
