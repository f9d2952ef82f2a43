/** What can be done with an item of a tree: open it, its source; pin it; say that it is of no use; copy its text. */

import * as vscode from "vscode";
import type { Companion } from "../companion";
import { failureOf } from "../failure";
import { isInside, virtual } from "./documents";
import type { MemoryNode } from "./memory";
import type { NowNode } from "./now";
import { iconless, oneLine } from "./plain";
import type { Answer } from "./records";
import { sourceOf } from "./shelves";

type Node = NowNode | MemoryNode;

/** The words by which the owner notes that somebody wants no hint of a memory any more. */
const NOT_USEFUL = "not useful";
/** How long the status bar says what was done. */
const SAID_MS = 4_000;

/** A memory, whichever tree it stands in. */
interface Named {
    readonly root: string;
    readonly id: string;
    readonly title: string;
    readonly text: string;
}

/** Adds the commands on items; the palette has none of them. */
export function register(context: vscode.ExtensionContext, companion: Companion): void {
    const act = (name: string, run: (node: Node) => Promise<unknown>): void => {
        const told = async (node: Node | undefined): Promise<void> => {
            try {
                await (node && run(node));
            } catch (thrown) {
                void vscode.window.showErrorMessage(failureOf(thrown).whole);
            }
        };
        context.subscriptions.push(vscode.commands.registerCommand(`companion.item.${name}`, told));
    };
    act("open", open);
    act("openSource", openSource);
    act("expand", expand);
    act("pin", (node) => pin(companion, node, true));
    act("unpin", (node) => pin(companion, node, false));
    act("notUseful", (node) => notUseful(companion, node));
    act("copyText", copyText);
    act("settleThread", (node) => settleThread(companion, node));
}

/** What Enter does: a file is opened, a memory is shown in full, a topic searched for, a contradiction settled. */
async function open(node: Node): Promise<void> {
    if (node.sort === "entry") {
        switch (node.entry.sort) {
            case "memory":
                return expand(node);
            case "contradiction":
                await vscode.commands.executeCommand("companion.settleContradiction", node.root, node.entry.one.id);
                return;
            case "talk":
                await vscode.commands.executeCommand("companion.reviewConversation", node.root, node.entry.talk.id);
                return;
            case "thread":
                await vscode.commands.executeCommand("companion.searchContext", oneLine(node.entry.thread.text, 120));
                return;
        }
    }
    if (node.sort === "item") {
        switch (node.item.kind) {
            case "file":
                return openSource(node);
            case "contradiction":
                await vscode.commands.executeCommand("companion.settleContradiction", node.root, node.item.id);
                return;
            case "topic":
                await vscode.commands.executeCommand("companion.searchContext", node.item.id.replace(/^topic:/, ""));
                return;
            default:
                return expand(node);
        }
    }
}

/** Show all that is known of an item in a read-only document. */
async function expand(node: Node): Promise<void> {
    const named = namedOf(node);
    if (named !== undefined) {
        const uri =
            node.sort === "item" && node.item.opens
                ? node.item.opens
                : virtual("memory", named.id, named.root, oneLine(named.title, 80));
        await show(vscode.Uri.parse(uri));
    }
}

async function openSource(node: Node): Promise<void> {
    const place = placeOf(node);
    if (place === undefined) {
        return;
    }
    const line = Math.max(0, (place.line ?? 1) - 1);
    const selection = new vscode.Range(line, 0, line, 0);
    await show(place.uri, place.line === undefined ? {} : { selection });
}

async function show(uri: vscode.Uri, options: vscode.TextDocumentShowOptions = {}): Promise<void> {
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { preview: true, ...options });
}

async function pin(companion: Companion, node: Node, on: boolean): Promise<void> {
    const named = namedOf(node);
    if (named !== undefined) {
        await companion.ask("companion/ask", { folder: named.root, verb: "pin", ask: { id: named.id, on } });
        said(`${on ? "pinned" : "no longer pinned"}: ${named.title}`);
    }
}

async function notUseful(companion: Companion, node: Node): Promise<void> {
    const named = namedOf(node);
    if (named !== undefined) {
        const ask = { ids: [named.id], action: NOT_USEFUL };
        await companion.ask<Answer<null>>("companion/ask", { folder: named.root, verb: "pass_over", ask });
        said(`noted, of no use: ${named.title}`);
    }
}

async function settleThread(companion: Companion, node: Node): Promise<void> {
    if (node.sort === "entry" && node.entry.sort === "thread") {
        const { id, text } = node.entry.thread;
        await companion.ask("companion/ask", { folder: node.root, verb: "settle_thread", ask: { id } });
        said(`settled: ${text}`);
    }
}

async function copyText(node: Node): Promise<void> {
    const named = namedOf(node);
    const text = named?.text ?? (node.sort === "entry" && node.entry.sort === "thread" ? node.entry.thread.text : "");
    if (text) {
        await vscode.env.clipboard.writeText(text);
        said(`copied: ${text}`);
    }
}

function namedOf(node: Node): Named | undefined {
    if (node.sort === "item") {
        const { id, title, text } = node.item;
        return { root: node.root, id, title, text };
    }
    if (node.sort === "entry" && node.entry.sort === "memory") {
        const { id, draft } = node.entry.memory;
        return { root: node.root, id, title: draft.levels.compressed, text: draft.levels.summary };
    }
    return undefined;
}

/** The file that an item points to and the line, from 1; never one outside of its work tree. */
function placeOf(node: Node): { readonly uri: vscode.Uri; readonly line: number | undefined } | undefined {
    if (node.sort === "item" && node.item.uri !== undefined) {
        return { uri: vscode.Uri.parse(node.item.uri, true), line: node.item.line };
    }
    if (node.sort === "entry" && node.entry.sort === "memory") {
        const source = sourceOf(node.entry.memory);
        if (source !== undefined && isInside(source.path)) {
            return { uri: vscode.Uri.joinPath(vscode.Uri.parse(node.root, true), source.path), line: source.line };
        }
    }
    return undefined;
}

function said(what: string): void {
    vscode.window.setStatusBarMessage(`$(check) Companion: ${iconless(oneLine(what, 100))}`, SAID_MS);
}
