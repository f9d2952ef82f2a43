/**
 * The words of a review as a file that can be edited: saving it changes what will be remembered.
 *
 * Its URI is `companion-review:/CONVERSATION/PART/TITLE.md?ROOT`; the title is for the tab. Nothing is written to the disk.
 */

import * as vscode from "vscode";
import type { Companion } from "../companion";
import { failureOf } from "../failure";
import type { Answer } from "../wire";
import type { Preview } from "./preview";

export const SCHEME = "companion-review";

/** Which part (from 1) of which conversation's words; `root` is the URI of a work tree to ask in. */
export interface Words {
    readonly root: string;
    readonly conversation: string;
    readonly part: number;
}

/** Characters of a title in an address: a tab shows fewer. */
const NAME_CHARACTERS = 60;
/** Signs that part an address, or that no file may be called by. */
const UNNAMED = /[/\\?#:*"<>|]+/g;

/** A title as a file may be called. */
function nameOf(title: string): string {
    const signs = [...title.replace(UNNAMED, " ")].slice(0, NAME_CHARACTERS).join("");
    return signs.replace(/^[ .]+|[ .]+$/g, "");
}

/** The URI of words, with the title of what they are about. */
export function uriOf(words: Words, title: string): vscode.Uri {
    const path = `/${words.conversation}/${words.part}/${nameOf(title) || "Words"}.md`;
    return vscode.Uri.from({ scheme: SCHEME, path, query: words.root });
}

/** The words that a URI names; undefined for any other. */
export function wordsOf(uri: vscode.Uri): Words | undefined {
    const found = /^\/([\w-]+)\/(\d+)\/[^/]*$/.exec(uri.path);
    return uri.scheme === SCHEME && found?.[1] !== undefined
        ? { root: uri.query, conversation: found[1], part: Number(found[2]) }
        : undefined;
}

/** Reads and writes words through the language server. */
export class WordsFiles implements vscode.FileSystemProvider {
    private readonly changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
    readonly onDidChangeFile = this.changed.event;
    private readonly saved = new vscode.EventEmitter<Words>();
    /** Fires after words were kept. */
    readonly onDidSave = this.saved.event;
    private readonly times = new Map<string, number>();

    constructor(private readonly companion: Companion) {}

    async readFile(uri: vscode.Uri): Promise<Uint8Array> {
        const words = named(uri);
        const ask = { conversation: words.conversation };
        const preview = await this.ask<Preview>(words.root, "review", ask, uri);
        const part = preview.parts[words.part - 1];
        if (part === undefined && words.part !== 1) {
            throw vscode.FileSystemError.FileNotFound(uri);
        }
        return new TextEncoder().encode(part?.narrative ?? ""); // where nothing was found the words are yet to come
    }

    async writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
        const words = named(uri);
        const narrative = new TextDecoder().decode(content).trim();
        if (narrative === "") {
            throw vscode.FileSystemError.Unavailable("Empty words cannot be remembered. Leave items out instead.");
        }
        const ask = { conversation: words.conversation, edit: { narrative, part: words.part } };
        await this.ask<Preview>(words.root, "edit_review", ask, uri);
        this.times.set(uri.toString(), Date.now());
        this.changed.fire([{ type: vscode.FileChangeType.Changed, uri }]);
        this.saved.fire(words);
    }

    async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
        const content = await this.readFile(uri);
        const mtime = this.times.get(uri.toString()) ?? 0;
        return { type: vscode.FileType.File, ctime: 0, mtime, size: content.byteLength };
    }

    watch(): vscode.Disposable {
        return new vscode.Disposable(() => undefined);
    }

    readDirectory(): [string, vscode.FileType][] {
        return [];
    }

    createDirectory(uri: vscode.Uri): void {
        throw vscode.FileSystemError.NoPermissions(uri);
    }

    delete(uri: vscode.Uri): void {
        throw vscode.FileSystemError.NoPermissions(uri);
    }

    rename(uri: vscode.Uri): void {
        throw vscode.FileSystemError.NoPermissions(uri);
    }

    private async ask<R>(folder: string, verb: string, ask: object, uri: vscode.Uri): Promise<R> {
        try {
            return (await this.companion.ask<Answer<R>>("companion/ask", { folder, verb, ask })).result;
        } catch (thrown) {
            const failure = failureOf(thrown);
            throw failure.sort === "UnknownConversation" || failure.sort === "WrongState"
                ? vscode.FileSystemError.FileNotFound(uri)
                : vscode.FileSystemError.Unavailable(failure.whole);
        }
    }
}

function named(uri: vscode.Uri): Words {
    const words = wordsOf(uri);
    if (words === undefined) {
        throw vscode.FileSystemError.FileNotFound(uri);
    }
    return words;
}
