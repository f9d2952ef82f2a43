/** The shelves of the tree *Memory*: what each holds, how it is asked for, and how its rows read. */

import { escaped, many, oneLine } from "./plain";
import type { Contradiction, Evidence, Hit, Memory, Talk, Thread, TimelinePage } from "./records";
import { iconOf, LABEL_CHARACTERS, TOOLTIP_CHARACTERS, type Row } from "./rows";

/** What can stand on a shelf. */
export type Entry =
    | { readonly sort: "memory"; readonly memory: Memory; readonly why: string }
    | { readonly sort: "contradiction"; readonly one: Contradiction }
    | { readonly sort: "thread"; readonly thread: Thread }
    | { readonly sort: "talk"; readonly talk: Talk };

/** A part of what a shelf holds; `total` is undefined where nobody has counted. */
export interface Page {
    readonly entries: readonly Entry[];
    readonly more: boolean;
    readonly total: number | undefined;
}

/** Places that a tooltip names of those who say the same. */
const TWINS = 4;

/** Asks a verb of the owner. */
export type AskVerb = <R>(verb: string, ask: object) => Promise<R>;

/** One shelf. `load` gives so many entries from its beginning. */
export interface Shelf {
    readonly name: string;
    readonly title: string;
    readonly icon: string;
    readonly says: string;
    readonly empty: string;
    readonly opens: "collapsed" | "expanded";
    load(ask: AskVerb, count: number): Promise<Page>;
}

/** Entries shown at first, and with each “more”: two screens full. */
export const PAGE = 30;
/** The most entries of a shelf that are asked for: beyond it a search finds what scrolling does not. */
export const MOST = 500;

/** What was searched for. */
export function found(text: string): Shelf {
    return {
        name: "search",
        title: `Search: ${oneLine(text, 60)}`,
        icon: "search",
        says: "What was found, the best first.",
        empty: "Nothing was found. Try fewer or other words.",
        opens: "expanded",
        load: async (ask, count) => {
            const hits = await ask<readonly Hit[]>("search", { query: { text, limit: Math.min(count + 1, MOST) } });
            const entries = hits.slice(0, count).map((hit) => memoryEntry(hit.memory, hit.reasons[0]?.says ?? ""));
            return { entries, more: hits.length > count, total: undefined };
        },
    };
}

/** The shelves that are always there. */
export const SHELVES: readonly Shelf[] = [
    {
        name: "review",
        title: "Conversations to review",
        icon: "comment-discussion",
        says: "What they leave behind is remembered once you have said so.",
        empty: "No conversation waits for you.",
        opens: "collapsed",
        load: async (ask, count) => {
            const talks = await ask<readonly Talk[]>("conversations", { limit: MOST });
            return sliced(
                talks.filter(waits).map((talk) => ({ sort: "talk", talk })),
                count,
            );
        },
    },
    {
        name: "contradictions",
        title: "Contradictions to settle",
        icon: "warning",
        says: "What cannot both be true. You say which holds.",
        empty: "Nothing contradicts anything.",
        opens: "expanded",
        load: async (ask, count) => {
            const open = await ask<readonly Contradiction[]>("contradictions", {});
            return sliced(
                open.map((one) => ({ sort: "contradiction", one })),
                count,
            );
        },
    },
    {
        name: "threads",
        title: "Open threads",
        icon: "checklist",
        says: "What conversations left open: tasks, questions, what is waited for.",
        empty: "Nothing is open.",
        opens: "collapsed",
        load: async (ask, count) => {
            const open = await ask<readonly Thread[]>("threads", { limit: Math.min(count + 1, MOST) });
            const entries = open.slice(0, count).map((thread): Entry => ({ sort: "thread", thread }));
            return { entries, more: open.length > count, total: open.length > count ? undefined : open.length };
        },
    },
    timelineShelf("decisions", "Decisions", "law", "What was decided, and why.", {
        kinds: ["fact"],
        types: ["decision"],
    }),
    timelineShelf("workflows", "Workflows", "list-ordered", "How things are done here, step by step.", {
        kinds: ["workflow"],
    }),
];

/** Whether a conversation waits for its user. */
export function waits(talk: Talk): boolean {
    return talk.state === "ready_to_close" || talk.state === "compressing" || talk.unseen;
}

/** The row of a shelf; without a page nothing is known of how much it holds. */
export function shelfRow(shelf: Shelf, page: Page | undefined): Row {
    const count = page === undefined ? "" : countOf(page);
    return {
        label: shelf.title,
        description: count,
        icon: shelf.icon,
        tooltip: `**${escaped(shelf.title)}**: ${escaped(shelf.says)}`,
        spoken: `${shelf.title}${count && `, ${count}`}. ${shelf.says}`,
        context: `shelf ${shelf.name}`,
        opens: page?.entries.length === 0 && shelf.name !== "search" ? "never" : shelf.opens,
    };
}

/** The row of what stands on a shelf. */
export function entryRow(entry: Entry): Row {
    switch (entry.sort) {
        case "memory":
            return memoryRow(entry.memory, entry.why);
        case "contradiction":
            return contradictionRow(entry.one);
        case "thread":
            return threadRow(entry.thread);
        case "talk":
            return talkRow(entry.talk);
    }
}

/** The row that asks for more. */
export function moreRow(page: Page): Row {
    const left = page.total === undefined ? "" : `${page.total - page.entries.length} more`;
    return {
        label: "Load more…",
        description: left,
        icon: "ellipsis",
        tooltip: "",
        spoken: `Load more${left && `, ${left}`}`,
        context: "more",
        opens: "never",
    };
}

/** An id that tells entries apart. */
export function idOf(entry: Entry): string {
    switch (entry.sort) {
        case "memory":
            return entry.memory.id;
        case "contradiction":
            return entry.one.id;
        case "thread":
            return entry.thread.id;
        case "talk":
            return entry.talk.id;
    }
}

/** The first source of a memory that is a file: what to open, and at which line (from 1). */
export function sourceOf(memory: Memory): { readonly path: string; readonly line: number | undefined } | undefined {
    const file = memory.draft.evidence.find((one) => one.kind === "file");
    return file && { path: file.ref, line: file.line ?? undefined };
}

/** Where something can be checked, as it is written for people. */
export function labelOf(evidence: Evidence): string {
    switch (evidence.kind) {
        case "commit":
            return `commit ${evidence.ref.slice(0, 10)}`;
        case "file":
            return evidence.line === null ? evidence.ref : `${evidence.ref}:${evidence.line}`;
        case "conversation":
            return `conversation ${evidence.ref.slice(0, 12)}${evidence.line === null ? "" : ` turn ${evidence.line}`}`;
        default:
            return `${evidence.kind} ${evidence.ref}`.trim();
    }
}

function timelineShelf(name: string, title: string, icon: string, says: string, filter: object): Shelf {
    return {
        name,
        title,
        icon,
        says,
        empty: `No ${title.toLowerCase()} are known yet.`,
        opens: "collapsed",
        load: async (ask, count) => {
            const page = await ask<TimelinePage>("timeline", { query: { ...filter, limit: Math.min(count, MOST) } });
            const total = page.months.reduce((sum, month) => sum + month.count, 0);
            const entries = page.happened.map((one) => memoryEntry(one.memory, ""));
            return { entries, more: page.more_before && count < MOST, total };
        },
    };
}

function memoryEntry(memory: Memory, why: string): Entry {
    return { sort: "memory", memory, why };
}

function sliced(entries: readonly Entry[], count: number): Page {
    return { entries: entries.slice(0, count), more: entries.length > count, total: entries.length };
}

function countOf(page: Page): string {
    if (page.total === undefined) {
        return page.more ? `first ${page.entries.length}` : String(page.entries.length);
    }
    return page.total === 0 ? "none" : String(page.total);
}

function memoryRow(memory: Memory, why: string): Row {
    const { draft } = memory;
    const decision = draft.type === "decision";
    const kind = decision ? "decision" : draft.kind;
    const text = oneLine(draft.levels.compressed || draft.levels.summary, LABEL_CHARACTERS);
    const source = draft.evidence[0] === undefined ? "" : oneLine(labelOf(draft.evidence[0]), LABEL_CHARACTERS);
    const archived = memory.status === "archived";
    const words = [
        "item",
        "memory",
        draft.pinned ? "pinned" : "loose",
        "whole",
        sourceOf(memory) ? "source" : "",
        kind,
    ];
    return {
        label: text,
        description: [archived ? "archived" : "", why ? oneLine(why, 60) : source].filter(Boolean).join(" · "),
        icon: draft.pinned ? "pinned" : iconOf(kind),
        tooltip: [
            escaped(oneLine(draft.levels.summary, TOOLTIP_CHARACTERS)),
            why && escaped(oneLine(why, LABEL_CHARACTERS)),
            draft.evidence
                .slice(0, 4)
                .map((one) => `- ${escaped(oneLine(labelOf(one), LABEL_CHARACTERS))}`)
                .join("\n"),
            `${escaped(kind)}, learned ${memory.created_at.slice(0, 10)}${draft.pinned ? ", pinned" : ""}`,
        ]
            .filter(Boolean)
            .join("\n\n"),
        spoken: `${text}, ${kind}${draft.pinned ? ", pinned" : ""}${archived ? ", archived" : ""}${source && `, from ${source}`}`,
        context: words.filter(Boolean).join(" "),
        opens: "never",
    };
}

function contradictionRow(one: Contradiction): Row {
    const both: readonly [Memory, readonly Memory[]][] = [
        [one.a, one.also_a],
        [one.b, one.also_b],
    ];
    const sides = both.map(([memory, also]) =>
        [oneLine(memory.draft.levels.summary, LABEL_CHARACTERS), twinsOf(also)].filter(Boolean).join(" "),
    );
    const reason = oneLine(one.reason, LABEL_CHARACTERS);
    const label = namesOf(one).join(" ↔ ");
    const places = both.map(([memory, also]) =>
        [oneLine(placeOf(memory), 60), twinsOf(also)].filter(Boolean).join(" "),
    );
    const others = both.map(([, also]) => also.slice(0, TWINS).map((memory) => oneLine(placeOf(memory), 60)));
    return {
        label,
        description: places.join(" ↔ "),
        icon: "warning",
        tooltip: [
            ...sides.map((side, at) =>
                [`- ${escaped(side)}`, ...(others[at] ?? []).map((place) => `  - ${escaped(place)}`)].join("\n"),
            ),
            escaped(sentence(reason)),
        ].join("\n\n"),
        spoken: `Contradiction. One side: ${sides[0]} The other: ${sides[1]}`,
        context: "item contradiction",
        opens: "never",
    };
}

/** How many say the same as a side, in words; empty for none. */
export function twinsOf(also: readonly Memory[]): string {
    return also.length === 0 ? "" : `and ${also.length} that ${also.length === 1 ? "says" : "say"} the same`;
}

/** The sides of a contradiction by what they say, as short as it can be: `min python: 3.10` and `3.8`. */
export function namesOf(one: Contradiction): readonly [string, string] {
    const [a, b] = [one.a, one.b].map(({ draft }) => oneLine(draft.levels.compressed || draft.levels.summary, 80));
    const colon = (a ?? "").indexOf(": ");
    const head = colon < 0 ? "" : (a ?? "").slice(0, colon + 2);
    return [a ?? "", head !== "" && b?.startsWith(head) ? b.slice(head.length) : (b ?? "")];
}

/** A reason as a sentence of its own. */
function sentence(reason: string): string {
    return reason && `${reason.charAt(0).toUpperCase()}${reason.slice(1).replace(/\.$/, "")}.`;
}

/** Where a memory comes from, by its first source. */
export function placeOf(memory: Memory): string {
    const source = memory.draft.evidence[0];
    const byHand = memory.draft.origin.startsWith("assistant ") ? "said by an assistant" : "said by hand";
    return source === undefined ? byHand : labelOf(source);
}

function threadRow(thread: Thread): Row {
    const text = oneLine(thread.text, LABEL_CHARACTERS);
    const sort = thread.type.replace(/-/g, " ");
    const { due: day, overdue_since: since } = thread.details;
    const due = since ? `overdue since ${oneLine(since, 40)}` : day ? `due ${oneLine(day, 40)}` : "";
    return {
        label: text,
        description: [sort, due].filter(Boolean).join(" · "),
        icon: thread.type === "question" ? "question" : thread.type === "blocker" ? "error" : "circle-large-outline",
        tooltip: [text, oneLine(thread.quote, TOOLTIP_CHARACTERS), oneLine(thread.said_in, LABEL_CHARACTERS)]
            .filter(Boolean)
            .map(escaped)
            .join("\n\n"),
        spoken: `${text}, ${sort}${due && `, ${due}`}, open`,
        context: "item thread",
        opens: "never",
    };
}

function talkRow(talk: Talk): Row {
    const title = oneLine(talk.title, LABEL_CHARACTERS) || "Conversation without a title";
    const when = talk.started_at.slice(0, 10);
    const turns = many(talk.turns, "turn");
    return {
        label: title,
        description: `${when} · ${turns}`,
        icon: "comment-discussion",
        tooltip: `**${escaped(title)}**\n\n${turns}, begun ${when}, by ${escaped(oneLine(talk.source, 40))}`,
        spoken: `${title}, ${turns}, begun ${when}, waits for your review`,
        context: "item talk",
        opens: "never",
    };
}
