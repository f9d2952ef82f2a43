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
    assert.ok(programsOnPath(LINUX).includes("/home/me/.local/bin/companion"));
});
