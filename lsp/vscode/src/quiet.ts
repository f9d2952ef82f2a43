/** The one switch for quiet: with it on, nothing is shown unasked. The server reads the same setting. */

import * as vscode from "vscode";
import type { Companion } from "./companion";
import { onSetting, settings, write } from "./settings";

/** Adds the two commands, of which the one that changes something is shown. */
export function register(context: vscode.ExtensionContext, _companion: Companion): void {
    const tell = (): void => void vscode.commands.executeCommand("setContext", "companion.quiet", settings.quiet());
    context.subscriptions.push(
        vscode.commands.registerCommand("companion.quietOn", () => write("quiet", true)),
        vscode.commands.registerCommand("companion.quietOff", () => write("quiet", false)),
        onSetting(["quiet"], tell),
    );
    tell();
}
