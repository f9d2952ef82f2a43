/** How a contradiction is settled: the four ways, and what is asked of the daemon. */

import { oneLine } from "../views/plain";
import type { Row } from "../wire";

/** Where something holds; an empty part is everywhere. */
export interface Scope {
    readonly language: string;
    readonly path: string;
    readonly environment: string;
    readonly version: string;
    readonly branch: string;
}

/** A contradiction, as far as settling it looks at it; the scopes are where each side holds by its own words. */
export interface Contradiction {
    readonly id: string;
    readonly scope_a: Scope | null;
    readonly scope_b: Scope | null;
    readonly merged: string;
}

/** One that is open, and its row, below which its two sides stand. */
export interface Open {
    readonly one: Contradiction;
    readonly row: Row;
    readonly sides: readonly [Row, Row];
}

/** The ways, in the daemon's words. */
export type Way = "a_wins" | "b_wins" | "both_valid" | "merged";

/** A way as it is offered; `elsewhere` is one of them that needs more than a choice. */
export interface Offer {
    readonly way: Way | "elsewhere";
    readonly icon: string;
    readonly label: string;
    readonly about: string;
    readonly detail: string;
}

/** A verdict, as the daemon's verb `settle` is asked. */
export interface Verdict {
    readonly id: string;
    readonly resolution: Way;
    readonly note: string;
    readonly scopes: { readonly a: Scope | null; readonly b: Scope | null };
    readonly merged: string;
}

/** What can narrow where something holds. */
const SCOPE_PARTS = ["path", "language", "environment", "version", "branch"] as const;

const SIDE_CHARACTERS = 160;

/** The four ways: each side by what it says and where, and what stands when both do. */
export function offersOf({ one, sides }: Open): readonly Offer[] {
    const [left, right] = sides;
    const parted = one.scope_a !== null && one.scope_b !== null;
    const places = parted ? `By their own words: ${scopeLabel(one.scope_a)} and ${scopeLabel(one.scope_b)}` : "";
    return [
        { way: "a_wins", icon: "arrow-left", label: left.label, about: "holds, on the left", detail: sideOf(left) },
        { way: "b_wins", icon: "arrow-right", label: right.label, about: "holds, on the right", detail: sideOf(right) },
        {
            way: parted ? "both_valid" : "elsewhere",
            icon: "split-horizontal",
            label: "Both Hold, Each in Its Place",
            about: "",
            detail: places || "On the page you say where each of them does",
        },
        {
            way: "merged",
            icon: "merge",
            label: "One Text for Both",
            about: "",
            detail: oneLine(one.merged, SIDE_CHARACTERS) || "You say what is true instead",
        },
    ];
}

/** A side in one line: where it stands, how many say the same, and what it says. */
export function sideOf({ description, text }: Row): string {
    return [description, oneLine(text, SIDE_CHARACTERS)].filter(Boolean).join(" · ");
}

/** Those that are open, each with its row. */
export function openOnes(found: readonly Contradiction[], rows: readonly Row[]): readonly Open[] {
    return found.flatMap((one, at) => {
        const row = rows[at];
        const [a, b] = row?.rows ?? [];
        return row && a && b ? [{ one, row, sides: [a, b] as const }] : [];
    });
}

/** The verdict; scopes count only where both hold, a text only where both become one. */
export function verdictOf(one: Contradiction, way: Way, note: string, merged = ""): Verdict {
    const both = way === "both_valid";
    return {
        id: one.id,
        resolution: way,
        note: note.trim(),
        scopes: { a: both ? one.scope_a : null, b: both ? one.scope_b : null },
        merged: way === "merged" ? merged.trim() : "",
    };
}

function scopeLabel(scope: Scope): string {
    return (
        oneLine(
            SCOPE_PARTS.map((part) => scope[part])
                .filter(Boolean)
                .join(" "),
            60,
        ) || "elsewhere"
    );
}
