/** Lines that a row or a step is about, marked until the cursor goes elsewhere. */

import * as vscode from "vscode";

const MARKED = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor("editor.findRangeHighlightBackground"),
    overviewRulerColor: new vscode.ThemeColor("editorOverviewRuler.findMatchForeground"),
});

/** Lines of a file, both counted from 1, the last included. */
export type Lines = readonly [first: number, last: number];

/** Show a file at the first of some lines, which are marked; the tree keeps the keyboard where `keepsFocus` says so. */
export async function show(uri: vscode.Uri, lines: readonly Lines[] = [], keepsFocus = false): Promise<void> {
    const ranges = lines.map(([first, last]) => new vscode.Range(first - 1, 0, last - 1, 0));
    const [at] = ranges;
    const selection = at && new vscode.Range(at.start, at.start);
    const options = { preview: true, preserveFocus: keepsFocus, ...(selection && { selection }) };
    const editor = await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), options);
    editor.setDecorations(MARKED, ranges);
    if (at !== undefined) {
        editor.revealRange(at, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    }
    const gone = vscode.window.onDidChangeTextEditorSelection(({ textEditor, kind }) => {
        if (textEditor === editor && kind !== undefined) {
            editor.setDecorations(MARKED, []);
            gone.dispose();
        }
    });
}
