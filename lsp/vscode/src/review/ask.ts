/** What a review and a settlement share: a verb of the daemon asked of one repository, which one, and who says so. */

import * as vscode from "vscode";
import type { Companion } from "../companion";
import { Failure, failureOf } from "../failure";
import type { Answer, Row } from "../wire";
import { repositories } from "../views/tree";
import { iconless, oneLine } from "../views/plain";

/** How long the status bar says what was done. */
const SAID_MS = 5_000;

/** Asks verbs of one work tree. */
export interface Verbs {
    <R>(verb: string, ask?: object): Promise<R>;
    /** What there is to choose from, with its rows. */
    rows<R>(verb: string, ask?: object): Promise<{ readonly result: R; readonly rows: readonly Row[] }>;
}

/** The verbs of a work tree, by its URI. */
export function verbsOf(companion: Companion, root: string): Verbs {
    const rows = <R>(verb: string, ask: object = {}): Promise<Answer<R>> =>
        companion.ask<Answer<R>>("companion/ask", { folder: root, verb, ask });
    return Object.assign(async <R>(verb: string, ask?: object): Promise<R> => (await rows<R>(verb, ask)).result, {
        rows,
    });
}

/** The work tree of the file in front, or the one that a person picks. Undefined when they pick none. */
export async function rootFor(companion: Companion, title: string): Promise<string | undefined> {
    const found = await repositories(companion);
    const current = companion.now.latest?.root;
    const [only] = found;
    if (only === undefined) {
        throw new Failure("No repository is open here.", "Open the folder of one.");
    }
    if (found.length === 1) {
        return only.root;
    }
    if (found.some((one) => one.root === current)) {
        return current;
    }
    const rows = found.map((one) => ({ label: iconless(one.name), description: iconless(one.root), root: one.root }));
    return (await vscode.window.showQuickPick(rows, { title, placeHolder: "Which repository?" }))?.root;
}

/** A command whose failure is one message with the next step. */
export function command(name: string, run: (...given: unknown[]) => Promise<void>): vscode.Disposable {
    return vscode.commands.registerCommand(`companion.${name}`, async (...given: unknown[]) => {
        try {
            await run(...given);
        } catch (thrown) {
            void vscode.window.showErrorMessage(failureOf(thrown).whole);
        }
    });
}

/** What was done, said quietly. */
export function done(what: string): void {
    vscode.window.setStatusBarMessage(`$(check) Companion: ${iconless(oneLine(what, 120))}`, SAID_MS);
}
