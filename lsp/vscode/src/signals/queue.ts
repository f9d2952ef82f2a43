/** Gathers what was seen for a moment, so that one message carries all of it: of one thing only the last counts. */

import type { Seen } from "../wire";

/** As long as a person hardly notices, and as many keys as anybody presses in it. */
export const GATHERED_MS = 500;
/** What waits at most; while nobody takes it the oldest go. */
export const WAITING_MOST = 200;

/** Starts a timer; given from outside, so that tests need not wait. */
export type Later = (act: () => void, wait_ms: number) => void;

/** See the module. */
export class Queue {
    private readonly waiting = new Map<string, Seen>();
    private due = false;

    constructor(
        private readonly send: (seen: readonly Seen[]) => void,
        private readonly later: Later = (act, wait_ms) => void setTimeout(act, wait_ms),
    ) {}

    /** Tell of it soon. */
    add(seen: Seen): void {
        const key = keyOf(seen);
        this.waiting.delete(key); // so that it goes to the end
        this.waiting.set(key, seen);
        if (this.waiting.size > WAITING_MOST) {
            const [oldest] = this.waiting.keys();
            this.waiting.delete(oldest ?? "");
        }
        if (!this.due) {
            this.due = true;
            this.later(() => this.flush(), GATHERED_MS);
        }
    }

    private flush(): void {
        this.due = false;
        const seen = [...this.waiting.values()];
        this.waiting.clear();
        this.send(seen);
    }
}

function keyOf(seen: Seen): string {
    switch (seen.what) {
        case "ran":
            return `ran ${seen.began} ${seen.command}`;
        case "branch":
            return `branch ${seen.folder}`;
        default:
            return `${seen.what} ${seen.uri}`;
    }
}
