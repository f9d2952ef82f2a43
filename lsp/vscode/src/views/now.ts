/**
 * The tree *Now*: what is in the context of the file in front, in its four tiers.
 *
 * With one repository its tiers stand at the top; with several each has a node, and those of the others are asked for
 * when they are folded out. What is in front is asked by `companion.now`, for this tree and the status item together.
 */

import * as vscode from "vscode";
import type { Companion } from "../companion";
import { ago } from "../kept";
import { lacks } from "../standing";
import type { Item, Now, Tier } from "../wire";
import { oneLine } from "./plain";
import { itemRow, rootRow, tierRow, tiersShown, usedOf } from "./rows";
import { failed, told, treeItem, type Notice, type Repository } from "./tree";

/** A node of the tree; commands on items are given one. */
export type NowNode =
    | { readonly sort: "repository"; readonly repository: Repository }
    | { readonly sort: "tier"; readonly root: string; readonly tier: Tier }
    | { readonly sort: "item"; readonly root: string; readonly tier: string; readonly item: Item }
    | Notice;

const AGAIN = "companion.refreshNow";

/** Adds the tree. */
export function register(context: vscode.ExtensionContext, companion: Companion): void {
    const tree = new NowTree(companion);
    const view = vscode.window.createTreeView("companion.now", { treeDataProvider: tree });
    const shown = (): void => {
        const { latest, asOf_ms } = companion.now;
        view.description = latest === undefined ? "" : headOf(latest, asOf_ms !== undefined);
        // Above the tree: while it is the only view of its container, what stands beside its title is not shown.
        view.message = asOf_ms === undefined ? "" : `As of ${ago(asOf_ms, Date.now())}; being refreshed.`;
        tree.refresh();
    };
    companion.now.seen = view.visible;
    context.subscriptions.push(
        view,
        tree,
        companion.now.onDidChange(shown),
        view.onDidChangeVisibility(({ visible }) => (companion.now.seen = visible)),
    );
    context.subscriptions.push(
        vscode.commands.registerCommand(AGAIN, () => {
            companion.now.look();
        }),
    );
}

class NowTree implements vscode.TreeDataProvider<NowNode>, vscode.Disposable {
    private readonly changed = new vscode.EventEmitter<undefined>();
    readonly onDidChangeTreeData = this.changed.event;

    constructor(private readonly companion: Companion) {}

    refresh(): void {
        this.changed.fire(undefined);
    }

    dispose(): void {
        this.changed.dispose();
    }

    getTreeItem(node: NowNode): vscode.TreeItem {
        switch (node.sort) {
            case "repository": {
                const { root, name } = node.repository;
                const now = this.companion.now.latest;
                const front = now?.root === root ? now : undefined;
                return treeItem(rootRow(name, front), front === undefined ? root : `${root} in front`);
            }
            case "tier":
                return treeItem(tierRow(node.tier), `${node.root} ${node.tier.name}`);
            case "item": {
                const open = { command: "companion.item.open", title: "Open", arguments: [node] };
                const item = treeItem(itemRow(node.item), `${node.root} ${node.tier} ${node.item.id}`, open);
                if (node.item.kind === "file" && node.item.uri !== undefined) {
                    item.resourceUri = vscode.Uri.parse(node.item.uri, true); // its icon and what Git says of it
                    item.iconPath = vscode.ThemeIcon.File;
                }
                return item;
            }
            case "notice":
                return treeItem(node.row, node.key, node.command);
        }
    }

    async getChildren(node?: NowNode): Promise<NowNode[]> {
        if (node === undefined) {
            return this.top();
        }
        if (node.sort === "repository") {
            return this.inside(node.repository);
        }
        return node.sort === "tier"
            ? node.tier.items.map((item) => ({ sort: "item", root: node.root, tier: node.tier.name, item }))
            : [];
    }

    /** Nothing at all leaves the view to its welcome text. */
    private top(): NowNode[] {
        const { latest, failure, repositories } = this.companion.now;
        if (repositories.length > 1 && this.companion.state === "running") {
            return repositories.map((repository) => ({ sort: "repository", repository }));
        }
        if (latest !== undefined) {
            return nodesOf(latest);
        }
        return failure === undefined || lacks(failure) ? [] : [failed(failure, AGAIN)];
    }

    private async inside(repository: Repository): Promise<NowNode[]> {
        const { latest } = this.companion.now;
        if (latest?.root === repository.root) {
            return nodesOf(latest);
        }
        try {
            return nodesOf(await this.companion.ask<Now>("companion/now", { folder: repository.root }));
        } catch (thrown) {
            return [failed(thrown, AGAIN, repository.root)];
        }
    }
}

/** The tiers of a context, and below them what the person should know of it. */
function nodesOf(now: Now): NowNode[] {
    const notices = now.notices.map((text) => told(text, `${now.root} ${text}`));
    const tiers = tiersShown(now.tiers).map((tier): NowNode => ({ sort: "tier", root: now.root, tier }));
    return [...tiers, ...notices];
}

/** What stands beside the title of the view: the file and, of this moment, the tokens used and what is being done. */
function headOf(now: Now, isOfBefore: boolean): string {
    const file = oneLine(now.file.slice(now.file.lastIndexOf("/") + 1), 40);
    const rest = isOfBefore ? [] : [usedOf(now.tokens, now.budget), now.activity];
    return [file, ...rest].filter(Boolean).join(" · ");
}
