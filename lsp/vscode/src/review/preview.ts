/** What will be remembered of a conversation, as the rows of a quick pick, and the asks that change it. */

import { clean, many, oneLine } from "../views/plain";

/** A conversation, as far as a review looks at it. */
export interface Talk {
    readonly id: string;
    readonly state: "active" | "ready_to_close" | "compressing" | "archived";
    readonly title: string;
    readonly turns: number;
    readonly unseen: boolean;
}

/** Something a conversation leaves behind. */
export interface Left {
    readonly id: string;
    readonly type: string;
    readonly text: string;
    readonly turn: number;
    readonly quote: string;
}

/** A part of what will be remembered, and the act that it goes to. */
export interface Part {
    readonly act: string;
    readonly narrative: string;
    readonly items: readonly string[];
}

/** The preview of a review, as the daemon gives it. */
export interface Preview {
    readonly conversation: Talk;
    readonly extraction: {
        readonly items: readonly Left[];
        readonly settles: readonly { readonly by: string; readonly reason: string }[];
        readonly suggestion: { readonly act: string; readonly confidence: number; readonly reason: string } | null;
        readonly notes: readonly string[];
    };
    readonly parts: readonly Part[];
    readonly original: string;
}

/** A container of memories. */
export interface Act {
    readonly id: string;
    readonly name: string;
    readonly project: string;
    readonly permanent: boolean;
}

/** What can be chosen in a review. */
export type Choice =
    | { readonly does: "confirm" | "resume" | "redirect" | "split" | "drop" | "transcript" }
    | { readonly does: "suggestion"; readonly act: string }
    | { readonly does: "words"; readonly part: number }
    | { readonly does: "item"; readonly id: string };

/** A row of the quick pick; without a choice it is only read, and without an icon too it is a heading. Texts are cleaned, icons are for whoever shows it. */
export interface Line {
    readonly icon: string;
    readonly label: string;
    readonly description: string;
    readonly detail: string;
    readonly choice: Choice | undefined;
}

/** Characters of words that a row shows: two lines of the widest quick pick. */
const DETAIL_CHARACTERS = 240;

/** Everything that can be seen and done, the most usual first. */
export function linesOf(preview: Preview, acts: readonly Act[]): Line[] {
    const waits = preview.conversation.state === "ready_to_close" || preview.conversation.unseen;
    const nothing = preview.parts.length === 0;
    const items = preview.extraction.items;
    const fixed = (one: Line): Line => (waits ? one : { ...one, choice: undefined });
    return [
        does("confirm", "check", nothing ? "Archive" : "Remember", whatOf(preview)),
        ...(waits ? changes(preview, acts, nothing) : []),
        does("transcript", "list-selection", "Show What Was Said", many(preview.conversation.turns, "turn")),
        ...(waits ? [does("resume", "debug-continue", "Resume the Conversation", "nothing is remembered yet")] : []),
        heading("What will be remembered"),
        ...(nothing ? [line("circle-slash", "Nothing was found in it.", "", "", undefined)] : []),
        ...preview.parts.map((part, at) => wordsOf(part, at, preview.parts.length, acts)).map(fixed),
        ...(items.length > 0 ? [heading("What it leaves behind")] : []),
        ...items.map((item) => itemOf(item, preview)).map(fixed),
        ...preview.extraction.notes.map((note) => line("info", oneLine(note, DETAIL_CHARACTERS), "", "", undefined)),
    ];
}

/** The name of an act; its id where it is not known. */
export function nameOf(act: string, acts: readonly Act[]): string {
    return oneLine(acts.find((one) => one.id === act)?.name ?? act, 60);
}

/** The items that are dropped when only some are kept. */
export function dropped(items: readonly Left[], kept: ReadonlySet<string>): string[] {
    return items.map((item) => item.id).filter((id) => !kept.has(id));
}

/** A conversation's title, or that it has none. */
export function titleOf(talk: Talk): string {
    return oneLine(talk.title, 80) || "Conversation without a title";
}

/** What was said, as a document that is read: each side under its name, with nothing that could hide. */
export function transcriptOf(
    turns: readonly { readonly number: number; readonly messages: readonly Message[] }[],
): string {
    const blocks = turns.flatMap((turn) =>
        turn.messages.map((message) => `## ${turn.number}. ${message.role}\n\n${clean(message.text).trim()}`),
    );
    return `${blocks.join("\n\n")}\n`;
}

interface Message {
    readonly role: string;
    readonly text: string;
}

function changes(preview: Preview, acts: readonly Act[], nothing: boolean): Line[] {
    if (nothing) {
        return [line("edit", "Say It in Your Words…", "they are what is remembered", "", { does: "words", part: 1 })];
    }
    const { suggestion, items } = preview.extraction;
    const elsewhere = suggestion !== null && preview.parts.some((part) => part.act !== suggestion.act);
    const offered =
        elsewhere && suggestion !== null
            ? [
                  line(
                      "lightbulb",
                      `Send It to ${nameOf(suggestion.act, acts)}`,
                      `${Math.round(suggestion.confidence * 100)} % sure`,
                      oneLine(suggestion.reason, DETAIL_CHARACTERS),
                      { does: "suggestion", act: suggestion.act },
                  ),
              ]
            : [];
    return [
        ...offered,
        does("redirect", "arrow-swap", "Send It to Another Act…", "all of it"),
        ...(items.length > 1 ? [does("split", "split-horizontal", "Split…", "some items go to another act")] : []),
        ...(items.length > 0 ? [does("drop", "trash", "Leave Items Out…", "they are not remembered")] : []),
    ];
}

function whatOf(preview: Preview): string {
    const words = many(preview.parts.length, "part");
    return preview.parts.length === 0 ? "nothing of it" : `${words}, ${many(preview.extraction.items.length, "item")}`;
}

function wordsOf(part: Part, at: number, parts: number, acts: readonly Act[]): Line {
    const number = parts > 1 ? `Part ${at + 1} for ` : "For ";
    const words = oneLine(part.narrative, DETAIL_CHARACTERS);
    return line("edit", `${number}${nameOf(part.act, acts)}`, "edit the words", words, { does: "words", part: at + 1 });
}

function itemOf(item: Left, preview: Preview): Line {
    const settles = preview.extraction.settles.find((one) => one.by === item.id);
    const says =
        settles === undefined ? oneLine(item.quote, DETAIL_CHARACTERS) : `resolves: ${oneLine(settles.reason, 200)}`;
    const about = `${item.type.replace(/-/g, " ")}, turn ${item.turn}`;
    return line("circle-outline", oneLine(item.text, 120), about, says, { does: "item", id: item.id });
}

function does(
    what: "confirm" | "resume" | "redirect" | "split" | "drop" | "transcript",
    icon: string,
    label: string,
    description: string,
): Line {
    return line(icon, label, description, "", { does: what });
}

function heading(label: string): Line {
    return line("", label, "", "", undefined);
}

function line(icon: string, label: string, description: string, detail: string, choice: Choice | undefined): Line {
    return { icon, label, description, detail, choice };
}
