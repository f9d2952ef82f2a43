/** Choosing a Python and installing Companion for one: the ways out when none was found. */

import { existsSync } from "node:fs";
import * as vscode from "vscode";
import type { Companion } from "../companion";
import { settings, write } from "../settings";
import { ownEnvironment, system } from "./find";
import { installLine, shellOf } from "./install";
import { environmentsOf, pythonIn } from "./places";

/** A shell that has not said by then that it is ready does not say it at all. */
const PROMPT_MS = 2_000;
/** Stands above the command in the terminal. */
const TO_DO = "This installs Companion into an environment of its own. Press Enter to run it.";
const ENTER = "$(edit) Enter a path…";
const ENTERED = "The file of a Python 3.11 or later, the folder of a virtual environment, or the program companion.";
const BROWSE = "$(folder) Browse…";
const WHERE = "Where it is on this computer; the command is shown before anything runs";
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
    const title = "Companion: Choose Python";
    const here = system();
    const known = environmentsOf(vscode.workspace.workspaceFolders?.[0]?.uri.fsPath, here)
        .map((one) => pythonIn(one, here))
        .filter((one) => existsSync(one));
    const rows: vscode.QuickPickItem[] = [
        { label: ENTER, description: "of a Python, a virtual environment or the program companion" },
        { label: BROWSE },
        { label: CLEAR, description: "the active environment, this folder's, the PATH" },
        ...known.map((one) => ({ label: one })),
    ];
    const chosen = await vscode.window.showQuickPick(rows, { title, placeHolder: settings.interpreter() });
    switch (chosen?.label) {
        case undefined:
            return;
        case CLEAR:
            return write("interpreter", undefined);
        case ENTER:
            return written(await vscode.window.showInputBox({ title, prompt: ENTERED, value: settings.interpreter() }));
        case BROWSE:
            return written((await vscode.window.showOpenDialog({ title, openLabel: "Choose" }))?.[0]?.fsPath);
        default:
            return written(chosen?.label);
    }
}

async function written(file: string | undefined): Promise<void> {
    if (file?.trim()) {
        await write("interpreter", file.trim());
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
    const terminal = vscode.window.createTerminal({ name: "Install Companion", message: TO_DO });
    terminal.show();
    await isReady(terminal);
    terminal.sendText(line, false);
}

/** Where Companion lies on this computer: the folder of its repository, or the wheel made of it. */
async function whence(): Promise<string | undefined> {
    const folder = "$(repo) The folder of its repository…";
    const wheel = "$(package) A wheel…";
    const title = "Companion: Install From";
    const chosen = await vscode.window.showQuickPick([folder, wheel], { title, placeHolder: WHERE });
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
