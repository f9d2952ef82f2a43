/**
 * The tree *Memory*: what a search found, decisions, contradictions to settle, open threads, workflows.
 *
 * Shelves are asked for while the view is seen, a page each; what was loaded stays until something changes.
 */

import * as vscode from "vscode";
import type { Companion } from "../companion";
import { lacks } from "../standing";
import type { Answer } from "./records";
import { rootRow } from "./rows";
import {
    entryRow,
    found,
    idOf,
    moreRow,
    MOST,
    PAGE,
    shelfRow,
    SHELVES,
    type Entry,
    type Page,
    type Shelf,
} from "./shelves";
import { failed, repositories, told, treeItem, type Notice, type Repository } from "./tree";

/** A node of the tree; commands on items are given one. */
export type MemoryNode =
    | { readonly sort: "repository"; readonly repository: Repository }
    | { readonly sort: "shelf"; readonly root: string; readonly shelf: Shelf }
    | { readonly sort: "entry"; readonly root: string; readonly shelf: Shelf; readonly entry: Entry }
    | { readonly sort: "more"; readonly root: string; readonly shelf: Shelf; readonly page: Page }
    | Notice;

/** A page of a shelf with what the person should know of it, or why there is none. */
type Loaded = { readonly page: Page; readonly notices: readonly string[] } | { readonly thrown: unknown };

const AGAIN = "companion.refreshMemory";
/** News that come together are one look: a checkout brings several. */
const GATHERED_MS = 250;
/** A context that was made anew changes nothing of what is remembered. */
const NO_NEWS = "prefetched";

/** Adds the tree, its search and its paging. */
export function register(context: vscode.ExtensionContext, companion: Companion): void {
    const tree = new MemoryTree(companion);
    const view = vscode.window.createTreeView("companion.memory", { treeDataProvider: tree });
    context.subscriptions.push(
        view,
        tree,
        vscode.commands.registerCommand("companion.searchContext", async (given?: unknown) => {
            const text = typeof given === "string" ? given : await askedText(tree.searched);
            if (text !== undefined) {
                await vscode.commands.executeCommand("companion.memory.focus");
                tree.search(text.trim());
            }
        }),
        vscode.commands.registerCommand("companion.clearSearch", () => tree.search("")),
        vscode.commands.registerCommand(AGAIN, () => tree.refresh()),
        vscode.commands.registerCommand("companion.item.more", (node: MemoryNode) => tree.more(node)),
    );
}

class MemoryTree implements vscode.TreeDataProvider<MemoryNode>, vscode.Disposable {
    searched = "";

    private readonly changed = new vscode.EventEmitter<MemoryNode | undefined>();
    readonly onDidChangeTreeData = this.changed.event;
    /** How many entries of a shelf are shown, where it is not the first page. */
    private readonly counts = new Map<string, number>();
    /** What was loaded since the last look. */
    private loaded = new Map<string, Promise<Loaded>>();
    private waiting: NodeJS.Timeout | undefined;
    private lacked = "";
    private readonly listening: vscode.Disposable;

    constructor(private readonly companion: Companion) {
        this.listening = vscode.Disposable.from(
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
        this.searched = text;
        void vscode.commands.executeCommand("setContext", "companion.searched", text !== "");
        this.refresh();
    }

    /** Show the next page of a shelf. */
    more(node: MemoryNode): void {
        if (node.sort === "more") {
            this.counts.set(keyOf(node), Math.min(node.page.entries.length + PAGE, MOST));
            this.refresh();
        }
    }

    refresh(): void {
        this.loaded = new Map();
        this.changed.fire(undefined);
    }

    dispose(): void {
        clearTimeout(this.waiting);
        this.listening.dispose();
        this.changed.dispose();
    }

    async getTreeItem(node: MemoryNode): Promise<vscode.TreeItem> {
        switch (node.sort) {
            case "repository":
                return treeItem(
                    { ...rootRow(node.repository.name, undefined), opens: "expanded" },
                    node.repository.root,
                );
            case "shelf": {
                const loaded = await this.load(node.root, node.shelf);
                return treeItem(shelfRow(node.shelf, "page" in loaded ? loaded.page : undefined), keyOf(node));
            }
            case "entry": {
                const open = { command: "companion.item.open", title: "Open", arguments: [node] };
                return treeItem(entryRow(node.entry), `${keyOf(node)} ${idOf(node.entry)}`, open);
            }
            case "more": {
                const load = { command: "companion.item.more", title: "Load More", arguments: [node] };
                return treeItem(moreRow(node.page), `${keyOf(node)} more`, load);
            }
            case "notice":
                return treeItem(node.row, node.key, node.command);
        }
    }

    async getChildren(node?: MemoryNode): Promise<MemoryNode[]> {
        if (node === undefined) {
            return this.top();
        }
        if (node.sort === "repository") {
            return this.inside(node.repository.root);
        }
        return node.sort === "shelf" ? this.entries(node.root, node.shelf) : [];
    }

    /** Nothing at all leaves the view to its welcome text. */
    private async top(): Promise<MemoryNode[]> {
        if (this.companion.state !== "running" || lacks(this.companion.now.failure)) {
            return [];
        }
        try {
            const known = await repositories(this.companion);
            const [only] = known;
            return known.length === 1 && only !== undefined
                ? this.shelves(only.root)
                : known.map((repository) => ({ sort: "repository", repository }));
        } catch (thrown) {
            return [failed(thrown, AGAIN)];
        }
    }

    /** Of several repositories one that nobody has read says so once: its shelves would all look empty. */
    private async inside(root: string): Promise<MemoryNode[]> {
        try {
            await this.companion.ask("companion/ask", { folder: root, verb: "at_work", ask: {} });
            return this.shelves(root);
        } catch (thrown) {
            return [failed(thrown, AGAIN, root)];
        }
    }

    private shelves(root: string): MemoryNode[] {
        const shelves = this.searched === "" ? SHELVES : [found(this.searched), ...SHELVES];
        return shelves.map((shelf) => ({ sort: "shelf", root, shelf }));
    }

    private async entries(root: string, shelf: Shelf): Promise<MemoryNode[]> {
        const key = `${root} ${shelf.name}`;
        const loaded = await this.load(root, shelf);
        if ("thrown" in loaded) {
            return [{ ...failed(loaded.thrown, AGAIN), key: `${key} failure` }];
        }
        const { page } = loaded;
        const texts = page.entries.length === 0 ? [shelf.empty, ...loaded.notices] : loaded.notices;
        return [
            ...page.entries.map((entry): MemoryNode => ({ sort: "entry", root, shelf, entry })),
            ...texts.map((text) => told(text, `${key} ${text}`)),
            ...(page.more ? [{ sort: "more", root, shelf, page } as const] : []),
        ];
    }

    /** A shelf is asked for once between two looks: for its row, and for what stands on it. */
    private load(root: string, shelf: Shelf): Promise<Loaded> {
        const key = `${root} ${shelf.name}`;
        const known = this.loaded.get(key) ?? this.ask(root, shelf, this.counts.get(key) ?? PAGE);
        this.loaded.set(key, known);
        return known;
    }

    private async ask(root: string, shelf: Shelf, count: number): Promise<Loaded> {
        const notices: string[] = [];
        const ask = async <R>(verb: string, given: object): Promise<R> => {
            const answer = await this.companion.ask<Answer<R>>("companion/ask", { folder: root, verb, ask: given });
            notices.push(...answer.notices);
            return answer.result;
        };
        try {
            return { page: await shelf.load(ask, count), notices };
        } catch (thrown) {
            return { thrown };
        }
    }

    private soon(): void {
        clearTimeout(this.waiting);
        this.waiting = setTimeout(() => this.refresh(), GATHERED_MS);
    }

    /** A repository that was just read has shelves now. */
    private soonIfReadNow(): void {
        const lacked = lacks(this.companion.now.failure);
        if (lacked !== this.lacked) {
            this.lacked = lacked;
            this.soon();
        }
    }
}

async function askedText(before: string): Promise<string | undefined> {
    return vscode.window.showInputBox({
        title: "Search Context",
        prompt: "Words, a file, a symbol or an error; what is found stands in the view Memory.",
        placeHolder: "rounding of prices",
        value: before,
        valueSelection: [0, before.length],
    });
}

function keyOf(node: { readonly root: string; readonly shelf: Shelf }): string {
    return `${node.root} ${node.shelf.name}`;
}
