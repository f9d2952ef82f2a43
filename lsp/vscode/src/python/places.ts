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

/** The name by which tools keep an environment of ours. */
const PACKAGE = "companion-context";

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

/** The program `companion` on the PATH, and where `pipx` and `uv tool` put it: an editor may not see the shell's PATH. */
export function programsOnPath(system: System): string[] {
    const { join } = paths(system);
    const { environment, home } = system;
    const isWindows = system.platform === "win32";
    const file = isWindows ? "companion.exe" : "companion";
    const given = (name: string, ...below: string[]): string[] => {
        const folder = environment[name];
        return folder ? [join(folder, ...below)] : [];
    };
    const own = (folder: string): string => join(folder, PACKAGE, isWindows ? "Scripts" : "bin");
    const uv = [...given("UV_TOOL_DIR"), ...given("XDG_DATA_HOME", "uv", "tools"), ...given("APPDATA", "uv", "tools")];
    const data = [
        join(home, ".local", "share"),
        join(home, "Library", "Application Support"),
        join(home, ".local"),
        home,
    ];
    const folders = [
        ...["PIPX_BIN_DIR", "UV_TOOL_BIN_DIR", "XDG_BIN_HOME"].flatMap((name) => given(name)),
        join(home, ".local", "bin"),
        ...[...uv, join(home, ".local", "share", "uv", "tools")].map(own),
        ...[...given("PIPX_HOME"), ...data.map((one) => join(one, "pipx"))].map((one) => own(join(one, "venvs"))),
    ];
    return [...new Set([...onPath(["companion"], system), ...folders.map((one) => join(one, file))])];
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
