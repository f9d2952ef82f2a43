/** The panel *Story*: what made a line as it is, step by step; choosing a step marks the lines that it wrote. */

import * as vscode from "vscode";
import type { Companion } from "../companion";
import { failureOf } from "../failure";
import type { Row, Story, StoryRow } from "../wire";
import { show } from "./marks";
import { oneLine } from "./plain";
import { failed, groupNode, leaf, nodesOf, RowTree, type Node } from "./tree";

const AGAIN = "companion.showStory";
const MARK = "companion.story.mark";
/** How long the status bar says that a step has no lines left. */
const SAID_MS = 4_000;
/** Git is asked so often at most, some seconds each: a long history is told as far as it is known then. */
const ASKED_MOST = 10;
const GROUPS: Readonly<Record<StoryRow["group"], string>> = {
    line: "This line",
    steps: "How it came to be",
    about: "What is remembered of it",
};

/** Adds the tree and the command that fills it. */
export function register(context: vscode.ExtensionContext, companion: Companion): void {
    let nodes: readonly Node[] = [];
    let asked = 0;
    const tree = new RowTree(() => nodes);
    const view = vscode.window.createTreeView("companion.story", { treeDataProvider: tree });
    const tell = (story: Story, uri: string): void => {
        const what = story.symbol || story.file.slice(story.file.lastIndexOf("/") + 1);
        view.description = oneLine(`${what}, line ${story.line}`, 80);
        const end = story.end.replace(/: `git log [^`]*`/, ""); // what to type in a terminal has no place in a panel
        view.message = story.asking ? "Git is still being asked…" : oneLine(end, 200);
        nodes = grouped(story, uri);
        tree.refresh();
    };
    context.subscriptions.push(
        view,
        tree,
        vscode.commands.registerCommand(AGAIN, async () => {
            const editor = vscode.window.activeTextEditor;
            if (editor === undefined) {
                return;
            }
            const number = ++asked;
            const uri = editor.document.uri.toString();
            const line = editor.selection.active.line + 1;
            await vscode.commands.executeCommand("setContext", "companion.story", true);
            await vscode.commands.executeCommand("companion.story.focus", { preserveFocus: true });
            try {
                for (let time = 0; time < ASKED_MOST && number === asked; time += 1) {
                    const story = await companion.ask<Story>("companion/story", { uri, line, wait: time > 0 });
                    if (number === asked) {
                        tell(story, uri);
                    }
                    if (!story.asking) {
                        return;
                    }
                }
            } catch (thrown) {
                nodes = [failed(failureOf(thrown), AGAIN)];
                tree.refresh();
            }
        }),
        vscode.commands.registerCommand(MARK, async (uri: string, { spans }: StoryRow) => {
            await show(vscode.Uri.parse(uri, true), spans, true);
            if (spans.length === 0) {
                vscode.window.setStatusBarMessage("Companion: later steps rewrote all of its lines", SAID_MS);
            }
        }),
    );
}

function grouped(story: Story, uri: string): Node[] {
    const names = Object.keys(GROUPS) as StoryRow["group"][];
    return names.flatMap((name) => {
        const rows = story.rows.filter((row) => row.group === name);
        const below = rows.flatMap((row) => (name === "about" ? nodesOf(story.root, [row]) : [step(story, uri, row)]));
        return rows.length === 0 ? [] : [groupNode(story.root, GROUPS[name], below)];
    });
}

/** A step; below it stand the links to what is behind it. */
function step(story: Story, uri: string, row: StoryRow): Node {
    const links = row.links.filter((link) => link.url !== "" || link.sort === "commit");
    const below = links.map((link) => {
        const opens: Row["opens"] = link.url === "" ? row.opens : ["link", link.url];
        return leaf(story.root, `${link.sort} ${link.name}`, "link-external", `${row.group} ${row.sha}`, opens);
    });
    const key = `${story.root} ${row.group} ${row.sha}`;
    const fold = below.length > 0 ? "collapsed" : "never";
    const command = { command: MARK, title: "Mark Its Lines", arguments: [uri, row] };
    return { root: story.root, row: { ...row, fold }, key, command, below: () => below };
}
