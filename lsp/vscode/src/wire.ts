/** Answers of the language server's own requests, as they come in JSON. Lines count from 1. */

/** A line of a tree, ready to be drawn. `tooltip` is Markdown in which every text is escaped. */
export interface Row {
    readonly id: string;
    readonly sort: string;
    readonly label: string;
    readonly description: string;
    readonly icon: string;
    readonly tooltip: string;
    readonly spoken: string;
    /** Words that menus look for: `memory`, `source`, `pinned`, … */
    readonly context: string;
    readonly fold: "never" | "collapsed" | "expanded";
    readonly text: string;
    /** What opening it does, and with what; both empty if nothing. */
    readonly opens: readonly [does: string, subject: string];
    /** The file that it points to. */
    readonly uri?: string;
    readonly line?: number;
    readonly last?: number;
    readonly rows: readonly Row[];
}

/** `companion/now`: what is in the context of a file, in groups. */
export interface Now {
    readonly root: string;
    readonly name: string;
    readonly tokens: number;
    readonly budget: number;
    readonly activity: string;
    readonly file: string;
    readonly rows: readonly Row[];
    readonly notices: readonly string[];
}

/** `companion/memory`: what is remembered of a work tree, in groups. */
export interface Remembered {
    readonly rows: readonly Row[];
    readonly notices: readonly string[];
}

/** A step in the story of a line, or what is remembered of it. `spans` are first and last lines that it wrote. */
export interface StoryRow extends Row {
    readonly group: "line" | "steps" | "about";
    readonly sha: string;
    readonly spans: readonly (readonly [first: number, last: number])[];
    /** What is behind it; without `url` where no forge shows it. */
    readonly links: readonly { readonly sort: string; readonly name: string; readonly url: string }[];
}

/** `companion/story`: what made a line as it is; `asking` while git knows more. */
export interface Story {
    readonly root: string;
    readonly file: string;
    readonly symbol: string;
    readonly line: number;
    readonly asking: boolean;
    readonly end: string;
    readonly rows: readonly StoryRow[];
}

/** `companion/ask`: what a verb answers, and rows of what a person chooses from. */
export interface Answer<R> {
    readonly result: R;
    readonly rows: readonly Row[];
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
