/**
 * Commands that ended in a terminal with shell integration: what, where, how it ended, how long it took.
 *
 * What they print is not read. The server leaves out what the setting `run_ignore` of the program names, takes the
 * variables away that a command was given and redacts the rest before it is kept.
 */

import * as vscode from "vscode";
import type { Signal } from "./index";

/** Commands that ended. */
export const signal: Signal = {
    name: "terminal",
    watch: (tell) => {
        const began = new WeakMap<vscode.TerminalShellExecution, number>();
        return vscode.Disposable.from(
            vscode.window.onDidStartTerminalShellExecution(({ execution }) => began.set(execution, Date.now())),
            vscode.window.onDidEndTerminalShellExecution(({ execution, exitCode }) => {
                const { value, confidence } = execution.commandLine;
                const started = began.get(execution);
                const guessed = confidence === vscode.TerminalShellExecutionCommandLineConfidence.Low;
                if (exitCode === undefined || started === undefined || guessed || /^\s|^$/.test(value)) {
                    return; // not told how it ended, read off the screen, or begun with a space to be forgotten (bash drops that)
                }
                if (execution.cwd?.scheme === "file") {
                    const folder = execution.cwd.toString();
                    const took = Date.now() - started;
                    tell({ what: "ran", folder, command: value, exitCode, began: started, took });
                }
            }),
        );
    },
};
