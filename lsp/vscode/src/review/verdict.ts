/** How a contradiction is settled: the four ways, where each side holds, and what is asked of the daemon. */

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

/** A contradiction, as far as settling it looks at it. */
export interface Contradiction {
    readonly id: string;
    readonly a: { readonly draft: { readonly scope: Scope } };
    readonly b: { readonly draft: { readonly scope: Scope } };
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

/** A way as it is offered. */
export interface Offer {
    readonly way: Way;
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
export const SCOPE_PARTS = ["path", "language", "environment", "version", "branch"] as const;

const NOWHERE: Scope = { language: "", path: "", environment: "", version: "", branch: "" };
const SIDE_CHARACTERS = 160;

/** The four ways: each side by what it says and where, and what stands when both do. */
export function offersOf({ one, sides }: Open): readonly Offer[] {
    const [left, right] = sides;
    const parted =
        one.scope_a !== null && one.scope_b !== null
            ? `By their own words: ${scopeLabel(one.scope_a)} and ${scopeLabel(one.scope_b)}`
            : "You say where each of them does";
    return [
        { way: "a_wins", icon: "arrow-left", label: left.label, about: "holds, on the left", detail: sideOf(left) },
        { way: "b_wins", icon: "arrow-right", label: right.label, about: "holds, on the right", detail: sideOf(right) },
        {
            way: "both_valid",
            icon: "split-horizontal",
            label: "Both Hold, Each in Its Place",
            about: "",
            detail: parted,
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

/** A scope as it is typed: `path=deploy, environment=ci`; a bare word is a path; nothing is everywhere. */
export function scopeOf(typed: string): Scope {
    const given: Record<string, string> = {};
    for (const part of partsOf(typed)) {
        const [name, value] = pairOf(part);
        given[name] = value;
    }
    return { ...NOWHERE, ...given };
}

/** What is wrong with a scope as it is typed; undefined if it can be taken. */
export function scopeWrong(typed: string): string | undefined {
    for (const part of partsOf(typed)) {
        const [name, value] = pairOf(part);
        if (!(SCOPE_PARTS as readonly string[]).includes(name) || value === "") {
            return `Write NAME=VALUE with one of ${SCOPE_PARTS.join(", ")}; “${oneLine(part, 40)}” is none.`;
        }
    }
    return undefined;
}

/** A scope as `scopeOf` reads it. */
export function typedOf(scope: Scope | null): string {
    return scope === null
        ? ""
        : SCOPE_PARTS.filter((part) => scope[part] !== "")
              .map((part) => `${part}=${scope[part]}`)
              .join(", ");
}

/** Whether two scopes keep the sides apart; the daemon refuses those that do not, unless none is given at all. */
export function isParted(a: Scope, b: Scope): boolean {
    return SCOPE_PARTS.some((part) => a[part] !== b[part]);
}

/** The verdict; scopes count only where both hold and they keep them apart, a text only where both become one. */
export function verdictOf(
    one: Contradiction,
    way: Way,
    note: string,
    given: { readonly a?: Scope; readonly b?: Scope; readonly merged?: string } = {},
): Verdict {
    const { a, b } = given;
    const parts = way === "both_valid" && a !== undefined && b !== undefined && isParted(a, b);
    return {
        id: one.id,
        resolution: way,
        note: note.trim(),
        scopes: parts ? { a, b } : { a: null, b: null },
        merged: way === "merged" ? (given.merged ?? "").trim() : "",
    };
}

/** Whether a scope is everywhere. */
export function isEverywhere(scope: Scope): boolean {
    return SCOPE_PARTS.every((part) => scope[part] === "");
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

function partsOf(typed: string): string[] {
    return typed
        .split(",")
        .map((part) => part.trim())
        .filter(Boolean);
}

function pairOf(part: string): [string, string] {
    const at = part.indexOf("=");
    return at < 0 ? ["path", part] : [part.slice(0, at).trim(), part.slice(at + 1).trim()];
}
