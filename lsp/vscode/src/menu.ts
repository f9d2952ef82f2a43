/** The menu of the status item: what can be done as things stand, nothing else. */

import * as vscode from "vscode";
import type { Companion } from "./companion";
import { settings } from "./settings";
import { lacks } from "./standing";
import { waysOut } from "./trouble";

interface Row extends vscode.QuickPickItem {
    readonly command?: string;
}

/** Adds the command that opens the menu. */
export function register(context: vscode.ExtensionContext, companion: Companion): void {
    context.subscriptions.push(
        vscode.commands.registerCommand("companion.showMenu", async () => {
            const title = companion.version ? `Companion ${companion.version}` : "Companion";
            const row = await vscode.window.showQuickPick(rows(companion), { title, placeHolder: "What to do" });
            if (row?.command !== undefined) {
                await vscode.commands.executeCommand(row.command);
            }
        }),
    );
}

function rows(companion: Companion): Row[] {
    const quiet = settings.quiet()
        ? row("bell", "Turn Quiet Off", "companion.quietOff")
        : row("bell-slash", "Turn Quiet On", "companion.quietOn", "show nothing on its own");
    const restart = row("debug-restart", "Restart", "companion.restart");
    const pause = row("debug-pause", "Pause", "companion.pause", "read, show and note nothing in this workspace");
    const ends = [
        { label: "", kind: vscode.QuickPickItemKind.Separator },
        row("output", "Show Log", "companion.showLog"),
        row("clippy", "Copy Diagnostics", "companion.copyDiagnostics"),
        row("gear", "Open Settings", "companion.openSettings"),
        row("mortar-board", "Open Walkthrough", "companion.openWalkthrough"),
    ];
    switch (companion.state) {
        case "starting":
        case "asleep":
            return [restart, pause, ...ends];
        case "paused":
            return [row("debug-continue", "Resume", "companion.resume"), ...ends];
        case "restricted":
            return [row("workspace-trusted", "Manage Workspace Trust", "workbench.trust.manage"), ...ends];
        case "failed": {
            const ways = companion.trouble === undefined ? [] : waysOut(companion.trouble);
            const outs = ways.filter(
                (way) => way.command !== "companion.showLog" && way.command !== "companion.restart",
            );
            return [...outs.map((way) => row("wrench", way.title, way.command)), restart, pause, ...ends];
        }
        case "running":
            return [...looks(companion), quiet, pause, restart, ...ends];
    }
}

function looks(companion: Companion): Row[] {
    const page = row("globe", "Open Page", "companion.openPage");
    switch (lacks(companion.now.failure)) {
        case "repository":
            return [row("folder-opened", "Open Folder", "vscode.openFolder")];
        case "reading":
            return [row("book", "Index Repository", "companion.readRepository"), page];
        case "": {
            const story = row("history", "Story of This Line", "companion.showStory", "what made it, step by step");
            return [
                ...(vscode.window.activeTextEditor?.document.uri.scheme === "file" ? [story] : []),
                row("search", "Search", "companion.searchContext", "all that is known of this repository"),
                row("copy", "Copy Context", "companion.copyContext", "for an assistant, of the file in front"),
                row("list-tree", "Show Context", "companion.showContext"),
                page,
            ];
        }
    }
}

function row(sign: string, label: string, command: string, description = ""): Row {
    return { label: `$(${sign}) ${label}`, description, command };
}
