/** A contradiction is settled: both statements side by side with their evidence, and a quick pick of four ways. */

import * as vscode from "vscode";
import type { Companion } from "../companion";
import { openPage } from "../commands";
import { Failure } from "../failure";
import { iconless, oneLine } from "../views/plain";
import { command, done, rootFor, verbsOf, type Verbs } from "./ask";
import { offersOf, openOnes, sideOf, verdictOf, type Contradiction, type Open, type Verdict } from "./verdict";

/** Adds the settlement. */
export function register(context: vscode.ExtensionContext, companion: Companion): void {
    context.subscriptions.push(
        command("settleContradiction", async (given, id) => {
            const root = typeof given === "string" ? given : await rootFor(companion, "Resolve Contradiction");
            if (root !== undefined) {
                const wanted = typeof id === "string" ? id : undefined;
                const elsewhere = (one: string): Promise<void> =>
                    openPage(companion, { folder: root }, `contradictions#${one}`);
                await settle(verbsOf(companion, root), wanted, elsewhere);
            }
        }),
    );
}

/** Settle one; `elsewhere` shows the page, where more is asked than a quick pick has room for. */
async function settle(verbs: Verbs, id: string | undefined, elsewhere: (id: string) => Promise<void>): Promise<void> {
    const { result, rows } = await verbs.rows<readonly Contradiction[]>("contradictions");
    const open = openOnes(result, rows);
    const one = id === undefined ? await chosenOne(open) : open.find(({ row }) => row.id === id);
    if (one === undefined) {
        if (id !== undefined) {
            throw new Failure("This contradiction is no longer open.", "It was resolved, or its source has changed.");
        }
        return;
    }
    await sideBySide(one);
    const verdict = await judged(one, elsewhere);
    if (verdict === undefined) {
        return;
    }
    await verbs("settle", verdict);
    done(`resolved: ${one.row.label}`);
    await closeSides(one);
}

async function chosenOne(open: readonly Open[]): Promise<Open | undefined> {
    if (open.length === 0) {
        void vscode.window.showInformationMessage("No contradictions found.");
        return undefined;
    }
    if (open.length === 1) {
        return open[0];
    }
    const rows = open.map((one) => ({
        label: iconless(one.row.label),
        detail: iconless(one.sides.map(sideOf).join(" ↔ ")),
        one,
    }));
    const options = { title: "Resolve Contradiction", placeHolder: "Which one?", matchOnDetail: true };
    return (await vscode.window.showQuickPick(rows, options))?.one;
}

/** The two statements in a diff, the older on the left. */
async function sideBySide(one: Open): Promise<void> {
    const [older, newer] = sidesOf(one);
    const title = one.sides.map(({ label }) => oneLine(label, 40)).join(" ↔ ");
    await vscode.commands.executeCommand("vscode.diff", older, newer, title, { preview: true, preserveFocus: false });
}

/** What a person decides; undefined when they leave it open, or go on with it on the page. */
async function judged(open: Open, elsewhere: (id: string) => Promise<void>): Promise<Verdict | undefined> {
    const rows = offersOf(open).map((offer) => ({
        label: `$(${offer.icon}) ${iconless(offer.label)}`,
        description: offer.about,
        detail: iconless(offer.detail),
        way: offer.way,
    }));
    const title = "Resolve Contradiction";
    const placeHolder = "Which of them holds?";
    const row = await vscode.window.showQuickPick(rows, { title, placeHolder, ignoreFocusOut: true });
    if (row === undefined) {
        return undefined;
    }
    if (row.way === "elsewhere") {
        await elsewhere(open.one.id);
        return undefined;
    }
    const merged = row.way === "merged" ? await oneText(open.one) : "";
    if (merged === undefined) {
        return undefined;
    }
    const note = await vscode.window.showInputBox({
        title,
        prompt: "Why, in your words. Enter leaves it out.",
        ignoreFocusOut: true,
    });
    return note === undefined ? undefined : verdictOf(open.one, row.way, note, merged);
}

/** The text that takes the place of both; undefined when it was left. */
function oneText(one: Contradiction): Thenable<string | undefined> {
    return vscode.window.showInputBox({
        title: "One Text for Both",
        prompt: "What is true instead",
        value: one.merged,
        validateInput: (text) => (text.trim() === "" ? "Say what is true instead of both." : undefined),
        ignoreFocusOut: true,
    });
}

/** The diff has served; what it shows is no longer open. */
async function closeSides(one: Open): Promise<void> {
    const sides = new Set(sidesOf(one).map(String));
    const shown = vscode.window.tabGroups.all
        .flatMap((group) => group.tabs)
        .filter((tab) => tab.input instanceof vscode.TabInputTextDiff && sides.has(tab.input.original.toString()));
    await vscode.window.tabGroups.close(shown);
}

function sidesOf({ sides: [older, newer] }: Open): [vscode.Uri, vscode.Uri] {
    return [vscode.Uri.parse(older.opens[1]), vscode.Uri.parse(newer.opens[1])];
}
