// Runs inside VS Code's extension host: VS Code itself starts the server that its settings name, lists its tools and
// calls one. What it saw is written to the file that the environment names, for the test outside to read.
const fs = require('fs');
const vscode = require('vscode');

const LOOK_EVERY_MS = 250;
const LOOKS_MOST = 360; // a minute and a half: the first start of the daemon on a busy computer
const AGAIN_AFTER = 20; // looks: VS Code may not have read its settings when it was first asked

const pause = () => new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
const ours = () => vscode.lm.tools.filter((tool) => /companion/.test(tool.name));
const said = [];

function start() {
  const asked = vscode.commands.executeCommand('workbench.mcp.startServer', '*', { waitForLiveTools: true });
  asked.then((done) => said.push(JSON.stringify(done)), (wrong) => said.push(String(wrong)));
}

async function seen() {
  for (let look = 0; look < LOOKS_MOST && !ours().some((tool) => /search_memory$/.test(tool.name)); look++) {
    if (look % AGAIN_AFTER === 0) {
      start();
    }
    await pause();
  }
  const tool = ours().find((one) => /search_memory$/.test(one.name));
  const names = ours().map((one) => one.name);
  if (!tool) {
    return { vscode: vscode.version, tools: names, said };
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
