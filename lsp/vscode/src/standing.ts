/** How things stand, in the words and signs of the status item. */

import type { Reading, State } from "./companion";
import type { Failure } from "./failure";
import { said, type Trouble } from "./trouble";
import type { Now } from "./wire";

/** The sort of the failure that means a repository nobody has read. */
export const NOT_READ = "NotReadYet";
/** The sort of the failure that means a folder in which there is no repository. */
export const NO_REPOSITORY = "NotARepository";

/** What is lacking before anything can be shown, as `when` clauses name it; empty if nothing is. */
export function lacks(failure: Failure | undefined): "" | "reading" | "repository" {
    switch (failure?.sort) {
        case NOT_READ:
            return "reading";
        case NO_REPOSITORY:
            return "repository";
        default:
            return "";
    }
}

/** What the status item says of. */
export interface Standing {
    readonly state: State;
    readonly trouble: Trouble | undefined;
    readonly reading: Reading | undefined;
    /** Why there is no context to tell of, if there is none. */
    readonly failure: Failure | undefined;
    readonly now: Now | undefined;
    readonly quiet: boolean;
}

/** What the status item shows: a sign and few words, a sentence for the pointer, and the same to be read aloud. */
export interface Shown {
    readonly text: string;
    readonly sentence: string;
    readonly warns: boolean;
}

const STARTING = calm("$(loading~spin) Companion", "Companion is starting.");

/** The status item for how things stand; undefined while there is nothing to show. */
export function shown(standing: Standing): Shown | undefined {
    const { state, trouble, reading, now } = standing;
    switch (state) {
        case "asleep":
            return undefined;
        case "starting":
            return STARTING;
        case "paused":
            return calm("$(debug-pause) Companion", "Companion is paused: it reads, shows and notes nothing.");
        case "restricted":
            return calm("$(workspace-untrusted) Companion", "Companion is off until this folder is trusted.");
        case "failed":
            return {
                text: "$(warning) Companion",
                sentence: trouble ? said(trouble) : "Companion does not run.",
                warns: true,
            };
        case "running":
            break;
    }
    if (reading !== undefined) {
        const share = reading.percent === undefined ? "" : ` ${Math.round(reading.percent)} %`;
        const says = [`${reading.title}${share}`, reading.says].filter(Boolean).join(": ");
        return calm(`$(sync~spin) Companion${share}`, `${says}.`);
    }
    if (standing.failure?.sort === NOT_READ) {
        return calm("$(circle-large-outline) Companion", "This repository has not been read yet.");
    }
    if (standing.failure !== undefined) {
        return calm("$(book) Companion", `Companion runs. ${standing.failure.whole}`);
    }
    if (now === undefined) {
        return STARTING; // nothing has been answered yet
    }
    const whom = now.file ? `for ${now.file.slice(now.file.lastIndexOf("/") + 1)}` : "for this folder";
    const tokens = `${grouped(now.tokens)} of ${grouped(now.budget)} tokens`;
    const groups = now.rows.map((row) => `${row.label} ${row.description}`).join(", ");
    const what = groups && ` ${groups}: the view Now gives each its reason.`;
    const hush = standing.quiet ? " Quiet is on: nothing is shown on its own." : "";
    const sentence = `Companion is ready: an assistant gets ${tokens} ${whom}.${what}${hush} Click for a menu.`;
    return calm(`$(book) ${short(now.tokens)} tokens`, sentence);
}

/** A count as people read it at a glance: 412, 3.2k, 120k. */
export function short(count: number): string {
    if (count < 1_000) {
        return String(count);
    }
    const thousands = count / 1_000;
    return `${thousands < 10 ? (Math.floor(thousands * 10) / 10).toFixed(1) : Math.floor(thousands)}k`;
}

/** A count with its thousands apart. */
export function grouped(count: number): string {
    return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}

function calm(text: string, sentence: string): Shown {
    return { text, sentence, warns: false };
}
