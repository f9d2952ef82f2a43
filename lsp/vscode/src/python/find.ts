/** Looks for what can run the language server: the setting first, then what the folder and the machine offer. */

import { lstat } from "node:fs/promises";
import * as os from "node:os";
import * as vscode from "vscode";
import { settings } from "../settings";
import type { Trouble } from "../trouble";
import { activeInterpreter } from "./extension";
import { baseOf, foundIn, troubleOf, worstOf, type Candidate, type Found, type Looked } from "./judge";
import { environmentsOf, inFull, isProgram, programsOnPath, pythonIn, pythonsOnPath, type System } from "./places";
import { look } from "./probe";

/** What came of a search; `base` is a Python that Companion could be installed for. */
export type Search = { readonly found: Found } | { readonly trouble: Trouble; readonly base: string | undefined };

/** This machine, as the search sees it. */
export function system(): System {
    return { platform: process.platform, environment: process.env, home: os.homedir() };
}

/** The environment that the extension keeps for itself. */
export function ownEnvironment(context: vscode.ExtensionContext): string {
    return vscode.Uri.joinPath(context.globalStorageUri, "environment").fsPath;
}

/** Find what runs the language server in a version that fits, or what is in the way. Takes as long as Pythons take. */
export async function find(context: vscode.ExtensionContext, log: vscode.LogOutputChannel): Promise<Search> {
    const wanted = wantedVersion(context);
    const neutral = context.extensionUri.fsPath;
    const given = await ofSetting();
    if (given !== undefined) {
        const looked = await look(given, neutral);
        tell(log, looked);
        const found = foundIn(looked, wanted);
        return found ? { found } : { trouble: troubleOf(looked, wanted), base: baseOf([looked]) };
    }
    const all: Looked[] = [];
    for (const offer of offers(context)) {
        for (const candidate of await offer()) {
            const seen = all.some((one) => one.candidate.command === candidate.command);
            if (seen || !(await exists(candidate.command))) {
                continue;
            }
            const looked = await look(candidate, neutral);
            tell(log, looked);
            const found = foundIn(looked, wanted);
            if (found) {
                return { found };
            }
            all.push(looked);
        }
    }
    return { trouble: worstOf(all, wanted), base: baseOf(all) };
}

/** The version that the extension was built with; its Companion must be of the same line. */
export function wantedVersion(context: vscode.ExtensionContext): string {
    const { version } = context.extension.packageJSON as { readonly version: string };
    return version;
}

type Offer = () => Promise<readonly Candidate[]>;

/** Where candidates come from, in the order in which they are taken. */
function offers(context: vscode.ExtensionContext): readonly Offer[] {
    const here = system();
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
    const own: Offer = async () => [python(pythonIn(ownEnvironment(context), here), "Companion's own environment")];
    const around: Offer[] = [
        async () => {
            const active = await activeInterpreter();
            return active === undefined ? [] : [python(active, "the Python extension")];
        },
        async () => environmentsOf(folder, here).map((one) => python(pythonIn(one, here), "this folder's environment")),
        async () => programsOnPath(here).map((one) => ({ command: one, source: "the PATH", program: true })),
    ];
    const last: Offer = async () => pythonsOnPath(here).map((one) => python(one, "the PATH"));
    return settings.importStrategy() === "useBundled" ? [own, ...around, last] : [...around, own, last];
}

/** What the setting names; a folder is taken for a virtual environment. */
async function ofSetting(): Promise<Candidate | undefined> {
    const here = system();
    const given = settings.interpreter();
    if (!given.trim()) {
        return undefined;
    }
    const file = inFull(given, vscode.workspace.workspaceFolders?.[0]?.uri.fsPath, here);
    const command = (await isFolder(file)) ? pythonIn(file, here) : file;
    return { command, source: "the setting", program: isProgram(command, here) };
}

function python(command: string, source: Candidate["source"]): Candidate {
    return { command, source, program: false };
}

/** Whether there is something of this name; a link that leads nowhere is worth telling of. */
async function exists(file: string): Promise<boolean> {
    return (await lstat(file).catch(() => undefined)) !== undefined;
}

async function isFolder(file: string): Promise<boolean> {
    return (await lstat(file).catch(() => undefined))?.isDirectory() ?? false;
}

function tell(log: vscode.LogOutputChannel, looked: Looked): void {
    const { candidate, python, companion, wrong } = looked;
    const version = python.length > 0 ? `Python ${python.join(".")}` : candidate.program ? "the program" : "no Python";
    const has = companion ? `companion ${companion}` : "no companion";
    log.info(`${candidate.command} (from ${candidate.source}): ${version}, ${has}${wrong ? `; ${wrong}` : ""}`);
}
