/** What keeps the language server from running, and how that is said: what happened, to what, and the ways out. */

import type { Source } from "./python/judge";

interface Where {
    readonly command: string;
    readonly source: Source;
}

/** Everything that can be in the way. */
export type Trouble =
    | { readonly sort: "noPython" }
    | ({ readonly sort: "oldPython"; readonly version: string } & Where)
    | ({ readonly sort: "broken"; readonly said: string } & Where)
    | ({ readonly sort: "noCompanion" } & Where)
    | ({ readonly sort: "oldCompanion"; readonly version: string; readonly wanted: string } & Where)
    | { readonly sort: "crashed"; readonly said: string };

/** A way out, by the command that takes it. */
export interface WayOut {
    readonly title: string;
    readonly command: string;
}

const INSTALL: WayOut = { title: "Install…", command: "companion.install" };
const CHOOSE: WayOut = { title: "Choose Python…", command: "companion.chooseInterpreter" };
const LOG: WayOut = { title: "Show Log", command: "companion.showLog" };
const RESTART: WayOut = { title: "Restart", command: "companion.restart" };

/** One sentence about a trouble, with what it is about. */
export function said(trouble: Trouble): string {
    switch (trouble.sort) {
        case "noPython":
            return "Companion needs Python 3.11 or later, and none was found.";
        case "oldPython":
            return `Companion needs Python 3.11 or later; ${named(trouble)} is ${trouble.version}.`;
        case "broken":
            return `Companion cannot run by ${named(trouble)}: ${oneLine(trouble.said)}`;
        case "noCompanion":
            return `Companion is not installed for ${named(trouble)}.`;
        case "oldCompanion":
            return (
                `This extension needs companion ${trouble.wanted} or a later one of its line; ` +
                `${named(trouble)} has ${trouble.version}.`
            );
        case "crashed":
            return `Companion's language server ended by itself. ${oneLine(trouble.said)}`.trimEnd();
    }
}

/** The ways out of a trouble, the best first. */
export function waysOut(trouble: Trouble): readonly WayOut[] {
    switch (trouble.sort) {
        case "noPython":
        case "oldPython":
        case "broken":
            return [CHOOSE, INSTALL, LOG];
        case "noCompanion":
        case "oldCompanion":
            return [INSTALL, CHOOSE, LOG];
        case "crashed":
            return [RESTART, LOG];
    }
}

function named(where: Where): string {
    return `${where.command} (from ${where.source})`;
}

/** Characters of another program's complaint that a message has room for; all of it stands in the log. */
const COMPLAINT_CHARACTERS = 160;

function oneLine(text: string): string {
    const line = text.split(/\s+/).filter(Boolean).join(" ");
    return line.length > COMPLAINT_CHARACTERS ? `…${line.slice(1 - COMPLAINT_CHARACTERS)}` : line;
}
