// @apify/mcpc, a command-line client with a bridge process of its own, through callgate.

import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Desk, check, finish, run, test, until } from './desk.mjs';

const policy = `version = 1
default = "deny"
[[allow]]
id   = "read-workspace"
read = ["**"]
[[ask]]
id    = "write-asks"
write = ["**"]
[[deny]]
id   = "secrets"
path = ["**/.env"]
why  = "secrets stay here"
`;

const desk = new Desk('mcpc', { policy });
const program = path.join(path.dirname(fileURLToPath(import.meta.url)), 'node_modules/@apify/mcpc/bin/mcpc');
const { HOME, XDG_CONFIG_HOME, XDG_STATE_HOME, PATH } = desk.environment;
const [command, ...args] = desk.guarded();
fs.writeFileSync(desk.file('mcp.json'), JSON.stringify(
  { mcpServers: { files: { command, args, env: { HOME, XDG_CONFIG_HOME, XDG_STATE_HOME, PATH } } } }));
const mcpc = (...words) => run(process.execPath, [program, ...words], { env: desk.environment, cwd: desk.workspace });

await test('mcpc connects through callgate', async () => {
  const { code, stdout, stderr } = await mcpc('connect', 'mcp.json:files', '@files');
  check(code === 0, stdout + stderr);
});

await test('mcpc lists the tools', async () => {
  const { code, stdout, stderr } = await mcpc('--json', '@files', 'tools-list');
  check(code === 0 && JSON.parse(stdout).some((tool) => tool.name === 'write_file'), stdout.slice(0, 300) + stderr);
});

await test('mcpc reads what is allowed', async () => {
  const { code, stdout, stderr } = await mcpc('--json', '@files', 'tools-call', 'read_text_file', `path:=${desk.file('docs/guide.md')}`);
  check(code === 0 && JSON.parse(stdout).content[0].text === fs.readFileSync(desk.file('docs/guide.md'), 'utf8'), stdout + stderr);
});

await test('mcpc is told which rule denies', async () => {
  const { stdout, stderr } = await mcpc('--json', '@files', 'tools-call', 'read_text_file', `path:=${desk.file('private/.env')}`);
  const result = JSON.parse(stdout);
  check(result.isError === true && result.content[0].text.includes('secrets') && !stdout.includes('hunter2'), stdout + stderr);
});

await test('mcpc waits for the approval of a write', async () => {
  const call = mcpc('--json', '@files', 'tools-call', 'write_file', `path:=${desk.file('docs/new.txt')}`, 'content:=approved');
  const [id] = await desk.waitPending();
  check(!desk.exists('docs/new.txt'), 'it was written before the answer');
  check((await desk.callgate('approve', id)).code === 0, 'it cannot be approved');
  const { stdout, stderr } = await call;
  check(desk.exists('docs/new.txt') && JSON.parse(stdout).isError !== true, stdout + stderr);
});

await test('mcpc closes, and nothing is left', async () => {
  const { code, stdout, stderr } = await mcpc('@files', 'close');
  check(code === 0, stdout + stderr);
  const left = () => fs.readdirSync('/proc').filter((pid) => /^\d+$/.test(pid)).filter((pid) => {
    try {
      return fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(desk.workspace);
    } catch {
      return false;
    }
  });
  await until(() => left().length === 0, 'the end of callgate and the server');
  await desk.verify();
});

finish();
