// What the scripts beside this file share: a place of its own for each part (configuration, state, home, workspace),
// the commands of callgate, SDK clients, and the tally. Environment: CALLGATE, RECORD, SCRATCH, SERVER (the
// entry point of server-filesystem). Every wait has a limit and fails the test that waits.

import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

const needed = ['CALLGATE', 'RECORD', 'SCRATCH', 'SERVER'];
for (const name of needed) if (!process.env[name]) throw new Error(`${name} is not set`);
export const callgatePath = process.env.CALLGATE;
export const recordPath = process.env.RECORD;
export const serverPath = process.env.SERVER;

let passed = 0;
let failed = 0;

export function check(condition, detail) {
  if (!condition) throw new Error(detail);
}

export function sleep(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

// Rejects when the promise takes longer: for what must come, not for what must be quick.
export async function within(promise, what, milliseconds = 20000) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} did not come within ${milliseconds} ms`)), milliseconds);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

export async function until(condition, what, milliseconds = 15000) {
  const deadline = Date.now() + milliseconds;
  for (;;) {
    const value = await condition();
    if (value) return value;
    if (Date.now() > deadline) throw new Error(`${what} did not happen within ${milliseconds} ms`);
    await sleep(25);
  }
}

export async function test(name, body, milliseconds = 60000) {
  try {
    await within(Promise.resolve().then(body), `the end of the test`, milliseconds);
    passed += 1;
    console.log(`ok ${name}`);
  } catch (error) {
    failed += 1;
    console.log(`not ok ${name}`);
    console.log(String(error.stack ?? error).split('\n').slice(0, 6).map((line) => `#   ${line}`).join('\n'));
  }
}

export function finish() {
  console.log(`${passed} passed, ${failed} failed`);
  process.exit(failed === 0 && passed > 0 ? 0 : 1);
}

export const text = (result) => (result.content ?? []).map((part) => part.text ?? '').join('\n');

// A command to its end: { code, stdout, stderr }.
export function run(command, words, options = {}) {
  return within(new Promise((resolve, reject) => {
    const child = spawn(command, words, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
    const output = { stdout: '', stderr: '' };
    child.stdout.on('data', (bytes) => { output.stdout += bytes; });
    child.stderr.on('data', (bytes) => { output.stderr += bytes; });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, ...output }));
  }), `the end of ${path.basename(command)} ${words.join(' ')}`);
}

export class Desk {
  constructor(name, { policy, settings = 'pause_on = "never"\n' }) {
    this.folder = path.join(fs.realpathSync(process.env.SCRATCH), name);
    fs.rmSync(this.folder, { recursive: true, force: true });
    for (const each of ['config/callgate', 'state', 'home', 'workspace/docs', 'workspace/private']) {
      fs.mkdirSync(path.join(this.folder, each), { recursive: true });
    }
    this.workspace = path.join(this.folder, 'workspace');
    fs.writeFileSync(this.file('docs/guide.md'), '# Guide\n\nplain words, ünïcödé, \u{1F510}\n');
    fs.writeFileSync(this.file('docs/notes.txt'), 'one\ntwo\nthree\n');
    fs.writeFileSync(this.file('private/.env'), 'TOKEN=hunter2\n');
    fs.writeFileSync(path.join(this.folder, 'config/callgate/policy.toml'), policy);
    fs.writeFileSync(path.join(this.folder, 'config/callgate/callgate.toml'), settings);
    this.environment = {
      ...process.env,
      HOME: path.join(this.folder, 'home'),
      XDG_CONFIG_HOME: path.join(this.folder, 'config'),
      XDG_STATE_HOME: path.join(this.folder, 'state'),
    };
  }

  file(name) { return path.join(this.workspace, name); }
  exists(name) { return fs.existsSync(this.file(name)); }
  server() { return [process.execPath, serverPath, this.workspace]; }
  guarded(server = this.server()) { return [callgatePath, 'run', '--', ...server]; }

  callgate(...words) { return run(callgatePath, words, { env: this.environment, cwd: this.workspace }); }

  async pending() {
    const { code, stdout, stderr } = await this.callgate('pending', '--json');
    check(code === 0, `pending --json exits ${code}: ${stderr}`);
    const asks = JSON.parse(stdout);
    check(Array.isArray(asks) && asks.every((ask) => 'id' in ask), `pending --json is no list of objects with id: ${stdout}`);
    return asks;
  }

  // The ids of the pending asks, once there are so many.
  async waitPending(count = 1) {
    let asks = [];
    await until(async () => (asks = await this.pending()).length === count, `${count} pending ask(s)`);
    return asks.map((ask) => String(ask.id));
  }

  // The calls on record, newest first: { sequence, tool, decision, rule, status, … }.
  async calls() {
    const { code, stdout, stderr } = await this.callgate('ledger', 'list', '--json', '--limit', '100000');
    check(code === 0, `ledger list --json exits ${code}: ${stderr}`);
    return JSON.parse(stdout);
  }

  async verify() {
    const { code, stdout, stderr } = await this.callgate('ledger', 'verify');
    check(code === 0, `ledger verify exits ${code}: ${stdout}${stderr}`);
  }

  // A connected SDK client; `roots` makes it offer the workspace as a root.
  async connect(command = this.guarded(), { name = 'callgate-real', roots = false } = {}) {
    const client = new Client({ name, version: '1.0.0' }, { capabilities: roots ? { roots: { listChanged: true } } : {} });
    if (roots) {
      const { ListRootsRequestSchema } = await import('@modelcontextprotocol/sdk/types.js');
      client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri: `file://${this.workspace}`, name: 'workspace' }] }));
    }
    const [program, ...words] = command;
    const transport = new StdioClientTransport(
      { command: program, args: words, env: this.environment, cwd: this.workspace, stderr: 'pipe' });
    transport.stderr?.on('data', (bytes) => { this.errors = ((this.errors ?? '') + bytes).slice(-4000); });
    await within(client.connect(transport), `the answer of initialize (${this.errors ?? 'nothing on stderr'})`);
    client.process = transport.pid;
    return client;
  }
}
