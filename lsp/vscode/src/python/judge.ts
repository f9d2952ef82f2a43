/** From what was looked at to what is run: the first Python that fits, or the one trouble that is worth telling. */

import type { Trouble } from "../trouble";

/** How a candidate came up, in words that are shown. */
export type Source =
    "the setting" | "the Python extension" | "this folder's environment" | "the PATH" | "Companion's own environment";

/** Something that may run the language server: a Python, or the program itself. */
export interface Candidate {
    readonly command: string;
    readonly source: Source;
    readonly program: boolean;
}

/**
 * What came of looking at a candidate. `python` is its version, empty for a program; `companion` the version it has of
 * us, empty if it has none; `wrong` what it said in place of an answer.
 */
export interface Looked {
    readonly candidate: Candidate;
    readonly python: readonly number[];
    readonly companion: string;
    readonly wrong: string;
}

/** What the language server is started by, and with which arguments; `program` are those before a command of ours. */
export interface Found {
    readonly candidate: Candidate;
    readonly version: string;
    readonly args: readonly string[];
    readonly program: readonly string[];
}

/** The oldest Python that Companion runs on. */
export const PYTHON_NEEDED: readonly [number, number] = [3, 11];
/** What is run by a Python; `-P` keeps modules of the folder it is started in out. The server has a quick way in. */
const BY_PYTHON = { args: ["-P", "-m", "companion_lsp"], program: ["-P", "-m", "companion.surfaces.cli"] };
const BY_ITSELF = { args: ["lsp", "--stdio"], program: [] };

/** Whether a Companion of one version serves an extension of another: the same line, and no older. */
export function fits(version: string, wanted: string): boolean {
    const [major, minor, patch] = numbers(version);
    const [wantedMajor, wantedMinor, wantedPatch] = numbers(wanted);
    if (major === undefined || minor === undefined || wantedMajor === undefined || wantedMinor === undefined) {
        return false;
    }
    if (major !== wantedMajor || minor !== wantedMinor) {
        return major === wantedMajor && minor > wantedMinor;
    }
    return (patch ?? 0) >= (wantedPatch ?? 0);
}

/** What runs the language server if this candidate can; undefined if it cannot. */
export function foundIn(looked: Looked, wanted: string): Found | undefined {
    const { candidate, companion } = looked;
    if (!fits(companion, wanted) || (!candidate.program && isOld(looked.python))) {
        return undefined;
    }
    return { candidate, version: companion, ...(candidate.program ? BY_ITSELF : BY_PYTHON) };
}

/** The trouble that is nearest to its end, of candidates that all failed. */
export function worstOf(looked: readonly Looked[], wanted: string): Trouble {
    const troubles = looked.map((one) => troubleOf(one, wanted));
    const order: readonly Trouble["sort"][] = ["oldCompanion", "noCompanion", "broken", "oldPython"];
    for (const sort of order) {
        const trouble = troubles.find((one) => one.sort === sort);
        if (trouble !== undefined) {
            return trouble;
        }
    }
    return { sort: "noPython" };
}

/** What is wrong with one candidate. */
export function troubleOf(looked: Looked, wanted: string): Trouble {
    const { candidate, companion, python, wrong } = looked;
    const where = { command: candidate.command, source: candidate.source };
    if (companion && !fits(companion, wanted)) {
        return { sort: "oldCompanion", ...where, version: companion, wanted };
    }
    if (python.length > 0 && isOld(python)) {
        return { sort: "oldPython", ...where, version: python.join(".") };
    }
    return wrong ? { sort: "broken", ...where, said: wrong } : { sort: "noCompanion", ...where };
}

/** A Python that Companion could be installed for: the first that is new enough. */
export function baseOf(looked: readonly Looked[]): string | undefined {
    return looked.find((one) => !one.candidate.program && one.python.length > 0 && !isOld(one.python))?.candidate
        .command;
}

function isOld(python: readonly number[]): boolean {
    const [major = 0, minor = 0] = python;
    return major < PYTHON_NEEDED[0] || (major === PYTHON_NEEDED[0] && minor < PYTHON_NEEDED[1]);
}

function numbers(version: string): number[] {
    const found = /^(\d+)\.(\d+)(?:\.(\d+))?/.exec(version);
    return found === null ? [] : found.slice(1).map((part) => Number(part ?? 0));
}
