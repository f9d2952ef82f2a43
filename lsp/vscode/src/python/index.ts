/** Choosing a Python and installing Companion for one: the ways out when none was found. */

import * as vscode from "vscode";
import type { Companion } from "../companion";
import { write } from "../settings";
import { ownEnvironment, system } from "./find";
import { installLine, shellOf } from "./install";
import { pythonIn } from "./places";

/** A shell that has not said by then that it is ready does not say it at all. */
const PROMPT_MS = 2_000;
const ENTER = "$(folder) Enter a file…";
const CLEAR = "$(discard) Look by itself";

/** Adds the two commands. */
export function register(context: vscode.ExtensionContext, companion: Companion): void {
    context.subscriptions.push(
        vscode.commands.registerCommand("companion.chooseInterpreter", () => choose()),
        vscode.commands.registerCommand("companion.install", () => install(context, companion)),
    );
}

/** Let a person name the Python: the setting is written, and the server starts by it. */
async function choose(): Promise<void> {
    const rows: vscode.QuickPickItem[] = [
        { label: ENTER, description: "a Python, a virtual environment or the program companion" },
        { label: CLEAR, description: "the active environment, this folder's, the PATH" },
        ...(vscode.workspace.workspaceFolders?.map((one) => ({ label: `${one.uri.fsPath}/.venv` })) ?? []),
    ];
    const chosen = await vscode.window.showQuickPick(rows, { title: "Companion: Choose Python" });
    if (chosen?.label === CLEAR) {
        await write("interpreter", undefined);
    } else if (chosen?.label === ENTER) {
        const files = await vscode.window.showOpenDialog({ title: "Python for Companion", openLabel: "Choose" });
        if (files?.[0] !== undefined) {
            await write("interpreter", files[0].fsPath);
        }
    } else if (chosen !== undefined) {
        await write("interpreter", chosen.label);
    }
}

/**
 * Put the command into a terminal, for a person to read and to run. It installs what the person has: the name
 * on the package index is not ours yet, and may be somebody's.
 */
async function install(context: vscode.ExtensionContext, companion: Companion): Promise<void> {
    const source = await whence();
    if (source === undefined) {
        return;
    }
    const here = system();
    const environment = ownEnvironment(context);
    const base = companion.base ?? "python3";
    const line = installLine(shellOf(vscode.env.shell), base, environment, pythonIn(environment, here), source);
    await vscode.workspace.fs.createDirectory(context.globalStorageUri);
    const terminal = vscode.window.createTerminal({ name: "Install Companion" });
    terminal.show();
    await isReady(terminal);
    terminal.sendText(line, false);
}

/** Where Companion lies on this computer: the folder of its repository, or the wheel made of it. */
async function whence(): Promise<string | undefined> {
    const folder = "$(repo) The folder of its repository…";
    const wheel = "$(package) A wheel…";
    const title = "Companion: Install From";
    const chosen = await vscode.window.showQuickPick([folder, wheel], { title });
    if (chosen === undefined) {
        return undefined;
    }
    const files = await vscode.window.showOpenDialog({
        title,
        openLabel: "Install",
        canSelectFolders: chosen === folder,
        canSelectFiles: chosen === wheel,
        ...(chosen === wheel && { filters: { Wheel: ["whl"] } }),
    });
    return files?.[0]?.fsPath;
}

/** Wait for the shell's prompt, as far as it tells of it: what comes before is shown twice. */
async function isReady(terminal: vscode.Terminal): Promise<void> {
    await new Promise<void>((resolve) => {
        const timer = setTimeout(done, PROMPT_MS);
        const listening = vscode.window.onDidChangeTerminalShellIntegration((event) => {
            if (event.terminal === terminal) {
                done();
            }
        });
        function done(): void {
            clearTimeout(timer);
            listening.dispose();
            resolve();
        }
    });
}
