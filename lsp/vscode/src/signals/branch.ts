/** That another branch was checked out, by the Git extension: sooner than a watcher sees it, and where none runs. */

import * as vscode from "vscode";
import type { Seen } from "../wire";
import type { Signal } from "./index";

/** The part of the Git extension's API that is used here. */
interface GitApi {
    readonly repositories: readonly Repository[];
    readonly onDidOpenRepository: vscode.Event<Repository>;
}

interface Repository {
    readonly rootUri: vscode.Uri;
    readonly state: { readonly HEAD: { readonly name?: string } | undefined; readonly onDidChange: vscode.Event<void> };
}

/** Changes of branches. */
export const signal: Signal = {
    name: "branch",
    watch: (tell) => {
        const watched: vscode.Disposable[] = [];
        let over = false;
        void gitApi().then((git) => {
            if (git !== undefined && !over) {
                git.repositories.forEach((one) => watched.push(follow(one, tell)));
                watched.push(git.onDidOpenRepository((one) => watched.push(follow(one, tell))));
            }
        });
        return new vscode.Disposable(() => {
            over = true;
            watched.forEach((one) => one.dispose());
        });
    },
};

function follow(repository: Repository, tell: (seen: Seen) => void): vscode.Disposable {
    let before = repository.state.HEAD;
    return repository.state.onDidChange(() => {
        const now = repository.state.HEAD;
        if (before !== undefined && now?.name !== before.name) {
            tell({ what: "branch", folder: repository.rootUri.toString() });
        }
        before = now; // undefined until the extension has looked for the first time
    });
}

async function gitApi(): Promise<GitApi | undefined> {
    try {
        const extension = vscode.extensions.getExtension<{ getAPI(version: 1): GitApi }>("vscode.git");
        const exported = extension?.isActive ? extension.exports : await extension?.activate();
        return exported?.getAPI(1);
    } catch {
        return undefined; // git is switched off
    }
}
