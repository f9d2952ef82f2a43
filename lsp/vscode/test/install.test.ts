import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { installLine, shellOf } from "../src/python/install";

test("each shell gets the command as it wants it written", () => {
    assert.equal(shellOf("C:\\Windows\\System32\\cmd.exe"), "cmd");
    assert.equal(shellOf("C:\\Program Files\\PowerShell\\7\\pwsh.exe"), "powershell");
    assert.equal(shellOf("/usr/bin/fish"), "posix");
    const python = "C:\\my env\\Scripts\\python.exe";
    const powershell = installLine("powershell", "py", "C:\\my env", python, "C:\\companion");
    assert.match(powershell, /^py -m venv 'C:\\my env'; if \(\$\?\) \{ & 'C:\\my env.*' -m pip install/);
    assert.match(installLine("cmd", "py", "C:\\my env", python, "C:\\our companion"), /--upgrade "C:\\our companion"$/);
});

test("a folder with a quote, a blank and a dollar stays one word", { skip: process.platform === "win32" }, () => {
    const strange = "/tmp/it's $HOME `x`";
    const line = installLine("posix", "printf %s\\n".split(" ")[0] ?? "", strange, "true", ".");
    assert.equal(execFileSync("sh", ["-c", line.replace("-m venv", "'%s'")], { encoding: "utf8" }), strange);
});
