/** Where a debugger stopped, out of the messages of the debug adapter protocol. */

import { isRecord } from "../failure";

/** A file's path and its line from 1. */
export interface Stop {
    readonly path: string;
    readonly line: number;
}

/** Follows the messages of one session: the first stack that is asked for after a stop says where it is. */
export class Stops {
    private stopped = false;

    /** The place, once, when a message completes a stop. */
    heard(message: unknown): Stop | undefined {
        if (!isRecord(message)) {
            return undefined;
        }
        if (message["type"] === "event" && message["event"] === "stopped") {
            this.stopped = true;
        }
        if (!this.stopped || message["type"] !== "response" || message["command"] !== "stackTrace") {
            return undefined;
        }
        const body = isRecord(message["body"]) ? message["body"]["stackFrames"] : undefined;
        const frames: readonly unknown[] = Array.isArray(body) ? body : [];
        const stop = frames.map(stopOf).find((one) => one !== undefined);
        this.stopped = this.stopped && stop === undefined;
        return stop;
    }
}

function stopOf(frame: unknown): Stop | undefined {
    const source = isRecord(frame) ? frame["source"] : undefined;
    const path = isRecord(source) && !source["sourceReference"] ? source["path"] : undefined;
    const line = isRecord(frame) ? frame["line"] : undefined;
    return typeof path === "string" && typeof line === "number" ? { path, line } : undefined;
}
