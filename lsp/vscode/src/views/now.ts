/**
 * The tree *Now*: what is in the context of the file in front, in groups.
 *
 * With one repository its groups stand at the top; with several each has a node, and those of the others are asked for
 * when they are folded out. What is in front is asked by `companion.now`, for this tree and the status item together.
 */

import * as vscode from "vscode";
import type { Companion } from "../companion";
import { ago } from "../kept";
import { grouped, lacks } from "../standing";
import type { Now } from "../wire";
import { oneLine } from "./plain";
import { failed, nodesOf, repositoryNode, RowTree, type Node, type Repository } from "./tree";

const AGAIN = "companion.refreshNow";

/** Adds the tree. */
export function register(context: vscode.ExtensionContext, companion: Companion): void {
    const { chosen } = companion.now;
    const tree = new RowTree(() => top(companion), chosen);
    const view = vscode.window.createTreeView("companion.now", { treeDataProvider: tree });
    const head = (): void => {
        const { latest, asOf_ms } = companion.now;
        const said = latest === undefined ? "" : headOf(latest, asOf_ms !== undefined);
        view.description = chosen.size > 0 ? `${chosen.size} chosen` : said;
        void vscode.commands.executeCommand("setContext", "companion.chosen", chosen.size > 0);
    };
    const shown = (): void => {
        head();
        above();
        tree.refresh();
    };
    const above = (): void => {
        const { asOf_ms } = companion.now;
        const { reading } = companion;
        // Above the tree: while it is the only view of its container, what stands beside its title is not shown.
        const before = asOf_ms === undefined ? "" : `As of ${ago(asOf_ms, Date.now())}; being refreshed.`;
        view.message = reading?.says ? `${reading.title}: ${reading.says}.` : before;
    };
    companion.now.seen = view.visible;
    context.subscriptions.push(
        view,
        tree,
        companion.now.onDidChange(shown),
        companion.onDidTurn(above),
        view.onDidChangeCheckboxState(({ items }) => {
            for (const [{ row }, state] of items) {
                chosen[state === vscode.TreeItemCheckboxState.Checked ? "add" : "delete"](row.id);
            }
            head();
        }),
        view.onDidChangeVisibility(({ visible }) => (companion.now.seen = visible)),
        vscode.commands.registerCommand(AGAIN, () => {
            companion.now.look();
        }),
    );
}

/** Nothing at all leaves the view to its welcome text. */
function top(companion: Companion): Node[] {
    const { latest, failure, repositories } = companion.now;
    if (repositories.length > 1 && companion.state === "running") {
        return repositories.map((repository) => {
            const front = latest?.root === repository.root ? latest : undefined;
            const below = (): Promise<Node[]> => inside(companion, repository);
            return repositoryNode(repository, front ? usedOf(front) : "", front !== undefined, below);
        });
    }
    if (latest !== undefined) {
        const { root, rows, notices } = latest;
        return nodesOf(root, rows, rows.length > 0 ? notices : ["Nothing is known here yet.", ...notices]);
    }
    return failure === undefined || lacks(failure) ? [] : [failed(failure, AGAIN)];
}

async function inside(companion: Companion, { root }: Repository): Promise<Node[]> {
    try {
        const { latest } = companion.now;
        const now = latest?.root === root ? latest : await companion.ask<Now>("companion/now", { folder: root });
        return nodesOf(root, now.rows, now.notices);
    } catch (thrown) {
        return [failed(thrown, AGAIN, root)];
    }
}

/** What stands beside the title of the view: the file and, of this moment, the tokens used and what is being done. */
function headOf(now: Now, isOfBefore: boolean): string {
    const file = oneLine(now.file.slice(now.file.lastIndexOf("/") + 1), 40);
    return [file, ...(isOfBefore ? [] : [usedOf(now), now.activity])].filter(Boolean).join(" · ");
}

function usedOf({ tokens, budget }: Now): string {
    return `${grouped(tokens)} of ${grouped(budget)} tokens`;
}
