/** The environment that a person chose in the Python extension, if that is installed. */

import * as vscode from "vscode";

const PYTHON_EXTENSION = "ms-python.python";
/** The Python extension looks through the whole machine when it starts; whoever waits longer sees nothing for it. */
const WAIT_MS = 4_000;

/** The part of the Python extension's API that is used here. */
interface PythonApi {
    readonly environments: {
        getActiveEnvironmentPath(resource?: vscode.Uri): { readonly path: string };
        resolveEnvironment(environment: {
            readonly path: string;
        }): Promise<{ readonly executable: { readonly uri: vscode.Uri | undefined } } | undefined>;
        readonly onDidChangeActiveEnvironmentPath: vscode.Event<unknown>;
    };
}

/** The file of the active interpreter; undefined without the extension, or when it does not say in time. */
export async function activeInterpreter(): Promise<string | undefined> {
    return Promise.race([asked(), after(WAIT_MS)]);
}

/** Call back when another environment is chosen there. */
export async function onOtherInterpreter(context: vscode.ExtensionContext, act: () => void): Promise<void> {
    const api = await pythonApi().catch(() => undefined);
    if (api !== undefined) {
        context.subscriptions.push(api.environments.onDidChangeActiveEnvironmentPath(act));
    }
}

async function asked(): Promise<string | undefined> {
    try {
        const api = await pythonApi();
        const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
        const active = api?.environments.getActiveEnvironmentPath(folder);
        const known = active && (await api?.environments.resolveEnvironment(active));
        return known?.executable.uri?.fsPath;
    } catch {
        return undefined; // another's extension that fails is as good as none
    }
}

async function pythonApi(): Promise<PythonApi | undefined> {
    const extension = vscode.extensions.getExtension<PythonApi>(PYTHON_EXTENSION);
    const api = extension?.isActive ? extension.exports : await extension?.activate();
    return api?.environments === undefined ? undefined : api;
}

function after(wait_ms: number): Promise<undefined> {
    return new Promise((resolve) => setTimeout(() => resolve(undefined), wait_ms));
}
