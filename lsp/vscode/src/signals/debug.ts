/** Where a debugger stops: the innermost frame that lies in a file. No variable and no value is read. */

import * as vscode from "vscode";
import type { Signal } from "./index";
import { Stops } from "./stops";

/** Stops of every kind of debugger. */
export const signal: Signal = {
    name: "debugStops",
    watch: (tell) =>
        vscode.debug.registerDebugAdapterTrackerFactory("*", {
            createDebugAdapterTracker: () => {
                const stops = new Stops();
                return {
                    onDidSendMessage: (message: unknown) => {
                        const stop = stops.heard(message);
                        if (stop !== undefined) {
                            const uri = vscode.Uri.file(stop.path).toString();
                            tell({ what: "stopped", uri, line: Math.max(0, stop.line - 1) });
                        }
                    },
                };
            },
        }),
};
