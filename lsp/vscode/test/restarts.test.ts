import assert from "node:assert/strict";
import { test } from "node:test";
import { CALM_MS, Restarts, WAITS_MS } from "../src/restarts";

test("a server that keeps ending is started again ever later, and then left to a person", () => {
    const restarts = new Restarts();
    const waits = [...WAITS_MS, 0, 0].map((_, at) => restarts.after(at));
    assert.deepEqual(waits, [...WAITS_MS, undefined, undefined]);
    restarts.forget();
    assert.equal(restarts.after(10), WAITS_MS[0]);
});

test("what happens once in a long while is no loop", () => {
    const restarts = new Restarts();
    for (let hour = 0; hour < 20; hour++) {
        assert.equal(restarts.after(hour * CALM_MS), WAITS_MS[0]);
    }
});
