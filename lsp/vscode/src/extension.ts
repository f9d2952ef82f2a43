/** Where the extension begins and ends. A new part is a module with `register` and a line in PARTS. */

import * as vscode from "vscode";
import { Client } from "./client";
import type { Companion } from "./companion";
import * as commands from "./commands";
import * as life from "./life";
import * as menu from "./menu";
import * as mcp from "./mcp";
import * as python from "./python";
import * as quiet from "./quiet";
import * as signals from "./signals";
import * as status from "./status";
import * as walkthrough from "./walkthrough";
import * as contradictions from "./review/contradictions";
import * as actions from "./views/actions";
import * as handing from "./views/context";
import * as memory from "./views/memory";
import * as now from "./views/now";
import * as story from "./views/story";

/** One part of the extension: says what it adds to the editor. */
interface Part {
    register(context: vscode.ExtensionContext, companion: Companion): void;
}

const PARTS: readonly Part[] = [
    ...[life, status, menu, commands, python, quiet, mcp, signals, walkthrough],
    ...[now, memory, story, actions, handing, contradictions],
];

let client: Client | undefined;

/** Called by VS Code after its own start. Returns at once: the language server is found and started afterwards. */
export function activate(context: vscode.ExtensionContext): void {
    const log = vscode.window.createOutputChannel("Companion", { log: true });
    const companion = new Client(context, log);
    client = companion;
    context.subscriptions.push(log, companion);
    companion.now.follow();
    for (const part of PARTS) {
        part.register(context, companion);
    }
    void companion.begin();
}

/** Called by VS Code when the window closes. */
export async function deactivate(): Promise<void> {
    await client?.close();
}
