import assert from "node:assert/strict";
import { test } from "node:test";
import { baseOf, fits, foundIn, worstOf, type Candidate, type Looked } from "../src/python/judge";
import { ofProgram, ofPython } from "../src/python/probe";
import { said, waysOut } from "../src/trouble";

const ON_PATH: Candidate = { command: "/usr/bin/python3", source: "the PATH", program: false };
const PROGRAM: Candidate = { command: "/usr/bin/companion", source: "the PATH", program: true };

function looked(python: readonly number[], companion = "", wrong = "", candidate = ON_PATH): Looked {
    return { candidate, python, companion, wrong };
}

test("a companion serves an extension of its own line that is no newer", () => {
    assert.ok(fits("0.1.0", "0.1.0"));
    assert.ok(fits("0.1.3", "0.1.0"));
    assert.ok(fits("0.2.0", "0.1.9"));
    assert.ok(fits("1.2.0.dev1", "1.1.0"));
    for (const [has, wanted] of [
        ["0.1.0", "0.1.1"],
        ["0.1.0", "0.2.0"],
        ["1.0.0", "0.9.0"],
        ["", "0.1.0"],
        ["x", "0.1.0"],
    ]) {
        assert.ok(!fits(has ?? "", wanted ?? ""), `${has} for ${wanted}`);
    }
});

test("what is started keeps the modules of the folder out", () => {
    assert.deepEqual(foundIn(looked([3, 11, 2], "0.1.0"), "0.1.0")?.args.slice(0, 2), ["-P", "-m"]);
    assert.deepEqual(foundIn(looked([], "0.1.0", "", PROGRAM), "0.1.0")?.args, ["lsp", "--stdio"]);
    assert.deepEqual(foundIn(looked([3, 11, 2], "0.1.0"), "0.1.0")?.program.slice(0, 2), ["-P", "-m"]);
    assert.deepEqual(foundIn(looked([], "0.1.0", "", PROGRAM), "0.1.0")?.program, []);
});

test("the trouble that is nearest to its end is told", () => {
    const broken = looked([], "", "cannot execute");
    const old = looked([3, 9, 1]);
    const bare = looked([3, 12, 1]);
    const behind = looked([3, 12, 1], "0.0.9");
    assert.equal(worstOf([], "0.1.0").sort, "noPython");
    assert.equal(worstOf([old], "0.1.0").sort, "oldPython");
    assert.equal(worstOf([old, broken], "0.1.0").sort, "broken");
    assert.equal(worstOf([old, broken, bare], "0.1.0").sort, "noCompanion");
    assert.equal(worstOf([old, broken, bare, behind], "0.1.0").sort, "oldCompanion");
    assert.equal(baseOf([old, broken, bare]), "/usr/bin/python3");
    assert.equal(baseOf([old]), undefined);
});

test("every trouble says what it is about, on one line, and has a way out", () => {
    const all = [looked([3, 9, 1]), looked([], "", "a\nb".repeat(900)), looked([3, 12]), looked([3, 12], "0.0.9")];
    for (const trouble of [...all.map((one) => worstOf([one], "0.1.0")), worstOf([], "0.1.0")]) {
        assert.ok(!said(trouble).includes("\n") && said(trouble).length < 400, trouble.sort);
        assert.ok(waysOut(trouble).length >= 2, trouble.sort);
    }
    assert.match(said(worstOf([looked([3, 9, 1])], "0.1.0")), /\/usr\/bin\/python3 .*3\.9\.1/);
});

test("whatever an environment prints before its answer is passed over", () => {
    const out = "Welcome!\r\ncompanion-probe:3.11.7|0.1.0|\r\n";
    assert.deepEqual(ofPython(ON_PATH, { out, wrong: "" }), looked([3, 11, 7], "0.1.0"));
    const lacking = ofPython(ON_PATH, { out: "companion-probe:3.11.7|0.1.0|It lacks a|b.\n", wrong: "" });
    assert.deepEqual([lacking.companion, lacking.wrong], ["", "It lacks a|b."]);
    assert.equal(ofPython(ON_PATH, { out: "nonsense", wrong: "" }).wrong, "It is not a Python.");
});

test("another program of the same name is not taken for ours", () => {
    assert.equal(ofProgram(PROGRAM, { out: "companion 0.1.0\n", wrong: "" }).companion, "0.1.0");
    assert.equal(ofProgram(PROGRAM, { out: "Companion cube v4\n", wrong: "" }).companion, "");
});
