/** Where a Python or the program `companion` may lie: file names on each system, without looking at any. */

import * as path from "node:path";

/** What is known of a system before anything of it is looked at. */
export interface System {
    readonly platform: NodeJS.Platform;
    readonly environment: Readonly<Record<string, string | undefined>>;
    readonly home: string;
}

/** The names that Python has: what a person calls Python first, then what lies beside one that is too old. */
const PYTHONS = ["python3", "python", "python3.14", "python3.13", "python3.12", "python3.11"];

/** The Python of a virtual environment. */
export function pythonIn(folder: string, system: System): string {
    const { join } = paths(system);
    return system.platform === "win32" ? join(folder, "Scripts", "python.exe") : join(folder, "bin", "python");
}

/** Virtual environments that belong to a folder: the active one, then those that tools make in it. */
export function environmentsOf(folder: string | undefined, system: System): string[] {
    const active = system.environment["VIRTUAL_ENV"];
    const own = folder === undefined ? [] : [".venv", "venv"].map((name) => paths(system).join(folder, name));
    return [...(active ? [active] : []), ...own];
}

/** Every file that a program of one of these names could be, in the order of PATH. */
export function onPath(names: readonly string[], system: System): string[] {
    const { join, isAbsolute, delimiter } = paths(system);
    const listed = system.environment["PATH"] ?? system.environment["Path"] ?? "";
    const ending = system.platform === "win32" ? ".exe" : "";
    const folders = listed.split(delimiter).filter((folder) => isAbsolute(folder)); // a relative one is the workspace's
    return names.flatMap((name) => folders.map((folder) => join(folder, name + ending)));
}

/** Every Python of the PATH, then where macOS and Homebrew keep one: a program started by the dock has a short PATH. */
export function pythonsOnPath(system: System): string[] {
    const beside = system.platform === "darwin" ? ["/opt/homebrew/bin/python3", "/usr/local/bin/python3"] : [];
    return [...new Set([...onPath(PYTHONS, system), ...beside])];
}

/** The program `companion` on the PATH, and where `pipx` and `uv tool` put it. */
export function programsOnPath(system: System): string[] {
    const ending = system.platform === "win32" ? ".exe" : "";
    const tools = paths(system).join(system.home, ".local", "bin", `companion${ending}`);
    return [...new Set([...onPath(["companion"], system), tools])];
}

/** What a person wrote into the setting, with `~`, `${workspaceFolder}` and `${env:NAME}` in it put in full. */
export function inFull(given: string, folder: string | undefined, system: System): string {
    return given
        .trim()
        .replace(/^~(?=$|[\\/])/, () => system.home)
        .replace(/\$\{workspaceFolder\}/g, () => folder ?? "")
        .replace(/\$\{env:(\w+)\}/g, (_, name: string) => system.environment[name] ?? "");
}

/** Whether a file is the program itself and no Python. */
export function isProgram(file: string, system: System): boolean {
    return /^companion(\.exe)?$/i.test(paths(system).basename(file));
}

function paths(system: System): path.PlatformPath {
    return system.platform === "win32" ? path.win32 : path.posix;
}
