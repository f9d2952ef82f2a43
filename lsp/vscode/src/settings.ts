/** The extension's own settings, read when they are needed; whatever else is under `companion` the server reads. */

import * as vscode from "vscode";

export const SECTION = "companion";

/** What may be told of what happens in the editor; each is a setting `companion.signals.NAME`. */
export type SignalName =
    "visibleEditors" | "selections" | "diagnostics" | "terminal" | "tests" | "debugStops" | "branch";

/** Each setting by name. A value of the wrong type counts as none: settings files hold all sorts of things. */
export const settings = {
    quiet: (): boolean => flag("quiet"),
    interpreter: (): string => text("interpreter"),
    importStrategy: (): string => text("importStrategy"),
    signal: (name: SignalName): boolean => flag(`signals.${name}`),
    mcp: (): boolean => flag("mcp.enabled"),
};

/** Write a setting where it is set now, or for the user. */
export async function write(name: string, value: unknown): Promise<void> {
    const at = vscode.workspace.getConfiguration(SECTION);
    const known = at.inspect(name);
    const target =
        known?.workspaceFolderValue !== undefined || known?.workspaceValue !== undefined
            ? vscode.ConfigurationTarget.Workspace
            : vscode.ConfigurationTarget.Global;
    await at.update(name, value, target);
}

/** Call back when one of some settings has changed. */
export function onSetting(names: readonly string[], act: () => void): vscode.Disposable {
    return vscode.workspace.onDidChangeConfiguration((event) => {
        if (names.some((name) => event.affectsConfiguration(`${SECTION}.${name}`))) {
            act();
        }
    });
}

function value(name: string): unknown {
    return vscode.workspace.getConfiguration(SECTION).get(name);
}

function fallback(name: string): unknown {
    return vscode.workspace.getConfiguration(SECTION).inspect(name)?.defaultValue;
}

function flag(name: string): boolean {
    const given = value(name);
    return typeof given === "boolean" ? given : fallback(name) === true;
}

function text(name: string): string {
    const given = value(name);
    return typeof given === "string" ? given : "";
}
