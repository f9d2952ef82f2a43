/** What both trees share: rows become tree items, and a tree looks again when something has changed. */

import * as vscode from "vscode";
import { failureOf } from "../failure";
import type { Companion } from "../companion";
import { lacks } from "../standing";
import { noticeRow, type Row } from "./rows";

/** A work tree of the workspace. `root` is its URI. */
export interface Repository {
    readonly root: string;
    readonly name: string;
}

/** A node that says something; choosing it does what its command says. */
export interface Notice {
    readonly sort: "notice";
    readonly row: Row;
    readonly key: string;
    readonly command: vscode.Command | undefined;
}

const COLLAPSIBLE = {
    never: vscode.TreeItemCollapsibleState.None,
    collapsed: vscode.TreeItemCollapsibleState.Collapsed,
    expanded: vscode.TreeItemCollapsibleState.Expanded,
} as const;

/** A row as VS Code shows it. `id` keeps what is folded out; the tooltip is Markdown that is not trusted. */
export function treeItem(row: Row, id: string, command?: vscode.Command): vscode.TreeItem {
    const item = new vscode.TreeItem(row.label, COLLAPSIBLE[row.opens]);
    item.id = id;
    item.description = row.description;
    item.iconPath = new vscode.ThemeIcon(row.icon);
    item.contextValue = row.context;
    item.accessibilityInformation = { label: row.spoken };
    item.tooltip = new vscode.MarkdownString(row.tooltip);
    if (command !== undefined) {
        item.command = command;
    }
    return item;
}

/** The work trees of the workspace, each once. Rejects with a Failure. */
export async function repositories(companion: Companion): Promise<readonly Repository[]> {
    const { repositories: found } = await companion.ask<{ readonly repositories: readonly Repository[] }>(
        "companion/repositories",
        {},
    );
    return found;
}

/** What a person should know of what is shown. */
export function told(text: string, key: string): Notice {
    return { sort: "notice", row: noticeRow(text), key, command: undefined };
}

/** What went wrong; choosing it tries again, or reads a repository of several that nobody has read. */
export function failed(thrown: unknown, again: string, root = ""): Notice {
    const failure = failureOf(thrown);
    const key = `${root} failure`;
    if (root !== "" && lacks(failure) === "reading") {
        const row = noticeRow("This repository has not been read yet.", "circle-large-outline");
        const shown = { ...row, description: "read it", spoken: `${row.spoken} Press Enter to read it.` };
        const read = { command: "companion.readRepository", title: "Read This Repository", arguments: [root] };
        return { sort: "notice", row: shown, key, command: read };
    }
    const row = noticeRow(failure.whole, "warning");
    const shown = { ...row, description: "try again", spoken: `${row.spoken} Press Enter to try again.` };
    return { sort: "notice", row: shown, key, command: { command: again, title: "Try Again" } };
}
