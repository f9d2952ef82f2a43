/** What both trees share: rows become tree items, and a tree looks again when something has changed. */

import * as vscode from "vscode";
import { failureOf } from "../failure";
import type { Companion } from "../companion";
import { noticeRow, type Row } from "./rows";

/** A work tree of the workspace. `root` is its URI. */
export interface Repository {
    readonly root: string;
    readonly name: string;
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

/** A row that says what went wrong and what to do; choosing it tries again. */
export function failureRow(thrown: unknown): Row {
    const row = noticeRow(failureOf(thrown).whole, "warning");
    return { ...row, description: "try again", spoken: `${row.spoken} Press Enter to try again.` };
}
