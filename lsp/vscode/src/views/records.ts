/** Records of the owner's API as they come in JSON, as far as the views look at them. Times are UTC. */

export interface Evidence {
    readonly kind: "file" | "commit" | "conversation" | "command" | "person";
    readonly ref: string;
    readonly line: number | null;
    readonly quote: string;
}

export interface Scope {
    readonly language: string;
    readonly path: string;
    readonly environment: string;
    readonly version: string;
    readonly branch: string;
}

export interface Memory {
    readonly id: string;
    readonly created_at: string;
    readonly status: "active" | "archived";
    readonly draft: {
        readonly kind: "fact" | "episode" | "pattern" | "workflow";
        readonly type: string;
        readonly subject: string;
        readonly value: string;
        readonly origin: string;
        readonly levels: { readonly full: string; readonly summary: string; readonly compressed: string };
        readonly evidence: readonly Evidence[];
        readonly scope: Scope;
        readonly pinned: boolean;
    };
}

export interface Hit {
    readonly memory: Memory;
    readonly score: number;
    readonly reasons: readonly { readonly says: string }[];
}

export interface Contradiction {
    readonly id: string;
    readonly a: Memory;
    readonly b: Memory;
    /** Who else says what a side says: it is settled for all of them. */
    readonly also_a: readonly Memory[];
    readonly also_b: readonly Memory[];
    readonly reason: string;
    readonly confidence: number;
    readonly detected_at: string;
    readonly scope_a: Scope | null;
    readonly scope_b: Scope | null;
    readonly merged: string;
}

/** Something that talk left behind. */
export interface Thread {
    readonly id: string;
    readonly type: string;
    readonly text: string;
    readonly turn: number;
    readonly quote: string;
    readonly details: Readonly<Record<string, string>>;
    readonly conversation: string;
    readonly touched_at: string | null;
    readonly said_in: string;
}

export interface Talk {
    readonly id: string;
    readonly state: "active" | "ready_to_close" | "compressing" | "archived";
    readonly started_at: string;
    readonly source: string;
    readonly title: string;
    readonly turns: number;
    readonly unseen: boolean;
}

export interface Happened {
    readonly at: string;
    readonly memory: Memory;
}

export interface TimelinePage {
    readonly happened: readonly Happened[];
    readonly more_before: boolean;
    readonly months: readonly { readonly count: number }[];
}

/** The answer of `companion/ask`. */
export interface Answer<R> {
    readonly result: R;
    readonly notices: readonly string[];
}
