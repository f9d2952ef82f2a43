import assert from "node:assert/strict";
import { test } from "node:test";
import { clean, escaped, iconless, many, oneLine } from "../src/views/plain";

test("right to left text keeps its letters", () => {
    assert.equal(oneLine("\u202bשלום עולם\u202c", 20), "שלום עולם");
});

test("cutting never leaves half a sign", () => {
    assert.equal(oneLine("👩‍🚀".repeat(50), 5).endsWith("…"), true);
    assert.doesNotMatch(oneLine("😀".repeat(50), 5), /[\ud800-\udbff](?![\udc00-\udfff])/);
});

test("icons of VS Code are text in quick picks and in the status bar", () => {
    assert.equal(iconless("$(trash) a"), "\\$(trash) a");
    assert.equal(escaped("$(trash)"), "\\$\\(trash\\)");
    assert.equal(clean("a\u0000b\r\nc"), "ab\nc");
});

test("counts are told in words", () => {
    assert.deepEqual(
        [many(1, "memory", "memories"), many(2_000, "memory", "memories")],
        ["1 memory", "2,000 memories"],
    );
});
