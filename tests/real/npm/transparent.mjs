// What callgate passes on is what came, byte for byte, and in order where no decision is needed, in both directions;
// and what the client gets is what it gets without callgate. Recorders stand on both sides of callgate, and one before the bare server.

import fs from 'node:fs';
import path from 'node:path';
import { Desk, callgatePath, check, finish, recordPath, test, text, until } from './desk.mjs';

// With a recorder before it, the server is none that the catalogue knows: the policy declares its tools.
const policy = `version = 1
default = "deny"
[tools."files/read_text_file"]
read = "/path"
ignore = ["/head", "/tail"]
[tools."files/list_directory"]
read = "/path"
[tools."files/search_files"]
read = "/path"
ignore = ["/pattern", "/excludePatterns"]
[[allow]]
id   = "read-workspace"
read = ["**"]
[[allow]]
id   = "look-around"
tool = ["list_allowed_directories", "list_directory", "search_files"]
[[deny]]
id   = "secrets"
path = ["**/.env"]
why  = "secrets stay here"
`;

const desk = new Desk('transparent', { policy });
fs.writeFileSync(desk.file('docs/large.txt'), 'a line with "quotes", \\ and ünïcödé\n'.repeat(30000));
const [direct, outside, inside] = ['direct', 'outside', 'inside'].map((name) => path.join(desk.folder, name));

// The same session each time; ids count up from 0, so both runs have the same. What is denied comes last.
async function session(client) {
  const call = (name, words) => client.callTool({ name, arguments: words });
  const seen = [];
  seen.push(await client.listTools());
  seen.push(await client.ping());
  seen.push(await call('list_allowed_directories', {}));
  seen.push(await call('read_text_file', { path: desk.file('docs/guide.md') }));
  seen.push(await call('read_text_file', { path: desk.file('docs/notes.txt'), head: 2 }));
  seen.push(await call('list_directory', { path: desk.file('docs') }));
  seen.push(await call('search_files', { path: desk.file('docs'), pattern: '*.md' }));
  seen.push(await call('read_text_file', { path: desk.file('docs/no-such-file') }));
  seen.push(await call('read_text_file', { path: desk.file('docs/large.txt') }));
  seen.push(await Promise.all([client.ping(), call('read_text_file', { path: desk.file('docs/guide.md') }), client.ping()]));
  await client.notification({ method: 'notifications/roots/list_changed' });
  return seen;
}

const bytes = (file) => fs.readFileSync(file);
const lines = (file) => bytes(file).toString('latin1').split('\n').filter(Boolean);
const message = (line) => JSON.parse(Buffer.from(line, 'latin1').toString('utf8'));
// Whether two lists of lines are the same; the first difference, or nothing.
function difference(left, right) {
  const at = left.findIndex((line, index) => line !== right[index]);
  if (at >= 0) return `line ${at + 1}: ${left[at].slice(0, 200)} — ${String(right[at]).slice(0, 200)}`;
  return left.length === right.length ? '' : `${left.length} lines and ${right.length}`;
}

let answersDirect;
let answersGuarded;
let denied;

await test('the session runs on a direct connection', async () => {
  const client = await desk.connect([recordPath, direct, ...desk.server()], { roots: true });
  answersDirect = await session(client);
  await until(() => lines(`${direct}.out`).filter((line) => message(line).method === 'roots/list').length >= 2, 'the second roots/list');
  await client.close();
});

await test('the same session runs through callgate', async () => {
  const guarded = [callgatePath, 'run', '--name', 'files', '--', recordPath, inside, ...desk.server()];
  const client = await desk.connect([recordPath, outside, ...guarded], { roots: true });
  answersGuarded = await session(client);
  await until(() => lines(`${outside}.out`).filter((line) => message(line).method === 'roots/list').length >= 2, 'the second roots/list');
  denied = await client.callTool({ name: 'read_text_file', arguments: { path: desk.file('private/.env') } });
  await client.ping();
  await client.close();
});

await test('the client gets the answers of a direct connection', () => {
  check(answersDirect?.length === 10 && JSON.stringify(answersGuarded) === JSON.stringify(answersDirect), 'they differ');
});

await test('the denied call is answered with its rule and the session lives on', () => {
  check(denied.isError === true && text(denied).includes('secrets'), JSON.stringify(denied));
  check(!text(denied).includes('hunter2'), 'the secret is in the answer');
});

const isDenied = (each) => each.method === 'tools/call' && each.params.arguments.path === desk.file('private/.env');

await test('what needs no decision reaches the server byte for byte and in order', () => {
  // A judged call may be overtaken while its decision is written, so its place among the others is not compared.
  const free = (file) => lines(file).filter((line) => message(line).method !== 'tools/call');
  check(free(`${outside}.in`).length > 8, `only ${free(`${outside}.in`).length} messages`);
  const different = difference(free(`${outside}.in`), free(`${inside}.in`));
  check(!different, different);
});

await test('every call but the denied one reaches the server byte for byte', () => {
  const sent = lines(`${outside}.in`).filter((line) => !isDenied(message(line)));
  const different = difference(sent.sort(), lines(`${inside}.in`).sort());
  check(!different, different);
  check(!bytes(`${inside}.in`).includes('.env'), 'the denied call reached the server');
});

await test('everything but the denial comes from the server, byte for byte and in order', () => {
  const id = message(lines(`${outside}.in`).find((line) => isDenied(message(line)))).id;
  const got = lines(`${outside}.out`).filter((line) => !(message(line).id === id && !message(line).method));
  const different = difference(got, lines(`${inside}.out`));
  check(!different, different);
  check(bytes(`${inside}.out`).length > 1000000, 'the large file is not among it');
});

await test('each answer has the bytes of a direct connection', () => {
  // By id: the order of answers to requests in flight together is the server's own.
  const answers = (file) => new Map(lines(file).filter((line) => !message(line).method).map((line) => [message(line).id, line]));
  const through = answers(`${outside}.out`);
  const plain = answers(`${direct}.out`);
  check(plain.size > 12, `only ${plain.size} answers`);
  for (const [id, line] of plain) {
    const different = difference([line], [through.get(id) ?? 'nothing']);
    check(!different, `the answer to ${id}: ${different}`);
  }
});

await test('the ledger verifies', () => desk.verify());
finish();
