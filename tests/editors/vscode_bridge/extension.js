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

// A debugger that stops at once in the line that it is told, and knows nothing else.
class Stopping {
  constructor() {
    this.sent = new vscode.EventEmitter();
    this.onDidSendMessage = this.sent.event;
  }
  handleMessage(asked) {
    const { path: file, line } = this.told ?? {};
    const bodies = {
      threads: { threads: [{ id: 1, name: 'main' }] },
      stackTrace: { stackFrames: [{ id: 1, name: 'here', line, column: 1, source: { path: file } }], totalFrames: 1 },
      scopes: { scopes: [] },
    };
    this.told ??= asked.command === 'launch' ? asked.arguments : undefined;
    const { command, seq } = asked;
    this.sent.fire({ type: 'response', seq: 0, request_seq: seq, command, success: true, body: bodies[command] ?? {} });
    if (command === 'initialize') {
      this.sent.fire({ type: 'event', seq: 0, event: 'initialized' });
    } else if (command === 'launch') {
      const body = { reason: 'breakpoint', threadId: 1, allThreadsStopped: true };
      this.sent.fire({ type: 'event', seq: 0, event: 'stopped', body });
    }
  }
  dispose() {}
}

exports.activate = (context) => {
  const debuggers = { createDebugAdapterDescriptor: () => new vscode.DebugAdapterInlineImplementation(new Stopping()) };
  context.subscriptions.push(vscode.debug.registerDebugAdapterDescriptorFactory('companion-tests', debuggers));
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
