/**
 * Test and build tasks that ended, with their exit codes.
 *
 * The results in the Test Explorer belong to the extension that ran them: VS Code shows them to no other (its
 * `testObserver` is for its own extensions). Tests run by a task or in a terminal are seen.
 */

import * as vscode from "vscode";
import { lineOf } from "./command";
import type { Signal } from "./index";

const GROUPS = [vscode.TaskGroup.Test.id, vscode.TaskGroup.Build.id];

/** Tasks that ended. */
export const signal: Signal = {
    name: "tests",
    watch: (tell) => {
        const began = new WeakMap<vscode.TaskExecution, number>();
        return vscode.Disposable.from(
            vscode.tasks.onDidStartTaskProcess(({ execution }) => began.set(execution, Date.now())),
            vscode.tasks.onDidEndTaskProcess(({ execution, exitCode }) => {
                const started = began.get(execution);
                const { task } = execution;
                const folder = folderOf(task);
                const command = commandOf(task);
                const meant = GROUPS.includes(task.group?.id ?? "");
                if (meant && exitCode !== undefined && started !== undefined && folder && command) {
                    tell({ what: "ran", folder, command, exitCode, began: started, took: Date.now() - started });
                }
            }),
        );
    },
};

function folderOf(task: vscode.Task): string | undefined {
    const given = task.execution instanceof vscode.CustomExecution ? undefined : task.execution?.options?.cwd;
    const scope = typeof task.scope === "object" ? task.scope.uri : vscode.workspace.workspaceFolders?.[0]?.uri;
    return (given && !given.includes("${") ? vscode.Uri.file(given) : scope)?.toString();
}

function commandOf(task: vscode.Task): string | undefined {
    const { execution } = task;
    if (execution instanceof vscode.ProcessExecution) {
        return lineOf([execution.process, ...execution.args]);
    }
    if (execution instanceof vscode.ShellExecution) {
        const words = [execution.command, ...(execution.args ?? [])].map((one) =>
            typeof one === "string" ? one : (one?.value ?? ""),
        );
        return execution.commandLine ?? lineOf(words);
    }
    return undefined;
}
