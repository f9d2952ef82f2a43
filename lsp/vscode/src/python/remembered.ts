/** What ran the language server last, so that it starts at once the next time and Pythons are asked afterwards. */

import * as vscode from "vscode";
import { isRecord } from "../failure";
import { settings } from "../settings";
import { wantedVersion } from "./find";
import type { Found } from "./judge";

/** Kept with the workspace: another folder has another environment. */
const SERVED = "served";

interface Served {
    readonly found: Found;
    /** What it was found under: other settings, another folder or another version of the extension ask anew. */
    readonly under: string;
}

/** What served last under the same circumstances; whether it still does is seen when it is started. */
export function served(context: vscode.ExtensionContext): Found | undefined {
    const given = context.workspaceState.get<unknown>(SERVED);
    return isRecord(given) && given["under"] === circumstances(context)
        ? (given as unknown as Served).found
        : undefined;
}

/** Note what serves, or with undefined that it does no more. */
export async function remember(context: vscode.ExtensionContext, found: Found | undefined): Promise<void> {
    const noted: Served | undefined = found && { found, under: circumstances(context) };
    await context.workspaceState.update(SERVED, noted);
}

function circumstances(context: vscode.ExtensionContext): string {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri.toString();
    return JSON.stringify([wantedVersion(context), folder, settings.interpreter(), settings.importStrategy()]);
}
