/** The review of a conversation that waits: remember it, change its words, send it elsewhere, split it, go on with it. */

import * as vscode from "vscode";
import type { Companion } from "../companion";
import { iconless, many, oneLine } from "../views/plain";
import { command, done, rootFor, verbsOf, type Verbs } from "./ask";
import {
    dropped,
    linesOf,
    nameOf,
    titleOf,
    transcriptOf,
    type Act,
    type Choice,
    type Left,
    type Line,
    type Preview,
} from "./preview";
import { SCHEME, uriOf, WordsFiles, wordsOf } from "./words";

/** The most conversations to choose from; the one spoken in last comes first. */
const TALKS_MOST = 500;
const NEW_ACT = "New Act…";

interface Row extends vscode.QuickPickItem {
    readonly choice?: Choice;
}

/** Adds the review and the files that its words are edited in. */
export function register(context: vscode.ExtensionContext, companion: Companion): void {
    const files = new WordsFiles(companion);
    context.subscriptions.push(
        vscode.workspace.registerFileSystemProvider(SCHEME, files, { isCaseSensitive: true }),
        files.onDidSave(() => done("these words will be remembered once you confirm the review")),
        command("reviewConversation", async (root, id) => {
            const editing = id === undefined ? wordsInFront() : undefined;
            const where = asText(root) ?? editing?.root ?? (await rootFor(companion, "Review Conversation"));
            if (where !== undefined) {
                await review(verbsOf(companion, where), where, asText(id) ?? editing?.conversation);
            }
        }),
    );
}

async function review(verbs: Verbs, root: string, given: string | undefined): Promise<void> {
    const id = given ?? (await chosenTalk(verbs));
    if (id === undefined) {
        return;
    }
    let preview = await verbs<Preview>("review", { conversation: id });
    for (;;) {
        const acts = await verbs<readonly Act[]>("acts");
        const choice = await chosen(preview, acts);
        if (choice === undefined) {
            return;
        }
        const next = await follow(choice, preview, acts, verbs, root);
        if (next === undefined) {
            return;
        }
        preview = next;
    }
}

/** The conversation to review: the only one that waits, or the one that is picked. */
async function chosenTalk(verbs: Verbs): Promise<string | undefined> {
    const { rows } = await verbs.rows("conversations", { limit: TALKS_MOST });
    const [only] = rows;
    if (only === undefined) {
        void vscode.window.showInformationMessage("No conversation waits for your review.");
        return undefined;
    }
    if (rows.length === 1) {
        return only.id;
    }
    const picks = rows.map(({ id, label, description }) => ({ label: iconless(label), description, id }));
    const options = { title: "Review Conversation", placeHolder: "Which one?", matchOnDescription: true };
    return (await vscode.window.showQuickPick(picks, options))?.id;
}

async function chosen(preview: Preview, acts: readonly Act[]): Promise<Choice | undefined> {
    for (;;) {
        const row = await vscode.window.showQuickPick(linesOf(preview, acts).map(rowOf), {
            title: `Review: ${titleOf(preview.conversation)}`,
            placeHolder: "Nothing is remembered before you choose Remember",
            ignoreFocusOut: true,
            matchOnDetail: true,
        });
        if (row === undefined || row.choice !== undefined) {
            return row?.choice;
        }
    }
}

/** Do what was chosen; the preview to go on with, or undefined when the review is over for now. */
async function follow(
    choice: Choice,
    preview: Preview,
    acts: readonly Act[],
    verbs: Verbs,
    root: string,
): Promise<Preview | undefined> {
    const conversation = preview.conversation.id;
    switch (choice.does) {
        case "confirm":
            await confirm(preview, verbs);
            return undefined;
        case "resume":
            await verbs("resume_conversation", { conversation });
            done(`you go on with: ${titleOf(preview.conversation)}`);
            return undefined;
        case "words":
            await vscode.window.showTextDocument(
                uriOf({ root, conversation, part: choice.part }, titleOf(preview.conversation)),
                { preview: false },
            );
            return undefined;
        case "transcript":
            await showTranscript(conversation, verbs);
            return undefined;
        case "suggestion":
            return verbs<Preview>("redirect_review", { conversation, act: choice.act });
        case "redirect": {
            const act = await chosenAct(acts, verbs, "Send It to Another Act");
            return act === undefined ? preview : verbs<Preview>("redirect_review", { conversation, act });
        }
        case "split":
            return (await split(preview, acts, verbs)) ?? preview;
        case "drop":
            return (await drop(preview, verbs)) ?? preview;
        case "item":
            return (await changeItem(preview, choice.id, verbs)) ?? preview;
    }
}

async function confirm(preview: Preview, verbs: Verbs): Promise<void> {
    const title = titleOf(preview.conversation);
    const { memories } = await vscode.window.withProgress(
        { location: vscode.ProgressLocation.Window, title: "Companion: remembering" },
        () =>
            verbs<{ readonly memories: readonly unknown[] }>("confirm_review", {
                conversation: preview.conversation.id,
            }),
    );
    await closeWords(preview.conversation.id);
    done(
        memories.length === 0
            ? `archived: ${title}`
            : `remembered ${many(memories.length, "memory", "memories")} of: ${title}`,
    );
}

async function split(preview: Preview, acts: readonly Act[], verbs: Verbs): Promise<Preview | undefined> {
    const items = await chosenItems(preview.extraction.items, "Split: which items go elsewhere?", false);
    if (items === undefined || items.length === 0) {
        return undefined;
    }
    const act = await chosenAct(acts, verbs, `Split: where do ${many(items.length, "item")} go?`);
    return act === undefined
        ? undefined
        : verbs<Preview>("split_review", {
              conversation: preview.conversation.id,
              parts: [{ act, narrative: "", items }],
          });
}

async function drop(preview: Preview, verbs: Verbs): Promise<Preview | undefined> {
    const { items } = preview.extraction;
    const kept = await chosenItems(items, "Leave Items Out: what is marked stays", true);
    const gone = kept === undefined ? [] : dropped(items, new Set(kept));
    return gone.length === 0
        ? undefined
        : verbs<Preview>("edit_review", { conversation: preview.conversation.id, edit: { drop: gone } });
}

async function changeItem(preview: Preview, id: string, verbs: Verbs): Promise<Preview | undefined> {
    const item = preview.extraction.items.find((one) => one.id === id);
    const text = await vscode.window.showInputBox({
        title: "Say It in Your Words",
        value: item?.text ?? "",
        prompt: item?.quote ? `Based on: ${oneLine(item.quote, 200)}` : "",
        validateInput: (given) => (given.trim() === "" ? "Say something, or leave the item out instead." : undefined),
        ignoreFocusOut: true,
    });
    return text === undefined || text.trim() === item?.text
        ? undefined
        : verbs<Preview>("edit_review", {
              conversation: preview.conversation.id,
              edit: { change: { [id]: text.trim() } },
          });
}

async function showTranscript(conversation: string, verbs: Verbs): Promise<void> {
    const said = await verbs<{ readonly turns: Parameters<typeof transcriptOf>[0] }>("transcript", { conversation });
    const document = await vscode.workspace.openTextDocument({
        language: "markdown",
        content: transcriptOf(said.turns),
    });
    await vscode.window.showTextDocument(document, { preview: true });
}

/** The ids of items that are picked; all of them are marked at first if `marked`. */
async function chosenItems(items: readonly Left[], title: string, marked: boolean): Promise<string[] | undefined> {
    const rows = items.map((item) => ({
        label: iconless(oneLine(item.text, 120)),
        description: `${item.type.replace(/-/g, " ")}, turn ${item.turn}`,
        picked: marked,
        id: item.id,
    }));
    const picked = await vscode.window.showQuickPick(rows, { title, canPickMany: true, ignoreFocusOut: true });
    return picked?.map((row) => row.id);
}

/** The act that is picked, by its id; a new one is made first. */
async function chosenAct(acts: readonly Act[], verbs: Verbs, title: string): Promise<string | undefined> {
    const rows = acts.map((act) => ({
        label: iconless(nameOf(act.id, acts)),
        description: act.permanent ? "beyond any project" : act.project ? "a project" : "a line of work",
        id: act.id,
    }));
    const row = await vscode.window.showQuickPick([...rows, { label: `$(add) ${NEW_ACT}`, id: "" }], { title });
    if (row === undefined || row.id !== "") {
        return row?.id;
    }
    const name = await vscode.window.showInputBox({ title: NEW_ACT, prompt: "The name of a line of work" });
    return name?.trim() ? (await verbs<Act>("make_act", { name: name.trim() })).id : undefined;
}

function rowOf(line: Line): Row {
    if (line.choice === undefined && line.icon === "") {
        return { label: line.label, kind: vscode.QuickPickItemKind.Separator };
    }
    return {
        label: `$(${line.icon}) ${iconless(line.label)}`,
        description: iconless(line.description),
        ...(line.detail ? { detail: iconless(line.detail) } : {}),
        ...(line.choice ? { choice: line.choice } : {}),
    };
}

/** Words that were kept are memory now, and their files are gone. */
async function closeWords(conversation: string): Promise<void> {
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    const shown = tabs.filter(
        (tab) => tab.input instanceof vscode.TabInputText && wordsOf(tab.input.uri)?.conversation === conversation,
    );
    await vscode.window.tabGroups.close(shown);
}

function wordsInFront(): ReturnType<typeof wordsOf> {
    const uri = vscode.window.activeTextEditor?.document.uri;
    return uri && wordsOf(uri);
}

function asText(given: unknown): string | undefined {
    return typeof given === "string" && given !== "" ? given : undefined;
}
