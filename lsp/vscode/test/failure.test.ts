import assert from "node:assert/strict";
import { test } from "node:test";
import { answered, Failure, failureOf } from "../src/failure";

test("an answer that is an error becomes what happened and the next step", () => {
    const error = { message: "It was never read.", hint: "Read it.", sort: "NotReadYet" };
    assert.throws(() => answered({ error }), new Failure("It was never read.", "Read it.", "NotReadYet"));
    assert.equal(failureOf(new Failure("What.", "Do this.")).whole, "What. Do this.");
});

test("any other answer is handed on, and anything thrown is a failure", () => {
    for (const answer of [null, undefined, 7, "x", [], {}, { error: null }, { error: "text" }]) {
        assert.equal(answered(answer), answer);
    }
    assert.throws(() => answered({ error: {} }), /did not answer/);
    assert.equal(failureOf("broken").message, "broken");
    assert.equal(failureOf(new Error("broken")).sort, "");
});
