/**
 * Steps of the walkthrough that are done, ticked when it is opened and as they are done.
 *
 * VS Code ticks a step when a context key turns true, and never one whose key was true already when it first read the
 * steps. So each key is true for a moment only: when something is done, and for all that is done when a page opens.
 */

import * as vscode from "vscode";
import type { Companion } from "./companion";

/** What a step waits for, by the end of the key that its `completionEvents` name. */
const STEPS: Readonly<Record<string, (companion: Companion) => boolean>> = {
    runs: (companion) => companion.state === "running",
    known: (companion) => companion.now.latest !== undefined && companion.now.asOf_ms === undefined,
    seen: (companion) => companion.now.seen && companion.now.latest !== undefined,
};
/** A page that was just opened listens once it is drawn. */
const DRAWN_MS = 500;

/** Ticks what is done. */
export function register(context: vscode.ExtensionContext, companion: Companion): void {
    const ticked = new Set<string>();
    const tick = (names: readonly string[]): void => {
        for (const name of names.filter((one) => STEPS[one]?.(companion))) {
            ticked.add(name);
            const key = `companion.ticks.${name}`;
            void vscode.commands.executeCommand("setContext", key, true);
            void vscode.commands.executeCommand("setContext", key, false);
        }
    };
    const tickNew = (): void => tick(Object.keys(STEPS).filter((name) => !ticked.has(name)));
    context.subscriptions.push(
        companion.onDidTurn(tickNew),
        companion.now.onDidChange(tickNew),
        vscode.window.tabGroups.onDidChangeTabs(({ opened }) => {
            if (opened.some((tab) => tab.input === undefined)) {
                setTimeout(() => tick(Object.keys(STEPS)), DRAWN_MS); // a page of VS Code's own, as the walkthrough is
            }
        }),
    );
}
