/** What the language server cannot see by itself. Each signal is a module with `signal`, a line here and a setting. */

import * as vscode from "vscode";
import type { Companion } from "../companion";
import { onSetting, settings, type SignalName } from "../settings";
import type { Seen } from "../wire";
import { signal as branch } from "./branch";
import { signal as debugStops } from "./debug";
import { signal as diagnostics } from "./diagnostics";
import { selections, visibleEditors } from "./editors";
import { signal as terminal } from "./terminal";
import { signal as tests } from "./tests";

/** Watches something for as long as what it gives back is not disposed of. */
export interface Signal {
    readonly name: SignalName;
    watch(tell: (seen: Seen) => void): vscode.Disposable;
}

const SIGNALS: readonly Signal[] = [visibleEditors, selections, diagnostics, terminal, tests, debugStops, branch];

/** Watches what the settings allow, in trusted folders only; what is seen while no server runs is forgotten. */
export function register(context: vscode.ExtensionContext, companion: Companion): void {
    const watched = new Map<SignalName, vscode.Disposable>();
    const tell = (seen: Seen): void => {
        if (companion.state === "running") {
            companion.notify("companion/seen", { seen: [seen] }); // the server gathers what it tells the daemon
        }
    };
    const adjust = (): void => {
        for (const { name, watch } of SIGNALS) {
            const wanted = vscode.workspace.isTrusted && settings.signal(name) && companion.state === "running";
            if (wanted && !watched.has(name)) {
                watched.set(name, watch(tell));
            } else if (!wanted) {
                watched.get(name)?.dispose();
                watched.delete(name);
            }
        }
    };
    context.subscriptions.push(
        onSetting(["signals"], adjust),
        companion.onDidTurn(adjust),
        vscode.workspace.onDidGrantWorkspaceTrust(adjust),
        { dispose: () => watched.forEach((one) => one.dispose()) },
    );
    adjust();
}
