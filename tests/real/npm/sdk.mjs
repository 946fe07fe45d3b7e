// The TypeScript SDK client and server-filesystem through callgate: allowed, denied, held and answered elsewhere,
// cancelled, too late, told to come back.

import fs from 'node:fs';
import { Desk, check, finish, test, text, until, within } from './desk.mjs';

const policy = `version = 1
default = "deny"
[[allow]]
id   = "read-workspace"
read = ["**"]
[[ask]]
id    = "write-asks"
write = ["**"]
why   = "a person looks at writes"
[[deny]]
id   = "secrets"
path = ["**/.env"]
why  = "secrets stay here"
`;

const read = (desk, name) => ({ name: 'read_text_file', arguments: { path: desk.file(name) } });
const write = (desk, name, content = 'approved\n') => ({ name: 'write_file', arguments: { path: desk.file(name), content } });
// A held call: its promise, never unhandled.
function held(promise) {
  promise.catch(() => {});
  return promise;
}

// Runs beside the others: it has to wait for three progress messages, ten seconds apart.
async function longHold() {
  const desk = new Desk('long-hold', { policy });
  const client = await desk.connect();
  let beats = 0;
  let last = -Infinity;
  const call = held(client.callTool(write(desk, 'docs/late.txt'), undefined, {
    timeout: 15000, resetTimeoutOnProgress: true,
    onprogress: ({ progress }) => { if (progress > last) { last = progress; beats += 1; } },
  }));
  await until(() => beats >= 3, 'a third progress that is higher than the two before', 40000);
  const [id] = await desk.waitPending();
  const approved = await desk.callgate('approve', id);
  check(approved.code === 0, approved.stderr);
  const result = await within(call, 'the result');
  check(!result.isError && desk.exists('docs/late.txt'), JSON.stringify(result));
  await client.close();
}
const longHoldDone = longHold().then(() => '', (error) => String(error));

const desk = new Desk('sdk', { policy });
let client;

await test('an SDK client connects through callgate', async () => {
  client = await desk.connect();
  check(client.getServerVersion().name === 'secure-filesystem-server', JSON.stringify(client.getServerVersion()));
  check((await client.listTools()).tools.length > 5, 'too few tools');
});

await test('an allowed read passes', async () => {
  const result = await client.callTool(read(desk, 'docs/guide.md'));
  check(!result.isError && text(result) === fs.readFileSync(desk.file('docs/guide.md'), 'utf8'), JSON.stringify(result));
});

await test('a denied read names its rule and shows nothing', async () => {
  const result = await client.callTool(read(desk, 'private/.env'));
  check(result.isError === true && text(result).includes('secrets'), JSON.stringify(result));
  check(!JSON.stringify(result).includes('hunter2'), 'the secret is in the answer');
});

await test('a write waits until it is approved from another process', async () => {
  const call = held(client.callTool(write(desk, 'docs/new.txt')));
  const [id] = await desk.waitPending();
  check(!desk.exists('docs/new.txt'), 'it was written before the answer');
  let released = 0;
  call.then(() => { released = Date.now(); });
  const approved = await desk.callgate('approve', id);
  const answered = Date.now();
  check(approved.code === 0, approved.stderr);
  const result = await within(call, 'the result');
  check(!result.isError && fs.readFileSync(desk.file('docs/new.txt'), 'utf8') === 'approved\n', JSON.stringify(result));
  console.log(`# released ${Math.max(0, released - answered)} ms after approve had ended`);
  check((await desk.pending()).length === 0, 'it is still pending');
});

await test('a write that is denied elsewhere is refused', async () => {
  const call = held(client.callTool(write(desk, 'docs/refused.txt')));
  const [id] = await desk.waitPending();
  const denied = await desk.callgate('deny', id);
  check(denied.code === 0, denied.stderr);
  const result = await within(call, 'the result');
  check(result.isError === true && !desk.exists('docs/refused.txt'), JSON.stringify(result));
});

await test('an ask is answered once', async () => {
  const call = held(client.callTool(write(desk, 'docs/once.txt')));
  const [id] = await desk.waitPending();
  const answers = await Promise.all(['approve', 'deny', 'approve', 'deny'].map((word) => desk.callgate(word, id)));
  check(answers.filter(({ code }) => code === 0).length === 1, `exit codes ${answers.map(({ code }) => code)}`);
  await within(call, 'the result');
  const late = await desk.callgate('approve', id);
  check(late.code !== 0, 'it is answered again after its end');
  const unknown = await desk.callgate('approve', '999999');
  check(unknown.code !== 0, 'an ask that never was is approved');
});

await test('progress is told while a call is held, and other messages flow', async () => {
  const progress = [];
  const call = held(client.callTool(write(desk, 'docs/progress.txt'), undefined, { onprogress: (each) => progress.push(each) }));
  await until(() => progress.length > 0, 'progress');
  await client.ping();
  const result = await client.callTool(read(desk, 'docs/notes.txt'));
  check(!result.isError, JSON.stringify(result));
  const [id] = await desk.waitPending();
  await desk.callgate('approve', id);
  check(!(await within(call, 'the result')).isError, 'it is refused');
});

await test('a call that is cancelled while held is withdrawn', async () => {
  const stop = new AbortController();
  const call = held(client.callTool(write(desk, 'docs/cancelled.txt'), undefined, { signal: stop.signal }));
  const [id] = await desk.waitPending();
  stop.abort('changed my mind');
  await call.then(() => check(false, 'it has a result'), () => {});
  await desk.waitPending(0);
  check((await desk.callgate('approve', id)).code !== 0, 'it can still be approved');
  await client.ping();
  check(!desk.exists('docs/cancelled.txt'), 'it was written');
});

await test('a call that the client gives up is withdrawn', async () => {
  const call = held(client.callTool(write(desk, 'docs/given-up.txt'), undefined, { timeout: 1500 }));
  const [id] = await desk.waitPending();
  const error = await call.then(() => null, (each) => each);
  check(error?.code === -32001, String(error));
  await desk.waitPending(0);
  check((await desk.callgate('approve', id)).code !== 0 && !desk.exists('docs/given-up.txt'), 'it can still be approved');
  check(!(await client.callTool(read(desk, 'docs/notes.txt'))).isError, 'the session is dead');
});

await test('the end of the session withdraws what is held', async () => {
  const call = held(client.callTool(write(desk, 'docs/left.txt')));
  await desk.waitPending();
  await within(client.close(), 'the end of the session');
  await call.catch(() => {});
  await desk.waitPending(0);
  check(!desk.exists('docs/left.txt'), 'it was written');
});

await test('every call, answer and withdrawal is on record, and the ledger verifies', async () => {
  const calls = await desk.calls();
  const count = (decision, status) => calls.filter((call) => call.decision === decision && (!status || call.status === status)).length;
  const told = JSON.stringify(calls.map(({ tool, decision, rule, status }) => [tool, decision, rule, status]));
  check(count('ASK') === 7 && count('ASK', 'withdrawn') === 3 && count('ASK', 'waiting') === 0, told);
  check(count('DENY') === 1 && calls.find((call) => call.decision === 'DENY').rule === 'secrets', told);
  check(count('ALLOW') === 3, told);
  await desk.verify();
});

await test('before the client gives up it is told to come back, and the approved repeat passes once', async () => {
  const settings = 'pause_on = "never"\n[limits.clients]\n"callgate-impatient" = "2s"\n';
  const other = new Desk('repeat', { policy, settings });
  const impatient = await other.connect(undefined, { name: 'callgate-impatient' });
  const first = await within(impatient.callTool(write(other, 'docs/again.txt')), 'the interim answer');
  check(first.isError === true && !other.exists('docs/again.txt'), JSON.stringify(first));
  check(/not executed/i.test(text(first)), text(first));
  const [id] = await other.waitPending();
  check((await other.callgate('approve', id)).code === 0, 'it cannot be approved');
  const second = await impatient.callTool(write(other, 'docs/again.txt'));
  check(!second.isError && other.exists('docs/again.txt'), JSON.stringify(second));
  const third = held(impatient.callTool(write(other, 'docs/again.txt')));
  const [anew] = await other.waitPending();
  check(anew !== id, 'the answer was used twice');
  await third;  // told to come back as well: the ask stays
  check((await other.callgate('deny', anew)).code === 0, 'it cannot be denied');
  const fourth = await impatient.callTool(write(other, 'docs/again.txt'));
  check(fourth.isError === true && (await other.pending()).length === 0, `the repeat of a denied call: ${JSON.stringify(fourth)}`);
  await impatient.close();
  await other.verify();
});

await test('no answer in time is a denial that says so', async () => {
  const other = new Desk('time-out', { policy, settings: 'pause_on = "never"\nask_timeout = "2s"\n' });
  const patient = await other.connect();
  const result = await within(patient.callTool(write(other, 'docs/nobody.txt')), 'the denial');
  check(result.isError === true && /timed out/i.test(text(result)) && !other.exists('docs/nobody.txt'), JSON.stringify(result));
  check((await other.pending()).length === 0, 'it is still pending');
  await patient.close();
});

await test('progress keeps a patient client waiting beyond its time-out', async () => {
  const trouble = await longHoldDone;
  check(!trouble, trouble);
});

finish();
