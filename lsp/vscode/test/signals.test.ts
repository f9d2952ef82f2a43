import assert from "node:assert/strict";
import { test } from "node:test";
import { lineOf } from "../src/signals/command";
import { Stops } from "../src/signals/stops";

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
