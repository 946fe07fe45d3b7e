// The newest TypeScript client, which speaks revision 2026-07-28 and falls back, through callgate to a server of the
// older revisions: it ends up where it does without callgate.

import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Desk, check, finish, test, text, within } from './desk.mjs';

const policy = `version = 1
default = "deny"
[[allow]]
id   = "read-workspace"
read = ["**"]
[[deny]]
id   = "secrets"
path = ["**/.env"]
why  = "secrets stay here"
`;

const desk = new Desk('modern', { policy });

async function connect(command) {
  const client = new Client({ name: 'callgate-modern', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
  const [program, ...args] = command;
  await within(client.connect(new StdioClientTransport(
    { command: program, args, env: desk.environment, cwd: desk.workspace, stderr: 'ignore' })), 'the connection');
  return client;
}

const read = (client, name) => within(client.callTool({ name: 'read_text_file', arguments: { path: desk.file(name) } }), 'the result');
const state = (client) => `${client.getProtocolEra()} ${client.getNegotiatedProtocolVersion()}`;

let direct;
await test('the modern client negotiates with the bare server', async () => {
  const client = await connect(desk.server());
  direct = { state: state(client), tools: await client.listTools(), result: await read(client, 'docs/guide.md') };
  await client.close();
});

let client;
await test('it negotiates the same through callgate', async () => {
  client = await connect(desk.guarded());
  check(state(client) === direct.state, `${state(client)}, directly ${direct.state}`);
});

await test('it sees the same tools and the same result', async () => {
  check(JSON.stringify(await client.listTools()) === JSON.stringify(direct.tools), 'the tools differ');
  check(JSON.stringify(await read(client, 'docs/guide.md')) === JSON.stringify(direct.result), 'the result differs');
});

await test('it is told which rule denies', async () => {
  const result = await read(client, 'private/.env');
  check(result.isError === true && text(result).includes('secrets'), JSON.stringify(result));
});

await test('it closes, and the ledger verifies', async () => {
  await within(client.close(), 'the end of the session');
  await desk.verify();
});

finish();
