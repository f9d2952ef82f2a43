// Runs what a test asks for inside VS Code's extension host and answers as JSON, over the loopback, to whoever knows the
// secret. Each window has an extension host of its own; each writes where it listens into the folder that the
// environment names.
const fs = require('fs');
const http = require('http');
const path = require('path');
const vscode = require('vscode');

const Asked = Object.getPrototypeOf(async () => undefined).constructor;

async function answer(body) {
  const { code, given } = JSON.parse(body);
  try {
    return { result: (await new Asked('vscode', 'given', code)(vscode, given)) ?? null };
  } catch (wrong) {
    return { wrong: String((wrong && wrong.stack) || wrong) };
  }
}

exports.activate = (context) => {
  const folder = process.env.COMPANION_TEST_BRIDGE;
  const secret = process.env.COMPANION_TEST_SECRET;
  if (!folder || !secret) {
    return;
  }
  const server = http.createServer((request, response) => {
    let body = '';
    request.on('data', (part) => (body += part));
    request.on('end', async () => {
      const known = request.headers['x-secret'] === secret;
      response.end(JSON.stringify(known ? await answer(body) : { wrong: 'who are you?' }));
    });
  });
  server.listen(0, '127.0.0.1', () => {
    const opened = (vscode.workspace.workspaceFolders ?? []).map((one) => one.uri.fsPath);
    const told = { port: server.address().port, opened, begun: Date.now() };
    const file = path.join(folder, `${process.pid}.json`);
    fs.writeFileSync(`${file}.part`, JSON.stringify(told));
    fs.renameSync(`${file}.part`, file);
  });
  context.subscriptions.push({ dispose: () => server.close() });
};
