/**
 * What *Now* showed last, kept with the workspace, so that the next window shows it while the server starts.
 *
 * Only what the repository itself says is kept: names of files and commits. What was said or learned stays in the
 * store alone, where it can be forgotten.
 */

import { isRecord } from "./failure";
import type { Now } from "./wire";

/** A context of before. `by` is the version of the extension that kept it: another one may have other records. */
export interface Kept {
    readonly now: Now;
    readonly at_ms: number;
    readonly by: string;
}

/** Sorts of rows that are no memories. */
const OF_THE_REPOSITORY = new Set(["file", "history", "commit"]);

/** A context as it is kept. */
export function kept(now: Now, at_ms: number, by: string): Kept {
    const rows = now.rows.map((group) => ({
        ...group,
        rows: group.rows
            .filter(({ sort }) => OF_THE_REPOSITORY.has(sort))
            .map((row) => ({ ...row, text: "", tooltip: "" })),
    }));
    return { now: { ...now, rows: rows.filter((group) => group.rows.length > 0), notices: [] }, at_ms, by };
}

/** What was kept, if it may be shown: by this version, with something in it, and of the file that is in front. */
export function shownAgain(given: unknown, by: string, front: string | undefined): Kept | undefined {
    if (!isRecord(given) || given["by"] !== by || !isRecord(given["now"])) {
        return undefined;
    }
    const found = given as unknown as Kept;
    const fits = front === undefined || alike(front) === alike(`${found.now.root}/${found.now.file}`);
    return fits && Array.isArray(found.now.rows) && found.now.rows.length > 0 ? found : undefined;
}

/** A URI without its ways of writing: VS Code encodes more signs than others do, and Windows has two cases. */
function alike(uri: string): string {
    try {
        return decodeURIComponent(uri).toLowerCase();
    } catch {
        return uri;
    }
}

/** When something was, as people say it: `2 hours ago`. */
export function ago(at_ms: number, now_ms: number): string {
    const minutes = Math.max(0, Math.floor((now_ms - at_ms) / 60_000));
    const days = Math.floor(minutes / (24 * 60));
    if (days > 0) {
        return days === 1 ? "yesterday" : `${days} days ago`;
    }
    const hours = Math.floor(minutes / 60);
    if (hours > 0) {
        return hours === 1 ? "an hour ago" : `${hours} hours ago`;
    }
    return minutes > 1 ? `${minutes} minutes ago` : "a moment ago";
}
