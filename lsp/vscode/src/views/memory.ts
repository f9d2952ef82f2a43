/**
 * The tree *Memory*: what a search found, what waits for a person, and what is remembered.
 *
 * It is asked for while the view is seen, a page of each group; what was loaded stays until something changes.
 */

import * as vscode from "vscode";
import type { Companion } from "../companion";
import { lacks } from "../standing";
import type { Remembered } from "../wire";
import { failed, nodesOf, repositories, repositoryNode, RowTree, type Node } from "./tree";

const AGAIN = "companion.refreshMemory";
/** News that come together are one look: a checkout brings several. */
const GATHERED_MS = 250;
/** A context that was made anew changes nothing of what is remembered. */
const NO_NEWS = "prefetched";

/** Adds the tree, its search and its paging. */
export function register(context: vscode.ExtensionContext, companion: Companion): void {
    const memory = new MemoryView(companion);
    const view = vscode.window.createTreeView("companion.memory", { treeDataProvider: memory.tree });
    context.subscriptions.push(
        view,
        memory,
        vscode.commands.registerCommand("companion.searchContext", async (given?: unknown) => {
            await vscode.commands.executeCommand("companion.memory.focus");
            memory.search(typeof given === "string" ? given : await typed(memory));
        }),
        vscode.commands.registerCommand("companion.clearSearch", () => memory.search("")),
        vscode.commands.registerCommand(AGAIN, () => memory.tree.refresh()),
        vscode.commands.registerCommand("companion.item.more", (node: Node) => memory.more(node)),
    );
}

class MemoryView implements vscode.Disposable {
    searched = "";
    readonly tree = new RowTree(() => this.top());

    /** How many rows of a group are shown, by work tree, where it is not the first page. */
    private readonly counts = new Map<string, Record<string, number>>();
    private waiting: NodeJS.Timeout | undefined;
    private lacked = "";
    private readonly listening: vscode.Disposable;

    constructor(private readonly companion: Companion) {
        this.listening = vscode.Disposable.from(
            this.tree,
            companion.onDidChange((change) => {
                if (change.what !== NO_NEWS) {
                    this.soon();
                }
            }),
            companion.onDidTurn(() => this.soon()),
            companion.now.onDidChange(() => this.soonIfReadNow()),
        );
    }

    /** Show what is found for a text; nothing is searched for when it is empty. */
    search(text: string): void {
        if (text.trim() === this.searched) {
            return; // it was shown while it was typed
        }
        this.searched = text.trim();
        void vscode.commands.executeCommand("setContext", "companion.searched", this.searched !== "");
        this.tree.refresh();
    }

    /** Show as many rows of a group as its row “more” says. */
    more({ root, row }: Node): void {
        this.counts.set(root, { ...this.counts.get(root), [row.opens[1]]: Number(row.text) });
        this.tree.refresh();
    }

    dispose(): void {
        clearTimeout(this.waiting);
        this.listening.dispose();
    }

    /** Nothing at all leaves the view to its welcome text. */
    private async top(): Promise<readonly Node[]> {
        if (this.companion.state !== "running" || lacks(this.companion.now.failure)) {
            return [];
        }
        try {
            const known = await repositories(this.companion);
            const [only] = known;
            return known.length === 1 && only !== undefined
                ? await this.inside(only.root)
                : known.map((one) => repositoryNode(one, "", true, () => this.inside(one.root)));
        } catch (thrown) {
            return [failed(thrown, AGAIN)];
        }
    }

    private async inside(root: string): Promise<readonly Node[]> {
        const ask = { folder: root, search: this.searched, counts: this.counts.get(root) ?? {} };
        try {
            const { rows, notices } = await this.companion.ask<Remembered>("companion/memory", ask);
            return nodesOf(root, rows, notices);
        } catch (thrown) {
            return [failed(thrown, AGAIN, root)];
        }
    }

    private soon(): void {
        clearTimeout(this.waiting);
        this.waiting = setTimeout(() => this.tree.refresh(), GATHERED_MS);
    }

    /** A repository that was just read has something to show now. */
    private soonIfReadNow(): void {
        const lacked = lacks(this.companion.now.failure);
        if (lacked !== this.lacked) {
            this.lacked = lacked;
            this.soon();
        }
    }
}

/** What is searched for in the end: each pause in typing shows what is found so far, and Escape what was shown before. */
async function typed(memory: MemoryView): Promise<string> {
    const before = memory.searched;
    const text = await vscode.window.showInputBox({
        title: "Search Context",
        prompt: "Words, a file, a symbol or an error; what is found is shown in the view Memory.",
        placeHolder: "rounding of prices",
        value: before,
        valueSelection: [0, before.length],
        validateInput: (soFar) => void memory.search(soFar),
    });
    return text ?? before;
}
