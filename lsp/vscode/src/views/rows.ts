/** Rows of the trees, before VS Code makes anything of them: labels, icons, tooltips, what a screen reader says. */

import type { Item, Now, Tier } from "../wire";
import { counted, escaped, many, oneLine } from "./plain";

/** One row of a tree. `tooltip` is Markdown in which every text of a memory is escaped. */
export interface Row {
    readonly label: string;
    readonly description: string;
    readonly icon: string;
    readonly tooltip: string;
    readonly spoken: string;
    /** Words that menus look for: `memory`, `source`, `pinned`, … */
    readonly context: string;
    readonly opens: "never" | "collapsed" | "expanded";
}

/** Characters of a label: a side bar that was drawn wide shows as many. */
export const LABEL_CHARACTERS = 120;
/** Characters of the text in a tooltip: what is read without scrolling. */
export const TOOLTIP_CHARACTERS = 600;

/** Characters of a reason beside a label. */
const REASON_CHARACTERS = 60;

const ICONS: Readonly<Record<string, string>> = {
    file: "file-code",
    history: "history",
    topic: "search",
    contradiction: "warning",
    decision: "law",
    question: "question",
    error: "bug",
    episode: "git-commit",
    pattern: "symbol-structure",
    workflow: "list-ordered",
    person: "person",
    fact: "note",
};

const TIERS: Readonly<Record<string, { readonly title: string; readonly icon: string; readonly says: string }>> = {
    critical: { title: "Critical", icon: "flame", says: "What must not be missed for the file at hand." },
    relevant: { title: "Relevant", icon: "star-empty", says: "What is probably needed for it." },
    background: { title: "Background", icon: "book", says: "What is good to know around it." },
    index: { title: "Index", icon: "list-flat", says: "What else can be asked for, by name." },
};

/** What an empty share says: what is not sure to be needed stands in the next one. */
const NONE = "nothing is sure to be needed";

/** The icon of a kind of item. */
export function iconOf(kind: string): string {
    return ICONS[kind] ?? "note";
}

/** A repository, where there are several. */
export function rootRow(name: string, now: Now | undefined): Row {
    const used = now === undefined ? "" : usedOf(now.tokens, now.budget);
    return {
        label: oneLine(name, LABEL_CHARACTERS),
        description: used,
        icon: "repo",
        tooltip: `**${escaped(name)}**${used && `\n\n${used}`}`,
        spoken: `Repository ${name}${used && `, ${used}`}`,
        context: "repository",
        opens: now === undefined ? "collapsed" : "expanded",
    };
}

/** The shares that have a row: those with something in them, and the first, whose emptiness says something. */
export function tiersShown(tiers: readonly Tier[]): readonly Tier[] {
    return tiers.filter((tier) => tier.items.length > 0 || tier.name === "critical");
}

/** One of the four shares: what it holds, what that takes and what it may take. */
export function tierRow(tier: Tier): Row {
    const known = TIERS[tier.name] ?? { title: oneLine(tier.name, 40), icon: "list-flat", says: "" };
    const size = many(tier.tokens, "token");
    const share = `Its share is ${many(tier.share, "token")}; what the others leave over is lent to it.`;
    const items = tier.items.length === 0 ? NONE : many(tier.items.length, "item");
    const urgent = tier.name === "critical" || tier.name === "relevant";
    return {
        label: known.title,
        description: tier.items.length === 0 ? NONE : `${size} · ${items}`,
        icon: known.icon,
        tooltip: `**${escaped(known.title)}**: ${escaped(known.says)}\n\n${items}, ${size}. ${share}`,
        spoken: [known.title, items, ...(tier.items.length === 0 ? [] : [size])].join(", "),
        context: "tier",
        opens: tier.items.length === 0 ? "never" : urgent ? "expanded" : "collapsed",
    };
}

/** An item: what it says, at which length, how many tokens, and why it is there. */
export function itemRow(item: Item): Row {
    const size = `${item.level}, ${many(item.tokens, "token")}`;
    const title = oneLine(item.title, LABEL_CHARACTERS);
    const pinned = item.pinned ? ", pinned" : "";
    const reason = oneLine(item.reason, REASON_CHARACTERS);
    return {
        label: title,
        description: [counted(item.tokens), item.level, reason].filter(Boolean).join(" · "),
        icon: item.pinned ? "pinned" : iconOf(item.kind),
        tooltip: itemTooltip(item, size),
        spoken: `${title}, ${item.kind}${pinned}, ${size}${reason && `, because ${reason}`}`,
        context: itemContext(item),
        opens: "never",
    };
}

/** A sentence in place of items, as a notice or what went wrong. */
export function noticeRow(text: string, icon = "info"): Row {
    const said = sentence(oneLine(text, 500));
    return {
        label: oneLine(said, LABEL_CHARACTERS),
        description: "",
        icon,
        tooltip: escaped(said),
        spoken: said,
        context: "notice",
        opens: "never",
    };
}

/** A text that begins with a capital letter, as sentences do. */
function sentence(text: string): string {
    return text.charAt(0).toUpperCase() + text.slice(1);
}

/** `5,120 of 8,000 tokens`. */
export function usedOf(tokens: number, budget: number): string {
    return `${counted(tokens)} of ${counted(budget)} tokens`;
}

function itemTooltip(item: Item, size: string): string {
    const text = oneLine(item.text, TOOLTIP_CHARACTERS);
    const short = (given: string): string => escaped(oneLine(given, LABEL_CHARACTERS));
    const where = [item.source, item.age].filter(Boolean).map(short).join(", ");
    return [
        `**${short(item.title)}**`,
        item.kind === "file" || text === item.title ? "" : escaped(text),
        item.reasons.map((reason) => `- ${short(reason)}`).join("\n"),
        `${short(item.section)} · ${escaped(size)}${item.pinned ? " · pinned" : ""}${where && ` · ${where}`}`,
    ]
        .filter(Boolean)
        .join("\n\n");
}

function itemContext(item: Item): string {
    const memory = item.id.startsWith("m1");
    const words = [
        "item",
        item.kind,
        memory ? "memory" : "",
        memory && item.pinned ? "pinned" : memory ? "loose" : "",
        item.uri === undefined ? "" : "source",
        item.opens ? "whole" : "",
    ];
    return words.filter(Boolean).join(" ");
}
