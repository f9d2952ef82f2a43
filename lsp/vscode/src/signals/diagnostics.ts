/** What other extensions complain of: errors and warnings of a file, as they stand once it is quiet for a moment. */

import * as vscode from "vscode";
import type { SeenDiagnostic } from "../wire";
import type { Signal } from "./index";

/** A checker answers each key: what it says is told once nothing has changed for so long. */
const SETTLED_MS = 2_000;
/** Messages of one file that are told; the daemon follows fewer. */
const MESSAGES_MOST = 50;
/** Files told of at once: a build that fails everywhere has one cause, and its first files show it. */
const FILES_MOST = 20;
/** Characters of a message: a compiler's longest explanations are cut. */
const MESSAGE_CHARACTERS = 2_000;
const OWN = "companion";

/** Diagnostics of other tools. */
export const signal: Signal = {
    name: "diagnostics",
    watch: (tell) => {
        const told = new Map<string, string>();
        const changed = new Map<string, vscode.Uri>();
        let settling: NodeJS.Timeout | undefined;
        const look = (): void => {
            const files = [...changed.values()].slice(0, FILES_MOST);
            changed.clear();
            for (const uri of files) {
                const diagnostics = of(uri);
                const now = JSON.stringify(diagnostics);
                if (now !== (told.get(uri.toString()) ?? "[]")) {
                    told.set(uri.toString(), now);
                    tell({ what: "diagnosed", uri: uri.toString(), diagnostics });
                }
            }
        };
        return vscode.Disposable.from(
            vscode.languages.onDidChangeDiagnostics(({ uris }) => {
                uris.filter((uri) => uri.scheme === "file").forEach((uri) => changed.set(uri.toString(), uri));
                clearTimeout(settling);
                settling = setTimeout(look, SETTLED_MS);
            }),
            { dispose: () => clearTimeout(settling) },
        );
    },
};

function of(uri: vscode.Uri): SeenDiagnostic[] {
    return vscode.languages
        .getDiagnostics(uri)
        .filter((one) => one.source !== OWN && one.severity <= vscode.DiagnosticSeverity.Warning)
        .slice(0, MESSAGES_MOST)
        .map((one) => ({
            range: { start: position(one.range.start), end: position(one.range.end) },
            message: one.message.slice(0, MESSAGE_CHARACTERS),
            severity: one.severity + 1, // the protocol counts from 1
            ...(one.source === undefined ? {} : { source: one.source }),
            ...codeOf(one),
        }));
}

function position(at: vscode.Position): { readonly line: number; readonly character: number } {
    return { line: at.line, character: at.character };
}

function codeOf(one: vscode.Diagnostic): { readonly code?: string } {
    const code = typeof one.code === "object" ? one.code.value : one.code;
    return code === undefined ? {} : { code: String(code) };
}
