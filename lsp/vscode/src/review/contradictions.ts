/** A contradiction is settled: both statements side by side with their evidence, and a quick pick of four ways. */

import * as vscode from "vscode";
import type { Companion } from "../companion";
import { Failure } from "../failure";
import { iconless, oneLine } from "../views/plain";
import { command, done, rootFor, verbsOf, type Verbs } from "./ask";
import {
    isEverywhere,
    isParted,
    offersOf,
    openOnes,
    scopeOf,
    scopeWrong,
    sideOf,
    SCOPE_PARTS,
    typedOf,
    verdictOf,
    type Contradiction,
    type Open,
    type Scope,
    type Verdict,
    type Way,
} from "./verdict";

/** Adds the settlement. */
export function register(context: vscode.ExtensionContext, companion: Companion): void {
    context.subscriptions.push(
        command("settleContradiction", async (given, id) => {
            const root = typeof given === "string" ? given : await rootFor(companion, "Resolve Contradiction");
            if (root !== undefined) {
                await settle(verbsOf(companion, root), typeof id === "string" ? id : undefined);
            }
        }),
    );
}

async function settle(verbs: Verbs, id: string | undefined): Promise<void> {
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
    const verdict = await judged(one);
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

/** What a person decides; undefined when they leave it open. */
async function judged(open: Open): Promise<Verdict | undefined> {
    const rows = offersOf(open).map((offer) => ({
        label: `$(${offer.icon}) ${iconless(offer.label)}`,
        description: offer.about,
        detail: iconless(offer.detail),
        way: offer.way,
    }));
    const title = "Resolve Contradiction";
    const row = await vscode.window.showQuickPick(rows, {
        title,
        placeHolder: "Which of them holds?",
        ignoreFocusOut: true,
    });
    if (row === undefined) {
        return undefined;
    }
    const given = await detailsOf(open, row.way);
    if (given === undefined) {
        return undefined;
    }
    const note = await vscode.window.showInputBox({
        title,
        prompt: "Why, in your words. Enter leaves it out.",
        ignoreFocusOut: true,
    });
    return note === undefined ? undefined : verdictOf(open.one, row.way, note, given);
}

/** Where each side holds, or the text that takes the place of both; undefined when it was left. */
async function detailsOf(
    { one, sides }: Open,
    way: Way,
): Promise<{ readonly a?: Scope; readonly b?: Scope; readonly merged?: string } | undefined> {
    if (way === "merged") {
        const merged = await vscode.window.showInputBox({
            title: "One Text for Both",
            prompt: "What is true instead",
            value: one.merged,
            validateInput: (text) => (text.trim() === "" ? "Say what is true instead of both." : undefined),
            ignoreFocusOut: true,
        });
        return merged === undefined ? undefined : { merged };
    }
    if (way !== "both_valid") {
        return {};
    }
    const [left, right] = sides;
    const a = await askedScope(`Where does “${left.label}” hold?`, one.scope_a ?? one.a.draft.scope, sideOf(left));
    if (a === undefined) {
        return undefined;
    }
    const apart = (b: Scope): string | undefined =>
        isParted(a, b) || isEverywhere(b) ? undefined : "Both would hold in the same place, which keeps nothing apart.";
    const b = await askedScope(
        `Where does “${right.label}” hold?`,
        one.scope_b ?? one.b.draft.scope,
        sideOf(right),
        apart,
    );
    return b === undefined ? undefined : { a, b };
}

async function askedScope(
    title: string,
    proposed: Scope,
    side: string,
    wrong: (scope: Scope) => string | undefined = () => undefined,
): Promise<Scope | undefined> {
    const typed = await vscode.window.showInputBox({
        title,
        prompt: `“${oneLine(side, 120)}” — ${SCOPE_PARTS.map((part) => `${part}=…`).join(", ")}; nothing is everywhere`,
        placeHolder: "path=deploy, environment=production",
        value: typedOf(proposed),
        validateInput: (text) => scopeWrong(text) ?? wrong(scopeOf(text)),
        ignoreFocusOut: true,
    });
    return typed === undefined ? undefined : scopeOf(typed);
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
