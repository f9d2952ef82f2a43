/** Which files are in sight, and where in them somebody rests: the file and the line, never what stands there. */

import * as vscode from "vscode";
import type { Signal } from "./index";

/** A place counts once the cursor has rested there: less is passing by, and typing moves it all the time. */
export const REST_MS = 2_000;
/** Nearer than this to the place told last it is the same one: about what stands on half a screen. */
export const SAME_PLACE_LINES = 15;

/** Files that come back into sight. The first time a file is seen the protocol tells that it was opened. */
export const visibleEditors: Signal = {
    name: "visibleEditors",
    watch: (tell) => {
        const known = new Set<string>();
        let before = inSight();
        before.forEach((_, uri) => known.add(uri));
        return vscode.Disposable.from(
            vscode.window.onDidChangeVisibleTextEditors(() => {
                const now = inSight();
                for (const [uri, line] of now) {
                    if (!before.has(uri) && known.has(uri)) {
                        tell({ what: "shown", uri, line });
                    }
                    known.add(uri);
                }
                before = now;
            }),
            vscode.workspace.onDidCloseTextDocument((document) => known.delete(document.uri.toString())),
        );
    },
};

/** Places where the cursor came to rest, without those that somebody typed their way to. */
export const selections: Signal = {
    name: "selections",
    watch: (tell) => {
        const told = new Map<string, number>();
        let resting: NodeJS.Timeout | undefined;
        return vscode.Disposable.from(
            vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => {
                clearTimeout(resting);
                if (textEditor.document.uri.scheme !== "file") {
                    return;
                }
                const version = textEditor.document.version;
                resting = setTimeout(() => {
                    const uri = textEditor.document.uri.toString();
                    const line = textEditor.selection.active.line;
                    const near = Math.abs((told.get(uri) ?? -SAME_PLACE_LINES) - line) < SAME_PLACE_LINES;
                    if (!near && textEditor.document.version === version) {
                        told.set(uri, line);
                        tell({ what: "selected", uri, line });
                    }
                }, REST_MS);
            }),
            vscode.workspace.onDidCloseTextDocument((document) => told.delete(document.uri.toString())),
            { dispose: () => clearTimeout(resting) },
        );
    },
};

function inSight(): Map<string, number> {
    const editors = vscode.window.visibleTextEditors.filter((one) => one.document.uri.scheme === "file");
    return new Map(editors.map((one) => [one.document.uri.toString(), one.selection.active.line]));
}
