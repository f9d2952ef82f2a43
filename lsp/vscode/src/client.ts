/**
 * The life of the language server: whether it may run, what by, and what happens when it ends by itself.
 *
 * Nothing here is waited for when the extension starts. Steps that could cross (a restart while it is starting, a
 * pause while it restarts) are taken one after the other.
 */

import * as vscode from "vscode";
import type { Companion, Reading, State } from "./companion";
import type { Connection, Watcher } from "./connection";
import { answered, Failure, failureOf, isRecord } from "./failure";
import { NowWatch } from "./now";
import { find, wantedVersion } from "./python/find";
import { fits, type Found } from "./python/judge";
import { remember, served } from "./python/remembered";
import { Restarts } from "./restarts";
import { settings } from "./settings";
import { said, type Trouble } from "./trouble";
import type { Changed } from "./wire";

/** How long a request waits for a server that is starting: a cold start of everything has taken ten seconds. */
const START_MS = 20_000;
/** When it was started by what served last time, Pythons are asked so long after: others start meanwhile. */
const ASK_AFTER_MS = 10_000;
/** Whether a person has paused this window's workspace; kept with the workspace. */
const PAUSED = "paused";

/** The one client of a window. */
export class Client implements Companion, vscode.Disposable {
    readonly now: NowWatch;
    trouble: Trouble | undefined;
    reading: Reading | undefined;
    found: Found | undefined;
    /** A Python that Companion could be installed for, from the last search. */
    base: string | undefined;

    private current: State = "asleep";
    private connection: Connection | undefined;
    private steps: Promise<void> = Promise.resolve();
    private readonly restarts = new Restarts();
    private again: NodeJS.Timeout | undefined;
    private asking: NodeJS.Timeout | undefined;
    private readonly turned = new vscode.EventEmitter<State>();
    private readonly changed = new vscode.EventEmitter<Changed>();
    readonly onDidTurn = this.turned.event;
    readonly onDidChange = this.changed.event;

    constructor(
        private readonly context: vscode.ExtensionContext,
        readonly log: vscode.LogOutputChannel,
    ) {
        this.now = new NowWatch(this, context);
        this.turn("asleep");
    }

    get state(): State {
        return this.current;
    }

    get version(): string {
        return this.connection?.version ?? "";
    }

    /** Run if it may and there is something to serve. What stands in the way becomes the state. */
    begin(): Promise<void> {
        return this.step(async () => {
            if (this.connection === undefined) {
                await this.start();
            }
        });
    }

    restart(): Promise<void> {
        this.restarts.forget();
        return this.step(async () => {
            await this.end();
            await this.start();
        });
    }

    async pause(): Promise<void> {
        await this.context.workspaceState.update(PAUSED, true);
        await this.step(async () => {
            await this.end();
            this.turn("paused");
        });
    }

    async resume(): Promise<void> {
        await this.context.workspaceState.update(PAUSED, undefined);
        await this.restart();
    }

    async ask<R>(method: string, params: object, token?: vscode.CancellationToken): Promise<R> {
        const connection = await this.running();
        let answer: unknown;
        try {
            answer = await connection.ask(method, params, token);
        } catch (thrown) {
            this.log.debug(`${method}: ${failureOf(thrown).message}`);
            throw failureOf(thrown);
        }
        return answered<R>(answer);
    }

    run<R>(command: string, argument: object): Promise<R> {
        return this.ask<R>("workspace/executeCommand", { command, arguments: [argument] });
    }

    notify(method: string, params: object): void {
        this.connection?.notify(method, params);
    }

    dispose(): void {
        clearTimeout(this.again);
        clearTimeout(this.asking);
        this.turned.dispose();
        this.changed.dispose();
        this.now.dispose();
    }

    /** End the server for good, when the window closes. */
    async close(): Promise<void> {
        clearTimeout(this.again);
        await this.step(() => this.end());
    }

    private async start(): Promise<void> {
        clearTimeout(this.again);
        const held = this.held();
        if (held !== undefined) {
            this.turn(held);
            return;
        }
        this.turn("starting");
        const last = served(this.context);
        if (last !== undefined && (await this.connectAgain(last))) {
            return;
        }
        void import("./connection.js").catch(() => undefined); // loaded while Python answers; a failure is told below
        const search = await find(this.context, this.log);
        if ("trouble" in search) {
            this.base = search.base;
            this.fail(search.trouble);
            return;
        }
        this.found = search.found;
        await this.connect(search.found);
    }

    /** Start what served last, without asking it first. False if it serves no more: then all are looked at. */
    private async connectAgain(last: Found): Promise<boolean> {
        try {
            const { connect } = await import("./connection.js");
            const connection = await connect(last, this.log, this.watcher());
            if (fits(connection.version, wantedVersion(this.context))) {
                const { command, source } = last.candidate;
                this.log.info(`${command} (from ${source}): companion ${connection.version}, as last time`);
                this.found = last;
                this.serve(connection);
                this.askLater();
                return true;
            }
            await connection.end();
        } catch (thrown) {
            this.log.info(`What served last does no more: ${failureOf(thrown).message}`);
        }
        await remember(this.context, undefined);
        return false;
    }

    /** After a start by what served last: see whether a search would find the same, and go over to what it finds. */
    private askLater(): void {
        clearTimeout(this.asking);
        if (settings.interpreter()) {
            return; // a person has named it
        }
        this.asking = setTimeout(() => {
            void find(this.context, this.log).then(async (search) => {
                const other = "found" in search && search.found.candidate.command !== this.found?.candidate.command;
                if (other && this.current === "running") {
                    await remember(this.context, undefined);
                    await this.restart();
                }
            });
        }, ASK_AFTER_MS);
    }

    private serve(connection: Connection): void {
        this.connection = connection;
        this.turn("running");
    }

    private async connect(found: Found): Promise<void> {
        try {
            const { connect } = await import("./connection.js");
            const connection = await connect(found, this.log, this.watcher());
            const wanted = wantedVersion(this.context);
            if (!fits(connection.version, wanted)) {
                await connection.end();
                const { command, source } = found.candidate;
                this.fail({ sort: "oldCompanion", command, source, version: connection.version, wanted });
                return;
            }
            this.serve(connection);
            await remember(this.context, found);
        } catch (thrown) {
            this.retry(failureOf(thrown).message);
        }
    }

    private watcher(): Watcher {
        return {
            ended: () => {
                if (this.connection !== undefined) {
                    const lost = this.connection;
                    this.connection = undefined;
                    void lost.end();
                    this.retry("");
                }
            },
            reads: (reading) => {
                this.reading = reading;
                this.turn(this.current);
            },
            told: (_, params) => {
                if (isRecord(params)) {
                    this.changed.fire({ root: String(params["root"] ?? ""), what: String(params["what"] ?? "") });
                }
            },
        };
    }

    /** The server ended by itself: start it again after a while, or leave that to a person. */
    private retry(why: string): void {
        this.reading = undefined;
        const wait_ms = this.restarts.after(Date.now());
        if (wait_ms === undefined) {
            this.fail({ sort: "crashed", said: why });
            return;
        }
        this.log.warn(`The language server ended by itself; it is started again in ${wait_ms} ms. ${why}`);
        this.turn("starting");
        this.again = setTimeout(() => void this.begin(), wait_ms);
    }

    private async end(): Promise<void> {
        clearTimeout(this.again);
        clearTimeout(this.asking);
        const connection = this.connection;
        this.connection = undefined;
        this.reading = undefined;
        await connection?.end();
    }

    /** What forbids a start, if anything does. */
    private held(): State | undefined {
        if (!vscode.workspace.isTrusted) {
            return "restricted";
        }
        if (this.context.workspaceState.get(PAUSED) === true) {
            return "paused";
        }
        return isAnythingOpen() ? undefined : "asleep";
    }

    private fail(trouble: Trouble): void {
        this.log.error(said(trouble));
        this.trouble = trouble;
        this.turn("failed");
    }

    private turn(state: State): void {
        this.current = state;
        if (state !== "failed") {
            this.trouble = undefined;
        }
        void vscode.commands.executeCommand("setContext", "companion.state", state);
        void vscode.commands.executeCommand("setContext", "companion.reads", this.reading !== undefined);
        void vscode.commands.executeCommand("setContext", "companion.trouble", this.trouble?.sort);
        this.turned.fire(state);
    }

    private step(act: () => Promise<void>): Promise<void> {
        this.steps = this.steps.then(act).catch((thrown: unknown) => this.log.error(failureOf(thrown).message));
        return this.steps;
    }

    /** The running connection, waited for while it starts. Rejects with what a person can do. */
    private async running(): Promise<Connection> {
        const end_ms = Date.now() + START_MS;
        while (this.current === "starting" && this.connection === undefined && Date.now() < end_ms) {
            await nextOf(this.onDidTurn, end_ms - Date.now());
        }
        if (this.connection === undefined) {
            throw notRunning(this.current, this.trouble);
        }
        return this.connection;
    }
}

/** Whether the window has anything that a language server could serve. */
export function isAnythingOpen(): boolean {
    const folders = vscode.workspace.workspaceFolders ?? [];
    const editors = vscode.window.visibleTextEditors;
    return (
        folders.some((one) => one.uri.scheme === "file") || editors.some((one) => one.document.uri.scheme === "file")
    );
}

function notRunning(state: State, trouble: Trouble | undefined): Failure {
    switch (state) {
        case "paused":
            return new Failure("Companion is paused in this window.", "Run “Companion: Resume”.", "Paused");
        case "restricted":
            return new Failure("Companion is off in Restricted Mode.", "Trust this folder to use it.", "Restricted");
        case "failed":
            return new Failure(trouble ? said(trouble) : "Companion does not run.", "", "NotRunning");
        case "asleep":
            return new Failure("No folder is open.", "Open the folder of a repository.", "NothingOpen");
        default:
            return new Failure("Companion is still starting.", "Try again in a moment.", "Starting");
    }
}

function nextOf(event: vscode.Event<unknown>, wait_ms: number): Promise<void> {
    return new Promise((resolve) => {
        const timer = setTimeout(done, Math.max(0, wait_ms));
        const listening = event(done);
        function done(): void {
            clearTimeout(timer);
            listening.dispose();
            resolve();
        }
    });
}
