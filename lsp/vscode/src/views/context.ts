/** A context for any assistant: copied, or put where somebody types. */

import * as vscode from "vscode";
import type { Companion } from "../companion";
import { Failure, failureOf, isRecord } from "../failure";
import { shownHere } from "../commands";
import { grouped } from "../standing";
import type { Answer } from "../wire";
import { iconless, many, oneLine } from "./plain";

/** How long the status bar says what was done. */
const SAID_MS = 6_000;
/** What the server takes where nothing is set. */
const BUDGET_TOKENS = 8_000;
const OPEN_CHAT = "workbench.action.chat.open";

/** A context as the daemon's API answers it. */
interface Assembled {
    readonly context: string;
    readonly token_count: number;
}

/** A place to put it. */
interface Target extends vscode.QuickPickItem {
    /** What was done, with the context as its object. */
    put(text: string): Promise<string>;
}

/** Adds “Copy Context” and “Insert Context”, and the same for what was chosen in *Now*. */
export function register(context: vscode.ExtensionContext, companion: Companion): void {
    const act = (name: string, run: (companion: Companion) => Promise<void>): vscode.Disposable =>
        vscode.commands.registerCommand(`companion.${name}`, async () => {
            try {
                await run(companion);
            } catch (thrown) {
                void vscode.window.showErrorMessage(failureOf(thrown).whole);
            }
        });
    context.subscriptions.push(
        act("copyContext", copy),
        act("insertContext", insert),
        act("copyChosen", (asked) => copy(asked, [...asked.now.chosen])),
        act("chatChosen", chat),
    );
}

async function copy(companion: Companion, only: readonly string[] = []): Promise<void> {
    const { text, says } = await assembled(companion, only);
    await vscode.env.clipboard.writeText(text);
    said(`copied the context ${says}`);
}

/** What was chosen, as the beginning of a message of the chat; on the clipboard where there is no chat. */
async function chat(companion: Companion): Promise<void> {
    const { text, says } = await assembled(companion, [...companion.now.chosen]);
    if (await hasChat()) {
        said(`${await intoChat(text)} the context ${says}`);
        return;
    }
    await vscode.env.clipboard.writeText(text);
    void vscode.window.showInformationMessage("There is no chat in this window: the context is on the clipboard.");
}

async function insert(companion: Companion): Promise<void> {
    const targets = await targetsOf();
    const [only] = targets;
    if (only === undefined) {
        await copy(companion); // there is nowhere to put it, so it is at hand for wherever it is wanted
        return;
    }
    const target =
        targets.length === 1 ? only : await vscode.window.showQuickPick(targets, { title: "Insert Context" });
    if (target !== undefined) {
        const { text, says } = await assembled(companion);
        said(`${await target.put(text)} the context ${says}`);
    }
}

/** The context for the file in front, or of it `only` some items, within the tokens that are set; it counts as used. */
async function assembled(
    companion: Companion,
    only: readonly string[] = [],
): Promise<{ readonly text: string; readonly says: string }> {
    const active = vscode.window.activeTextEditor?.document.uri;
    const { latest } = companion.now; // of the file that was in front last, where a document of ours or a view is now
    const shown = latest && vscode.Uri.joinPath(vscode.Uri.parse(latest.root, true), latest.file);
    const isKnown = latest?.file !== ""; // it lies in the repository
    const file = (isKnown && (active?.scheme === "file" ? active : shown)?.fsPath) || "";
    const budget = vscode.workspace.getConfiguration("companion").get<unknown>("context.budgetTokens");
    const ask = {
        budget: typeof budget === "number" ? budget : BUDGET_TOKENS,
        signals: { current_file: file, only },
        order: "assistants",
    };
    const answer = await vscode.window.withProgress(
        { location: vscode.ProgressLocation.Window, title: "Companion: making a context" },
        () => companion.ask<Answer<Assembled>>("companion/ask", { ...shownHere(companion), verb: "assemble", ask }),
    );
    const { context, token_count } = answer.result;
    const whom =
        only.length > 0
            ? `of ${many(only.length, "chosen item")}`
            : file
              ? `of ${vscode.workspace.asRelativePath(file)}`
              : "of this folder";
    return { text: context, says: `${whom}, ${grouped(token_count)} tokens` };
}

/** Where it can be put: at the cursor, into the chat, into the terminal in front. */
async function targetsOf(): Promise<Target[]> {
    const editor = vscode.window.activeTextEditor;
    const terminal = vscode.window.activeTerminal;
    const chat = await hasChat();
    const targets: (Target | undefined)[] = [
        editor && {
            label: "$(edit) At the Cursor",
            description: iconless(oneLine(vscode.workspace.asRelativePath(editor.document.uri), 80)),
            put: (text) => atCursor(editor, text),
        },
        chat ? { label: "$(comment) Into the Chat", put: intoChat } : undefined,
        terminal && {
            label: "$(terminal) Into the Terminal",
            description: iconless(oneLine(terminal.name, 80)),
            put: (text) => intoTerminal(terminal, text),
        },
    ];
    return targets.filter((target) => target !== undefined);
}

/** Whether there is a chat: builds without one lack the command, and it stays where a person has turned chat off. */
async function hasChat(): Promise<boolean> {
    const off = vscode.workspace.getConfiguration("chat").get<unknown>("disableAIFeatures") === true;
    return !off && (await vscode.commands.getCommands(true)).includes(OPEN_CHAT);
}

/** Whether an extension takes part in the chat, as far as can be seen: with none an older VS Code opens no chat. */
function isChatKnown(): boolean {
    return vscode.extensions.all.some((one) => {
        const manifest: unknown = one.packageJSON;
        const contributes = isRecord(manifest) ? manifest["contributes"] : undefined;
        return isRecord(contributes) && contributes["chatParticipants"] !== undefined;
    });
}

async function atCursor(editor: vscode.TextEditor, text: string): Promise<string> {
    const done = await editor.edit((edit) => edit.replace(editor.selection, text));
    if (!done) {
        throw new Error("This document cannot be changed.");
    }
    return "inserted";
}

/** As the beginning of a message that is not sent yet; on the clipboard too where nobody can tell whether it came. */
async function intoChat(text: string): Promise<string> {
    try {
        await vscode.commands.executeCommand(OPEN_CHAT, { query: `${text}\n\n`, isPartialQuery: true });
    } catch {
        throw new Failure(
            "The chat could not be opened.",
            "“Companion: Copy Context” puts the context on the clipboard.",
        );
    }
    if (isChatKnown()) {
        return "inserted";
    }
    await vscode.env.clipboard.writeText(text);
    return "offered to the chat, and copied,";
}

/** Pasted, as a person would: what is sent to a terminal line by line would be run there line by line. */
async function intoTerminal(terminal: vscode.Terminal, text: string): Promise<string> {
    const before = await vscode.env.clipboard.readText();
    await vscode.env.clipboard.writeText(text);
    terminal.show();
    await vscode.commands.executeCommand("workbench.action.terminal.paste");
    await vscode.env.clipboard.writeText(before);
    return "pasted";
}

function said(what: string): void {
    vscode.window.setStatusBarMessage(`$(check) Companion: ${iconless(oneLine(what, 120))}`, SAID_MS);
}
