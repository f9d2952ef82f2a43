// Runs inside VS Code's extension host: VS Code itself starts the server that its settings name, lists its tools and
// calls one. What it saw is written to the file that the environment names, for the test outside to read.
const fs = require('fs');
const vscode = require('vscode');

const OURS = /companion.*_(\w+)$/;
const LOOK_EVERY_MS = 250;
const LOOKS_MOST = 240; // a minute: the first start of the owner on a busy computer

const pause = () => new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
const ours = () => vscode.lm.tools.filter((tool) => /companion/.test(tool.name));

async function seen() {
  const started = vscode.commands.executeCommand('workbench.mcp.startServer', '*', { waitForLiveTools: true });
  started.then(undefined, () => undefined);
  for (let look = 0; look < LOOKS_MOST && !ours().some((tool) => /search_memory$/.test(tool.name)); look++) {
    await pause();
  }
  const tool = ours().find((one) => /search_memory$/.test(one.name));
  const names = ours().map((one) => one.name);
  if (!tool) {
    return { vscode: vscode.version, tools: names };
  }
  const asked = { input: { query: 'price' }, toolInvocationToken: undefined };
  const answer = await vscode.lm.invokeTool(tool.name, asked, new vscode.CancellationTokenSource().token);
  const text = answer.content.map((part) => part.value ?? '').join('\n');
  return { vscode: vscode.version, tools: names, answer: text };
}

exports.run = async () => {
  let told;
  try {
    told = await seen();
  } catch (wrong) {
    told = { wrong: String(wrong) };
  }
  const path = process.env.COMPANION_TEST_REPORT;
  fs.writeFileSync(`${path}.part`, JSON.stringify(told));
  fs.renameSync(`${path}.part`, path);
};
