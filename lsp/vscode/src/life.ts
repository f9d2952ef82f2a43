/** What makes the language server start, start again or be explained: trust, folders, settings, environments. */

import * as vscode from "vscode";
import type { Companion } from "./companion";
import { onOtherInterpreter } from "./python/extension";
import { onSetting, settings } from "./settings";
import { said, waysOut, type Trouble } from "./trouble";

/** Kept for the user: the sorts of trouble that nobody wants to be told of again. */
const UNTOLD = "untold";
const NEVER = "Don't Show Again";
/** Buttons of a message beside that one: with more VS Code has no room to say whose message it is. */
const WAYS_MOST = 2;
/** After a change that may end a trouble, the next look waits for others that come with it. */
const LOOK_MS = 1_000;

/** Watches for reasons to look again, and says once what is in the way. */
export function register(context: vscode.ExtensionContext, companion: Companion): void {
    const told = new Set<string>();
    let waiting: NodeJS.Timeout | undefined;
    const lookAgain = (): void => {
        clearTimeout(waiting);
        waiting = setTimeout(() => void companion.restart(), LOOK_MS);
    };
    const lookIf = (states: readonly Companion["state"][]) => (): void => {
        if (states.includes(companion.state)) {
            lookAgain();
        }
    };
    context.subscriptions.push(
        vscode.workspace.onDidGrantWorkspaceTrust(() => void companion.restart()),
        vscode.workspace.onDidChangeWorkspaceFolders(lookIf(["asleep"])),
        vscode.window.onDidChangeVisibleTextEditors(lookIf(["asleep"])),
        onSetting(["interpreter", "importStrategy"], lookIf(["asleep", "starting", "running", "failed"])),
        // Somebody who installs it does so in a terminal: what ends there may have ended the trouble.
        vscode.window.onDidEndTerminalShellExecution(lookIf(["failed"])),
        vscode.window.onDidCloseTerminal(lookIf(["failed"])),
        companion.onDidTurn((state) => {
            if (state === "failed" && companion.trouble !== undefined) {
                void explain(context, companion.trouble, told);
            }
            if (state === "running") {
                void onInterpreter();
            }
        }),
        { dispose: () => clearTimeout(waiting) },
    );
    let listens = false;
    const onInterpreter = async (): Promise<void> => {
        if (!listens) {
            listens = true;
            await onOtherInterpreter(context, () => {
                if (!settings.interpreter() && companion.found?.candidate.source === "the Python extension") {
                    lookAgain();
                }
            });
        }
    };
}

/** Say what is in the way, once for each sort of trouble in a window; the status item goes on showing it. */
async function explain(context: vscode.ExtensionContext, trouble: Trouble, told: Set<string>): Promise<void> {
    const untold = context.globalState.get<readonly string[]>(UNTOLD, []);
    const again = trouble.sort === "crashed"; // each time somebody has started it anew
    if (settings.quiet() || untold.includes(trouble.sort) || (told.has(trouble.sort) && !again)) {
        return;
    }
    told.add(trouble.sort);
    const ways = waysOut(trouble).slice(0, WAYS_MOST);
    const titles = ways.map((way) => way.title);
    const chosen = await vscode.window.showWarningMessage(said(trouble), ...titles, ...(again ? [] : [NEVER]));
    if (chosen === NEVER) {
        await context.globalState.update(UNTOLD, [...untold, trouble.sort]);
    }
    const way = ways.find((one) => one.title === chosen);
    if (way !== undefined) {
        await vscode.commands.executeCommand(way.command);
    }
}
