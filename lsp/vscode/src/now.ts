/** What is in the context of the file in front, asked once for everything that shows it. */

import * as vscode from "vscode";
import type { Companion } from "./companion";
import { Failure, failureOf } from "./failure";
import { kept, shownAgain, type Kept } from "./kept";
import { wantedVersion } from "./python/find";
import { lacks, NO_REPOSITORY } from "./standing";
import { repositories, type Repository } from "./views/tree";
import type { Now } from "./wire";

/** Several reasons to ask that come together are one: an editor that opens a file tells of it three times. */
const GATHERED_MS = 150;

/** Failures that pass by themselves: a daemon that is just starting, or a store that somebody else still has open. */
const PASSING = new Set(["CompanionError", "StoreHeld", ""]);
/** After such a failure it is asked again. */
const AGAIN_MS = 5_000;

/** Under this name the latest answer is kept with the workspace, so long after it came: more may follow at once. */
const LAST = "lastNow";
const KEEP_AFTER_MS = 2_000;

/** Keeps the latest answer of `companion/now`. */
export class NowWatch implements vscode.Disposable {
    latest: Now | undefined;
    /** When the latest answer was given, if that was to an earlier window and another one is on its way. */
    asOf_ms: number | undefined;
    /** The work trees of the workspace. */
    repositories: readonly Repository[] = [];
    /** Why there is no answer; its sort `NotReadYet` means a repository that was never read. */
    failure: Failure | undefined;
    /** Whether the view that shows it is open. */
    seen = false;
    /** Ids of rows that a person chose for an assistant; another file is another choice. */
    readonly chosen = new Set<string>();

    private readonly told = new vscode.EventEmitter<void>();
    readonly onDidChange = this.told.event;
    private waiting: NodeJS.Timeout | undefined;
    private again: NodeJS.Timeout | undefined;
    private keeping: NodeJS.Timeout | undefined;
    private asked = 0;
    private answered = 0;
    private about = "";
    private uri: vscode.Uri | undefined;

    constructor(
        private readonly companion: Companion,
        private readonly context: vscode.ExtensionContext,
    ) {}

    /** Ask whenever there may be another answer. */
    follow(): void {
        this.context.subscriptions.push(
            vscode.window.onDidChangeActiveTextEditor(() => this.look()),
            this.companion.onDidChange(() => this.look()),
            this.companion.onDidTurn((state) => {
                if (state === "running") {
                    this.look(0); // somebody waits for the first one
                } else {
                    this.show(undefined, undefined, state === "starting" ? this.before() : undefined);
                }
            }),
        );
    }

    /** Ask soon; what is known stays until there is an answer. */
    look(wait_ms = GATHERED_MS): void {
        clearTimeout(this.waiting);
        clearTimeout(this.again);
        this.waiting = setTimeout(() => void this.ask(), wait_ms);
    }

    dispose(): void {
        clearTimeout(this.waiting);
        clearTimeout(this.again);
        clearTimeout(this.keeping);
        this.told.dispose();
    }

    private async ask(): Promise<void> {
        if (this.companion.state !== "running") {
            return;
        }
        const where = this.where();
        if (where === undefined) {
            this.show(undefined, new Failure("No folder is open.", "Open the folder of a repository.", NO_REPOSITORY));
            return;
        }
        const number = ++this.asked;
        const about = (this.about = JSON.stringify(where));
        const found = repositories(this.companion).catch(() => this.repositories);
        const [now, failure] = await this.answer(where).then(
            (answer) => [answer, undefined] as const,
            (thrown: unknown) => [undefined, failureOf(thrown)] as const,
        );
        this.repositories = await found;
        // An answer that comes while a later one is awaited is shown meanwhile, unless that is about another file.
        if (number > this.answered && about === this.about && this.companion.state === "running") {
            this.answered = number;
            this.show(now, failure);
            this.keep(now, failure);
        }
    }

    /** Where what is in front lies in no repository, as the source of a library, one of the workspace is meant. */
    private async answer(where: object): Promise<Now> {
        try {
            return await this.companion.ask<Now>("companion/now", where);
        } catch (thrown) {
            const found = failureOf(thrown).sort === NO_REPOSITORY ? await repositories(this.companion) : [];
            const meant = found.find((one) => one.root === this.latest?.root) ?? found[0];
            if (meant === undefined) {
                throw thrown;
            }
            return this.companion.ask<Now>("companion/now", { folder: meant.root });
        }
    }

    /** The file in front, or the one that was there last: a view or a log that comes to the front changes nothing. */
    private where(): { readonly uri: string } | { readonly folder: string } | undefined {
        const active = vscode.window.activeTextEditor?.document.uri;
        if (active?.scheme === "file") {
            this.uri = active;
        } else if (vscode.window.tabGroups.activeTabGroup.activeTab === undefined) {
            this.uri = undefined;
        }
        if (this.uri !== undefined) {
            return { uri: this.uri.toString() };
        }
        const folder = vscode.workspace.workspaceFolders?.find((one) => one.uri.scheme === "file");
        return folder && { folder: folder.uri.toString() };
    }

    private show(now: Now | undefined, failure: Failure | undefined, before?: Kept): void {
        clearTimeout(this.again);
        const shown = now ?? before?.now;
        if (shown === undefined && failure === undefined && this.latest === undefined && this.failure === undefined) {
            return;
        }
        if (shown?.file !== this.latest?.file || shown?.root !== this.latest?.root) {
            this.chosen.clear();
        }
        this.latest = shown;
        this.asOf_ms = before?.at_ms;
        this.failure = failure;
        if (failure !== undefined) {
            this.companion.log.info(`companion/now: ${failure.whole}`);
            this.again = PASSING.has(failure.sort) ? setTimeout(() => this.look(), AGAIN_MS) : undefined;
        }
        void vscode.commands.executeCommand("setContext", "companion.lacks", lacks(failure));
        this.told.fire();
    }

    /** What was shown last in this workspace, if it is about what is in front. */
    private before(): Kept | undefined {
        const front = vscode.window.activeTextEditor?.document.uri;
        const file = front?.scheme === "file" ? front.toString() : undefined;
        return shownAgain(this.context.workspaceState.get(LAST), wantedVersion(this.context), file);
    }

    /** Keep an answer for the next window; one that says that the repository is not read ends what was kept. */
    private keep(now: Now | undefined, failure: Failure | undefined): void {
        clearTimeout(this.keeping);
        if (now === undefined && !lacks(failure)) {
            return;
        }
        const last = now && kept(now, Date.now(), wantedVersion(this.context));
        this.keeping = setTimeout(() => void this.context.workspaceState.update(LAST, last), KEEP_AFTER_MS);
    }
}
