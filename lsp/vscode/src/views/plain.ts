/** Text of files, memories and talk on its way to the screen: it stays text, whatever signs it holds. */

import { grouped } from "../standing";

/** Controls, escapes of terminals, and marks that turn the direction of what stands beside them or hide it. */
// eslint-disable-next-line no-control-regex
const UNSEEN =
    /\x1b\[[0-9;?]*[ -/]*[@-~]|[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;
/** Signs that Markdown or its extensions give a meaning within a line. */
const MARKS = /[\\`*_{}[\]<>()#+\-!|~&@$]|:(?=\/\/)|(?<=www)\./g;

/** The text with only what can be seen; its lines stay. */
export function clean(text: string): string {
    return text.replace(UNSEEN, "");
}

/** Cleaned, on one line, and no longer than so many characters. */
export function oneLine(text: string, most: number): string {
    const flat = clean(text.slice(0, 4 * most + 400)) // a memory may be a book: its head is enough
        .replace(/\s+/g, " ")
        .trim();
    const signs = [...flat];
    return signs.length <= most
        ? flat
        : `${signs
              .slice(0, most - 1)
              .join("")
              .trimEnd()}…`;
}

/** A text that Markdown shows as it is, on one line: no link, no image, no heading, no icon. */
export function escaped(text: string): string {
    return clean(text).replace(/\s+/g, " ").trim().replace(MARKS, "\\$&");
}

/** A text for a quick pick or the status bar, where `$(name)` would be an icon. */
export function iconless(text: string): string {
    return text.replace(/\$\(/g, "\\$(");
}

/** `1 item`, `3 items`. */
export function many(count: number, one: string, several = `${one}s`): string {
    return `${grouped(count)} ${count === 1 ? one : several}`;
}
