/** Commands about the server, the page and the line in front. Those of views stand with them. */

import * as vscode from "vscode";
import type { Companion } from "./companion";
import { failureOf } from "./failure";
import { wantedVersion } from "./python/find";
import { said } from "./trouble";

type Act = (companion: Companion, context: vscode.ExtensionContext, ...given: readonly unknown[]) => unknown;

const COMMANDS: Readonly<Record<string, Act>> = {
    restart: (companion) => companion.restart(),
    pause: (companion) => companion.pause(),
    resume: (companion) => companion.resume(),
    showLog: (companion) => companion.log.show(true),
    copyDiagnostics,
    openPage: (companion) => openPage(companion, shownHere(companion)),
    reviewConversation,
    openSettings: (_, context) =>
        vscode.commands.executeCommand("workbench.action.openSettings", `@ext:${context.extension.id}`),
    openWalkthrough: (_, context) =>
        vscode.commands.executeCommand("workbench.action.openWalkthrough", `${context.extension.id}#start`, false),
    readRepository: async (companion, _, root) => {
        const where = typeof root === "string" ? { root: vscode.Uri.parse(root, true).fsPath } : here();
        await companion.run("companion.read", where);
        companion.now.look();
    },
    refreshRepository: (companion) => companion.run("companion.refresh", here()),
    showContext: (companion) => companion.run("companion.context", here()),
    explainLine: (companion) => companion.run("companion.why", { ...here(), line: line() }),
    rememberSelection: (companion) => companion.run("companion.remember", { ...here(), range: selection() }),
};

/** Adds each under `companion.`; what goes wrong is said with the next step. */
export function register(context: vscode.ExtensionContext, companion: Companion): void {
    for (const [name, act] of Object.entries(COMMANDS)) {
        context.subscriptions.push(
            vscode.commands.registerCommand(`companion.${name}`, async (...given: unknown[]) => {
                try {
                    await act(companion, context, ...given);
                } catch (thrown) {
                    void vscode.window.showErrorMessage(failureOf(thrown).whole);
                }
            }),
        );
    }
}

/** The file in front, or the first folder. */
export function here(): { readonly uri: string } | { readonly folder: string } | Record<string, never> {
    const active = vscode.window.activeTextEditor?.document.uri;
    if (active?.scheme === "file") {
        return { uri: active.toString() };
    }
    const folder = vscode.workspace.workspaceFolders?.[0];
    return folder === undefined ? {} : { folder: folder.uri.toString() };
}

/** The same, and the repository that is shown: it is meant where the file in front lies in none. */
export function shownHere(companion: Companion): object {
    const root = companion.now.latest?.root;
    return root === undefined ? here() : { ...here(), folder: root };
}

function line(): number {
    return (vscode.window.activeTextEditor?.selection.active.line ?? 0) + 1;
}

function selection(): vscode.Range | undefined {
    return vscode.window.activeTextEditor?.selection;
}

/** Review a conversation on the page: the one of a row, or those that wait. */
function reviewConversation(companion: Companion, _: unknown, root: unknown, id: unknown): Promise<void> {
    const where = typeof root === "string" ? { folder: root } : shownHere(companion);
    return openPage(companion, where, typeof id === "string" ? `review?id=${id}` : "review");
}

/** Open a room of the local page in the browser; in a remote window VS Code itself finds the way to its computer. */
export async function openPage(companion: Companion, where: object, room = ""): Promise<void> {
    const page = await companion.ask<{ readonly url: string }>("companion/page", where);
    const url = room === "" ? page.url : `${page.url}&to=${encodeURIComponent(room)}`;
    if (!(await vscode.env.openExternal(vscode.Uri.parse(url, true)))) {
        const copy = "Copy Link";
        if ((await vscode.window.showWarningMessage("No browser opened the page.", copy)) === copy) {
            await vscode.env.clipboard.writeText(url);
        }
    }
}

/** What somebody who helps would ask first, without paths of files or anything that was remembered. */
async function copyDiagnostics(companion: Companion, context: vscode.ExtensionContext): Promise<void> {
    const found = companion.found;
    const lines = [
        `Extension: ${wantedVersion(context)}`,
        `Companion: ${companion.version || "not running"}`,
        `State: ${companion.state}${companion.trouble ? ` (${said(companion.trouble)})` : ""}`,
        `Found by: ${found ? `${found.candidate.command} (from ${found.candidate.source})` : "nothing"}`,
        `VS Code: ${vscode.version} ${vscode.env.appHost}${vscode.env.remoteName ? ` remote ${vscode.env.remoteName}` : ""}`,
        `System: ${process.platform} ${process.arch}`,
        `Folders: ${vscode.workspace.workspaceFolders?.length ?? 0}, trusted: ${vscode.workspace.isTrusted}`,
    ];
    await vscode.env.clipboard.writeText(lines.join("\n"));
    vscode.window.setStatusBarMessage("Companion: diagnostics copied", 3_000);
}
