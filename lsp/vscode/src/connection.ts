/** One run of the language server, by vscode-languageclient. Loaded when one is started, never before. */

import * as vscode from "vscode";
import { CloseAction, ErrorAction, LanguageClient, RevealOutputChannelOn } from "vscode-languageclient/node";
import type { Reading } from "./companion";
import type { Found } from "./python/judge";
import { SECTION } from "./settings";

/** Whom a run tells of what happens to it. */
export interface Watcher {
    /** It ended, and nobody had asked it to. */
    ended(): void;
    /** A repository is being read; undefined once it is done. */
    reads(reading: Reading | undefined): void;
    /** A notification of the server's own. */
    told(method: string, params: unknown): void;
}

/** Notifications that the server sends beyond the protocol. */
const TOLD = ["companion/changed"];
/** A server that is asked to leave has so long before it is ended. */
const LEAVE_MS = 2_000;

/** Documents that are shown rendered: the others have links that only the text has. */
const RENDERED = "companion:///why/";
const PREVIEW = "vscode.markdown.preview.editor";

/** A run that has begun. */
export interface Connection {
    readonly version: string;
    ask(method: string, params: object, token: vscode.CancellationToken | undefined): Promise<unknown>;
    notify(method: string, params: object): void;
    end(): Promise<void>;
}

/** A client that keeps its complaints in the log: what a person should know is said once, by the extension. */
class QuietClient extends LanguageClient {
    override error(message: string, data?: unknown): void {
        super.error(message, data, false);
    }
}

/** All that is set under our section, as plain JSON. */
function given(): unknown {
    return JSON.parse(JSON.stringify(vscode.workspace.getConfiguration(SECTION)));
}

/** Start a server and greet it. Rejects if it ends before it has answered. */
export async function connect(found: Found, log: vscode.LogOutputChannel, watcher: Watcher): Promise<Connection> {
    let wanted = true;
    let greeted = false;
    let fail: (why: Error) => void = () => undefined;
    const lost = new Promise<never>((_, reject) => (fail = reject));
    const reads = new Map<string | number, string>();
    const client = new QuietClient(
        "companion",
        "Companion",
        { command: found.candidate.command, args: [...found.args] },
        {
            // Our own documents too: paths, commits and ids in them are links.
            documentSelector: [{ scheme: "file" }, { scheme: "companion" }],
            outputChannel: log,
            traceOutputChannel: log,
            revealOutputChannelOn: RevealOutputChannelOn.Never,
            // With the settings from the start, none is at its default for the moment until the server has asked.
            initializationOptions: { commandLinks: true, [SECTION]: given() },
            initializationFailedHandler: () => false,
            markdown: { isTrusted: { enabledCommands: ["companion.expand"] }, supportHtml: false },
            textSynchronization: { delayOpenNotifications: true },
            errorHandler: {
                error: () => ({ action: ErrorAction.Continue, handled: true }),
                closed: () => {
                    if (wanted && greeted) {
                        watcher.ended();
                    }
                    wanted = false;
                    fail(new Error("It ended before it had answered.")); // of a greeting the client goes on waiting
                    return { action: CloseAction.DoNotRestart, handled: true };
                },
            },
            middleware: {
                window: {
                    showDocument: async (params, token, next) => {
                        if (!params.uri.startsWith(RENDERED)) {
                            return next(params, token);
                        }
                        const uri = vscode.Uri.parse(params.uri);
                        await vscode.commands.executeCommand("vscode.openWith", uri, PREVIEW, { preview: true });
                        return { success: true };
                    },
                },
                handleWorkDoneProgress: (token, params, next) => {
                    const title = params.kind === "begin" ? params.title : reads.get(token);
                    if (params.kind === "end" || title === undefined) {
                        reads.delete(token);
                        watcher.reads(undefined);
                        next(token, params);
                    } else {
                        reads.set(token, title); // the status item says it: a second one beside it would say it twice
                        watcher.reads({ title, percent: params.percentage, says: params.message ?? "" });
                    }
                },
            },
        },
    );
    for (const method of TOLD) {
        client.onNotification(method, (params: unknown) => watcher.told(method, params));
    }
    const end = async (): Promise<void> => {
        wanted = false;
        const gone = client.dispose(LEAVE_MS).catch(() => undefined);
        await Promise.race([gone, new Promise((resolve) => setTimeout(resolve, LEAVE_MS))]);
        // A start that failed half-way cannot be stopped, and its commands would be in the way of the next.
        client.getFeature("workspace/executeCommand").clear();
    };
    try {
        const started = client.start();
        started.catch(() => undefined);
        lost.catch(() => undefined);
        await Promise.race([started, lost]);
        greeted = true;
    } catch (wrong) {
        await end();
        throw wrong;
    }
    return {
        version: client.initializeResult?.serverInfo?.version ?? "",
        // An argument that is undefined would be sent as a second parameter.
        ask: (method, params, token) =>
            token === undefined ? client.sendRequest(method, params) : client.sendRequest(method, params, token),
        notify: (method, params) => void client.sendNotification(method, params).catch(() => undefined),
        end,
    };
}
