import assert from "node:assert/strict";
import { test } from "node:test";
import {
    environmentsOf,
    inFull,
    isProgram,
    onPath,
    programsOnPath,
    pythonIn,
    pythonsOnPath,
    type System,
} from "../src/python/places";

const LINUX: System = {
    platform: "linux",
    environment: { PATH: "/usr/bin:.:bin::/opt/bin", VIRTUAL_ENV: "/v", NAME: "value" },
    home: "/home/me",
};
const WINDOWS: System = {
    platform: "win32",
    environment: { Path: "C:\\Windows;C:\\Python" },
    home: "C:\\Users\\me",
};

test("relative folders of the PATH are the workspace's and are left out", () => {
    assert.deepEqual(onPath(["a"], LINUX), ["/usr/bin/a", "/opt/bin/a"]);
    assert.deepEqual(onPath(["python"], WINDOWS), ["C:\\Windows\\python.exe", "C:\\Python\\python.exe"]);
});

test("where what is called Python is too old, a later one beside it is found", () => {
    const found = pythonsOnPath(LINUX);
    assert.equal(found[0], "/usr/bin/python3");
    assert.ok(found.includes("/opt/bin/python3.13"));
});

test("the active environment comes before the folder's own", () => {
    assert.deepEqual(environmentsOf("/w", LINUX), ["/v", "/w/.venv", "/w/venv"]);
    assert.deepEqual(environmentsOf(undefined, WINDOWS), []);
    assert.equal(pythonIn("C:\\v", WINDOWS), "C:\\v\\Scripts\\python.exe");
});

test("what a person writes into the setting is put in full", () => {
    assert.equal(inFull(" ~/v/bin/python ", "/w", LINUX), "/home/me/v/bin/python");
    assert.equal(inFull("${workspaceFolder}/x${env:NAME}${env:NONE}", "/w$&", LINUX), "/w$&/xvalue");
    assert.equal(inFull("a~b", undefined, LINUX), "a~b");
});

test("the program is known by its name", () => {
    assert.ok(isProgram("C:\\x\\companion.EXE", WINDOWS));
    assert.ok(!isProgram("/x/companion-python", LINUX));
});

test("the program is found where pipx and uv put it, whatever PATH the editor was started with", () => {
    const bare: System = { ...LINUX, environment: { UV_TOOL_DIR: "/tools", PIPX_HOME: "/pipx" } };
    const own = "companion-context/bin/companion";
    for (const file of [
        "/home/me/.local/bin/companion",
        `/home/me/.local/share/uv/tools/${own}`,
        `/home/me/.local/share/pipx/venvs/${own}`,
        `/home/me/.local/pipx/venvs/${own}`,
        `/tools/${own}`,
        `/pipx/venvs/${own}`,
    ]) {
        assert.ok(programsOnPath(bare).includes(file), file);
    }
    const roaming = { APPDATA: "C:\\Users\\me\\AppData\\Roaming" };
    const found = programsOnPath({ ...WINDOWS, environment: roaming });
    assert.ok(found.includes("C:\\Users\\me\\.local\\bin\\companion.exe"));
    assert.ok(found.includes("C:\\Users\\me\\pipx\\venvs\\companion-context\\Scripts\\companion.exe"));
    assert.ok(found.includes(`${roaming.APPDATA}\\uv\\tools\\companion-context\\Scripts\\companion.exe`));
});
