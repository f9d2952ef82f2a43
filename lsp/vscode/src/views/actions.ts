/** What can be done with a row of a tree: open it, its source; pin it; say that it is of no use; copy its text. */

import * as vscode from "vscode";
import type { Companion } from "../companion";
import { failureOf } from "../failure";
import { show, type Lines } from "./marks";
import { iconless, oneLine } from "./plain";
import type { Node } from "./tree";

/** The words by which the daemon notes that somebody wants no hint of a memory any more. */
const NOT_USEFUL = "not useful";
/** How long the status bar says what was done. */
const SAID_MS = 4_000;

/** What opening a row does, by the word of the language server. */
const OPENS: Readonly<Record<string, (node: Node, subject: string) => Thenable<unknown>>> = {
    document: (_, uri) => show(vscode.Uri.parse(uri)),
    source: (node) => openSource(node),
    preview: (node) => openSource(node, true),
    settle: ({ root }, id) => vscode.commands.executeCommand("companion.settleContradiction", root, id),
    review: ({ root }, id) => vscode.commands.executeCommand("companion.reviewConversation", root, id),
    search: (_, text) => vscode.commands.executeCommand("companion.searchContext", oneLine(text, 120)),
    link: (_, url) => browse(vscode.Uri.parse(url, true)),
    more: (node) => vscode.commands.executeCommand("companion.item.more", node),
};

/** Adds the commands on rows; the palette has none of them. */
export function register(context: vscode.ExtensionContext, companion: Companion): void {
    const act = (name: string, run: (node: Node) => Thenable<unknown> | undefined): void => {
        const told = async (node: Node | undefined): Promise<void> => {
            try {
                await (node && run(node));
            } catch (thrown) {
                void vscode.window.showErrorMessage(failureOf(thrown).whole);
            }
        };
        context.subscriptions.push(vscode.commands.registerCommand(`companion.item.${name}`, told));
    };
    const verb = async (node: Node, name: string, ask: object, said: string): Promise<void> => {
        await companion.ask("companion/ask", { folder: node.root, verb: name, ask });
        done(`${said}: ${node.row.label}`);
    };
    act("open", (node) => OPENS[node.row.opens[0]]?.(node, node.row.opens[1]));
    act("openSource", (node) => openSource(node));
    act("pin", (node) => verb(node, "pin", { id: node.row.id, on: true }, "pinned"));
    act("unpin", (node) => verb(node, "pin", { id: node.row.id, on: false }, "no longer pinned"));
    act("notUseful", (node) => verb(node, "pass_over", { ids: [node.row.id], action: NOT_USEFUL }, "downvoted"));
    act("settleThread", (node) => verb(node, "settle_thread", { id: node.row.id }, "resolved"));
    act("copyText", async ({ row }) => {
        await vscode.env.clipboard.writeText(row.text || row.label);
        done(`copied: ${row.text || row.label}`);
    });
}

/** Open the file that a row points to, at its lines; the server names none outside of its work tree. */
async function openSource({ row }: Node, keepsFocus = false): Promise<void> {
    if (row.uri !== undefined) {
        const lines: readonly Lines[] = row.line === undefined ? [] : [[row.line, row.last ?? row.line]];
        await show(vscode.Uri.parse(row.uri, true), lines, keepsFocus);
    }
}

/** Open an address of a forge in the browser, and nothing else. */
async function browse(uri: vscode.Uri): Promise<void> {
    if (uri.scheme === "https" || uri.scheme === "http") {
        await vscode.env.openExternal(uri);
    }
}

function done(what: string): void {
    vscode.window.setStatusBarMessage(`$(check) Companion: ${iconless(oneLine(what, 100))}`, SAID_MS);
}
