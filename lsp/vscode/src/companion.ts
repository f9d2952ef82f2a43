/** What every part of the extension works with: one language server a window, its state, and what it tells. */

import type * as vscode from "vscode";
import type { Found } from "./python/judge";
import type { NowWatch } from "./now";
import type { Trouble } from "./trouble";
import type { Changed } from "./wire";

/**
 * Where the language server stands. `asleep`: nothing is open that it could serve; `restricted`: the folder is not
 * trusted, so nothing was started; `failed`: see `trouble`.
 */
export type State = "asleep" | "starting" | "running" | "paused" | "restricted" | "failed";

/** A repository that is being read for the first time. */
export interface Reading {
    readonly title: string;
    readonly percent: number | undefined;
    /** What was found so far and the time left, in words; empty at first. */
    readonly says: string;
}

/** The one object that parts are given. */
export interface Companion {
    readonly log: vscode.LogOutputChannel;
    readonly state: State;
    /** Fires after `state`, `trouble` or `reading` has changed. */
    readonly onDidTurn: vscode.Event<State>;
    /** Why there is no language server; undefined unless the state is `failed`. */
    readonly trouble: Trouble | undefined;
    readonly reading: Reading | undefined;
    /** The Python or program that the language server runs by; undefined before one was found. */
    readonly found: Found | undefined;
    /** A Python that Companion could be installed for, when none runs it. */
    readonly base: string | undefined;
    /** The version that the running language server gave. */
    readonly version: string;
    /** What is in the context of the file in front. */
    readonly now: NowWatch;
    /** Fires upon each `companion/changed`. */
    readonly onDidChange: vscode.Event<Changed>;
    /** Send a request; waits some seconds for a server that is starting. Rejects with a Failure. */
    ask<R>(method: string, params: object, token?: vscode.CancellationToken): Promise<R>;
    /** Run a command of the server. Rejects with a Failure. */
    run<R>(command: string, argument: object): Promise<R>;
    /** Tell the server something; nothing happens while there is none. */
    notify(method: string, params: object): void;
    /** Look again whether and how to run, for instance after a setting has changed. */
    restart(): Promise<void>;
    pause(): Promise<void>;
    resume(): Promise<void>;
}
