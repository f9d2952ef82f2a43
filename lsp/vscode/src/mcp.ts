/** The assistant's server for VS Code's own chat: offered without set-up, started by VS Code when it wants it. */

import * as vscode from "vscode";
import type { Companion } from "./companion";
import type { Found } from "./python/judge";
import { onSetting, settings } from "./settings";

const ID = "companion.mcp";

/** What VS Code 1.101 and later have for servers of extensions; 1.99 has none of it. */
interface Offers {
    readonly lm?: {
        registerMcpServerDefinitionProvider?(id: string, provider: Provider): vscode.Disposable;
    };
    readonly McpStdioServerDefinition?: new (
        label: string,
        command: string,
        args: readonly string[],
        env?: Record<string, string>,
        version?: string,
    ) => { cwd?: vscode.Uri };
}

interface Provider {
    readonly onDidChangeMcpServerDefinitions: vscode.Event<void>;
    provideMcpServerDefinitions(): readonly object[];
}

/** Offers the server where VS Code takes offers. */
export function register(context: vscode.ExtensionContext, companion: Companion): void {
    const { lm, McpStdioServerDefinition: Definition } = vscode as unknown as Offers;
    if (lm?.registerMcpServerDefinitionProvider === undefined || Definition === undefined) {
        return;
    }
    const changed = new vscode.EventEmitter<void>();
    let told = "";
    const tell = (): void => {
        const now = JSON.stringify([companion.state === "running", companion.found?.candidate, companion.version]);
        if (now !== told) {
            told = now;
            changed.fire();
        }
    };
    context.subscriptions.push(
        changed,
        companion.onDidTurn(tell),
        onSetting(["mcp"], () => changed.fire()),
        vscode.workspace.onDidChangeWorkspaceFolders(() => changed.fire()),
        lm.registerMcpServerDefinitionProvider(ID, {
            onDidChangeMcpServerDefinitions: changed.event,
            provideMcpServerDefinitions: () => {
                const found = companion.found;
                if (found === undefined || companion.state !== "running" || !settings.mcp()) {
                    return [];
                }
                const several = (vscode.workspace.workspaceFolders?.length ?? 0) > 1;
                return (vscode.workspace.workspaceFolders ?? [])
                    .filter((folder) => folder.uri.scheme === "file")
                    .map((folder) => {
                        const label = several ? `Companion (${folder.name})` : "Companion";
                        const args = serverArgs(found, folder.uri.fsPath);
                        const server = new Definition(label, found.candidate.command, args, {}, companion.version);
                        server.cwd = folder.uri;
                        return server;
                    });
            },
        }),
    );
}

/** The arguments that start the assistant's server by what the language server was found by. */
export function serverArgs(found: Found, folder: string): readonly string[] {
    return [...found.program, "mcp", "--repo", folder];
}
