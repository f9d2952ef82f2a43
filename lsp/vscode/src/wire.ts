/** Answers of the language server's own requests, as they come in JSON. Lines count from 1. */

/** One thing in the context: which text of it stands there, how long it is and why it is there. */
export interface Item {
    readonly id: string;
    readonly title: string;
    readonly text: string;
    readonly kind: string;
    readonly section: string;
    readonly level: string;
    readonly tokens: number;
    readonly reason: string;
    readonly reasons: readonly string[];
    readonly source: string;
    readonly age: string;
    readonly pinned: boolean;
    /** The virtual document that shows all of it; empty if there is none. */
    readonly opens: string;
    readonly uri?: string;
    readonly line?: number;
}

/** One of the four shares of a context. */
export interface Tier {
    readonly name: string;
    readonly tokens: number;
    readonly share: number;
    readonly items: readonly Item[];
}

/** `companion/now`: what is in the context of a file. */
export interface Now {
    readonly root: string;
    readonly name: string;
    readonly tokens: number;
    readonly budget: number;
    readonly activity: string;
    readonly file: string;
    readonly tiers: readonly Tier[];
    readonly notices: readonly string[];
}

/** `companion/changed`: what is known of a work tree is no longer what it was. */
export interface Changed {
    readonly root: string;
    readonly what: string;
}

/** A place in a file; the line counts from 0, as editors do. */
interface Somewhere {
    readonly uri: string;
    readonly line: number;
}

/** A diagnostic in the protocol's form. */
export interface SeenDiagnostic {
    readonly range: { readonly start: SeenPosition; readonly end: SeenPosition };
    readonly message: string;
    readonly severity: number;
    readonly source?: string;
    readonly code?: string;
}

interface SeenPosition {
    readonly line: number;
    readonly character: number;
}

/** A command or task that ended; `began` is in milliseconds since 1970. */
export interface SeenCommand {
    readonly what: "ran";
    readonly folder: string;
    readonly command: string;
    readonly exitCode: number;
    readonly began: number;
    readonly took: number;
}

/** What the language server cannot see by itself: `companion/seen` carries a list of these. Never any text of files. */
export type Seen =
    | ({ readonly what: "shown" | "selected" | "stopped" } & Somewhere)
    | { readonly what: "diagnosed"; readonly uri: string; readonly diagnostics: readonly SeenDiagnostic[] }
    | SeenCommand
    | { readonly what: "branch"; readonly folder: string };
