/** The one status item: how things stand, and a menu when it is clicked. */

import * as vscode from "vscode";
import type { Companion } from "./companion";
import { onSetting, settings } from "./settings";
import { shown } from "./standing";

/** Left of what language extensions show, right of branch and problems. */
const PRIORITY = 10;

/** Shows the item and keeps it true. */
export function register(context: vscode.ExtensionContext, companion: Companion): void {
    const item = vscode.window.createStatusBarItem("companion.status", vscode.StatusBarAlignment.Left, PRIORITY);
    item.name = "Companion";
    item.command = "companion.showMenu";
    const draw = (): void => {
        const seen = shown({
            state: companion.state,
            trouble: companion.trouble,
            reading: companion.reading,
            failure: companion.now.failure,
            now: companion.now.latest,
            quiet: settings.quiet(),
        });
        if (seen === undefined) {
            item.hide();
            return;
        }
        item.text = seen.text;
        item.tooltip = seen.sentence;
        item.accessibilityInformation = { label: seen.sentence };
        item.backgroundColor = seen.warns ? new vscode.ThemeColor("statusBarItem.warningBackground") : undefined;
        item.show();
    };
    context.subscriptions.push(
        item,
        companion.onDidTurn(draw),
        companion.now.onDidChange(draw),
        onSetting(["quiet"], draw),
    );
    draw();
}
