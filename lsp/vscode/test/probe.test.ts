import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { troubleOf, type Candidate } from "../src/python/judge";
import { look } from "../src/python/probe";

const folder = mkdtempSync(join(tmpdir(), "probe-"));
after(() => rmSync(folder, { recursive: true }));

function candidate(command: string): Candidate {
    return { command, source: "the setting", program: false };
}

test("a file that is not there, one that is no program and a dangling link are broken, not an error", async () => {
    const text = join(folder, "text");
    writeFileSync(text, "not a program");
    const link = join(folder, "python");
    symlinkSync(join(folder, "gone"), link);
    for (const command of [join(folder, "none"), text, link, folder, "", "\0"]) {
        const looked = await look(candidate(command), folder);
        assert.equal(troubleOf(looked, "0.1.0").sort, "broken", command);
        assert.ok(looked.wrong, command);
    }
});

test("a program that says something else is no Python", { skip: process.platform === "win32" }, async () => {
    const script = join(folder, "python-like");
    writeFileSync(script, "#!/bin/sh\necho Python was not found >&2\nexit 9\n");
    chmodSync(script, 0o755);
    assert.equal((await look(candidate(script), folder)).wrong, "Python was not found");
});
