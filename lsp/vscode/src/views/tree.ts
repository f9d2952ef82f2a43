/** Trees of rows: the language server says what they show, VS Code draws it, and nothing is decided between. */

import * as vscode from "vscode";
import { failureOf } from "../failure";
import type { Companion } from "../companion";
import { lacks } from "../standing";
import type { Row } from "../wire";
import { escaped, oneLine } from "./plain";

/** A work tree of the workspace. `root` is its URI. */
export interface Repository {
    readonly root: string;
    readonly name: string;
}

/** A row in its place; `key` keeps what is folded out, `command` is what choosing it does where the row says nothing. */
export interface Node {
    readonly root: string;
    readonly row: Row;
    readonly key: string;
    readonly command?: vscode.Command;
    below(): readonly Node[] | Promise<readonly Node[]>;
}

/** Characters of a sentence in place of rows. */
const SAID_CHARACTERS = 500;
const COLLAPSIBLE = {
    never: vscode.TreeItemCollapsibleState.None,
    collapsed: vscode.TreeItemCollapsibleState.Collapsed,
    expanded: vscode.TreeItemCollapsibleState.Expanded,
} as const;

/** A tree whose first rows are asked for again whenever something has changed. */
export class RowTree implements vscode.TreeDataProvider<Node>, vscode.Disposable {
    private readonly changed = new vscode.EventEmitter<undefined>();
    readonly onDidChangeTreeData = this.changed.event;

    /** `chosen` are ids of rows whose check box is set, of a tree whose rows have one. */
    constructor(
        private readonly top: () => readonly Node[] | Promise<readonly Node[]>,
        private readonly chosen?: ReadonlySet<string>,
    ) {}

    refresh(): void {
        this.changed.fire(undefined);
    }

    dispose(): void {
        this.changed.dispose();
    }

    async getChildren(node?: Node): Promise<Node[]> {
        return [...(await (node === undefined ? this.top() : node.below()))];
    }

    /** A row as VS Code shows it; the tooltip is Markdown that is not trusted. */
    getTreeItem(node: Node): vscode.TreeItem {
        const { row } = node;
        const item = new vscode.TreeItem(row.label, COLLAPSIBLE[row.fold]);
        item.id = node.key;
        item.description = row.description;
        item.contextValue = row.context;
        item.accessibilityInformation = { label: row.spoken };
        item.tooltip = new vscode.MarkdownString(row.tooltip);
        if (row.icon !== "") {
            item.iconPath = new vscode.ThemeIcon(row.icon);
        }
        if (row.sort === "file" && row.uri !== undefined) {
            item.resourceUri = vscode.Uri.parse(row.uri, true); // its icon and what Git says of it
            item.iconPath = vscode.ThemeIcon.File;
        }
        if (this.chosen !== undefined && isItem(row)) {
            const { Checked, Unchecked } = vscode.TreeItemCheckboxState;
            item.checkboxState = this.chosen.has(row.id) ? Checked : Unchecked;
        }
        const open = { command: "companion.item.open", title: "Open", arguments: [node] };
        const command = node.command ?? (row.opens[0] === "" ? undefined : open);
        if (command !== undefined) {
            item.command = command;
        }
        return item;
    }
}

/** Whether a row is something that a context can hold. */
export function isItem({ context }: Row): boolean {
    return context.startsWith("item ");
}

/** Rows of a work tree, and below them what the person should know. */
export function nodesOf(root: string, rows: readonly Row[], notices: readonly string[] = [], above = root): Node[] {
    const nodes = rows.map((row): Node => {
        const key = `${above} ${row.id} ${row.line ?? ""} ${row.label}`; // a search finds several places of one file
        return { root, row, key, below: () => nodesOf(root, row.rows, [], key) };
    });
    return [...nodes, ...notices.map((text) => told(root, text, `${above} ${text}`))];
}

/** A repository, where there are several; what is in it is asked for when it is folded out. */
export function repositoryNode(
    { root, name }: Repository,
    description: string,
    isFront: boolean,
    below: () => Promise<readonly Node[]>,
): Node {
    const spoken = `Repository ${name}${description && `, ${description}`}`;
    const row = plainRow(name, "repo", spoken, "repository");
    const shown = { ...row, description, fold: isFront ? "expanded" : "collapsed" } as const;
    return { root, row: shown, key: isFront ? `${root} in front` : root, below };
}

/** A heading with rows below it. */
export function groupNode(root: string, label: string, below: readonly Node[]): Node {
    const row = { ...plainRow(label, "", label, "group"), fold: "expanded" } as const;
    return { root, row, key: `${root} ${label}`, below: () => below };
}

/** A row of a few words with nothing below it; `above` tells it from others that say the same. */
export function leaf(root: string, label: string, icon: string, above: string, opens: Row["opens"]): Node {
    const flat = oneLine(label, SAID_CHARACTERS);
    return {
        root,
        row: { ...plainRow(flat, icon, flat, "link"), opens },
        key: `${root} ${above} ${flat}`,
        below: () => [],
    };
}

/** The work trees of the workspace, each once. Rejects with a Failure. */
export async function repositories(companion: Companion): Promise<readonly Repository[]> {
    const { repositories: found } = await companion.ask<{ readonly repositories: readonly Repository[] }>(
        "companion/repositories",
        {},
    );
    return found;
}

/** What went wrong; choosing it tries again, or reads a repository of several that nobody has read. */
export function failed(thrown: unknown, again: string, root = ""): Node {
    const failure = failureOf(thrown);
    const key = `${root} failure`;
    const isUnread = root !== "" && lacks(failure) === "reading";
    const text = isUnread ? "This repository has not been read yet." : failure.whole;
    const node = told(root, text, key, isUnread ? "circle-large-outline" : "warning");
    const command = isUnread
        ? { command: "companion.readRepository", title: "Index Repository", arguments: [root] }
        : { command: again, title: "Try Again" };
    const description = isUnread ? "read it" : "try again";
    const spoken = `${node.row.spoken} Press Enter to ${description}.`;
    return { ...node, row: { ...node.row, description, spoken }, command };
}

/** A sentence in place of rows. */
function told(root: string, text: string, key: string, icon = "info"): Node {
    const flat = oneLine(text, SAID_CHARACTERS);
    const said = flat.charAt(0).toUpperCase() + flat.slice(1);
    return { root, row: plainRow(said, icon, said, "notice"), key, below: () => [] };
}

function plainRow(label: string, icon: string, spoken: string, context: string): Row {
    const none = { description: "", text: "", opens: ["", ""], rows: [], fold: "never" } as const;
    return { ...none, id: label, sort: context, label, icon, tooltip: escaped(label), spoken, context };
}
