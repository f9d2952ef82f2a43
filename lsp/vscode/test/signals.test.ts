import assert from "node:assert/strict";
import { test } from "node:test";
import { lineOf } from "../src/signals/command";
import { Queue, WAITING_MOST } from "../src/signals/queue";
import { Stops } from "../src/signals/stops";
import type { Seen } from "../src/wire";

function gathered(seen: readonly Seen[]): (readonly Seen[])[] {
    const sent: (readonly Seen[])[] = [];
    const timers: (() => void)[] = [];
    const queue = new Queue(
        (batch) => sent.push(batch),
        (act) => timers.push(act),
    );
    seen.forEach((one) => queue.add(one));
    assert.ok(timers.length <= 1, "one message for all that comes together");
    timers.forEach((act) => act());
    return sent;
}

test("of one file only the last selection is told, of commands every one", () => {
    const ran = { what: "ran", folder: "f", exitCode: 0, took: 1 } as const;
    const sent = gathered([
        { what: "selected", uri: "a", line: 1 },
        { ...ran, command: "make", began: 1 },
        { what: "selected", uri: "a", line: 9 },
        { what: "shown", uri: "a", line: 9 },
        { ...ran, command: "make", began: 2 },
    ]);
    assert.deepEqual(
        sent.map((batch) => batch.map((one) => one.what)),
        [["ran", "selected", "shown", "ran"]],
    );
});

test("a flood keeps its newest part", () => {
    const many = [...Array(WAITING_MOST + 50).keys()];
    const [batch] = gathered(many.map((at) => ({ what: "shown", uri: String(at), line: 0 })));
    assert.equal(batch?.length, WAITING_MOST);
    assert.deepEqual(batch?.at(-1), { what: "shown", uri: String(WAITING_MOST + 49), line: 0 });
});

test("a debugger's stop is its innermost frame that lies in a file, told once", () => {
    const stack = (stackFrames: unknown) => ({ type: "response", command: "stackTrace", body: { stackFrames } });
    const frames = [
        { line: 1, source: { path: "<eval>", sourceReference: 4 } },
        { line: 7, source: { path: "/a.py" } },
        { line: 9, source: { path: "/b.py" } },
    ];
    const stops = new Stops();
    assert.equal(stops.heard(stack(frames)), undefined, "nothing has stopped");
    assert.equal(stops.heard({ type: "event", event: "stopped" }), undefined);
    assert.equal(stops.heard(stack([])), undefined);
    assert.deepEqual(stops.heard(stack(frames)), { path: "/a.py", line: 7 });
    assert.equal(stops.heard(stack(frames)), undefined);
    for (const strange of [null, 7, "x", [], {}, stack("x"), stack([null, 1, { source: 2 }])]) {
        stops.heard({ type: "event", event: "stopped" });
        assert.equal(stops.heard(strange), undefined);
    }
});

test("a task's words become a line that a shell reads as the same words", () => {
    assert.equal(lineOf(["pytest", "-k", "a b", "tests/x.py"]), "pytest -k 'a b' tests/x.py");
});
