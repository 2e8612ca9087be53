// node scripts/soak-clients.mjs [--minutes 10] [--seed 1] [-- FLAGS OF SERVE]: ten clients of three owners over HTTP, each connecting anew at random, politely or not. No session may be
// lost, none seen by another owner; memory, descriptors and what is kept for broken streams may not grow. Ends with 1 otherwise.
import { readdirSync } from 'node:fs';
import { makeHome, memoryBytes } from './bench/measure.mjs';
import { HttpClient } from './lib/http-client.mjs';
import { startServe } from './lib/serve.mjs';
import { build, installIfMissing } from './lib/steps.mjs';
import { Random } from './soak/random.mjs';

await installIfMissing();
await build('--if-stale');
const option = (name, usual) => Number(process.argv[process.argv.indexOf(name) + 1] * (process.argv.includes(name) ? 1 : NaN)) || usual;
const [minutes, seed] = [option('--minutes', 10), option('--seed', 1)];
const OWNERS = ['anna', 'ben', 'clara'];
const CLIENTS = 10;
const SESSIONS = 3;

const home = makeHome();
const serve = await startServe(home.env, process.argv.includes('--') ? process.argv.slice(process.argv.indexOf('--') + 1) : []);
const tokens = OWNERS.map((name) => serve.addOwner(name));
const faults = [];
const counts = { commands: 0, reconnects: 0, broken: 0 };
const owners = await Promise.all(tokens.map(openSessions));
const deadline = performance.now() + minutes * 60_000;
const samples = [await sample()];
const sampling = setInterval(() => void sample().then((now) => samples.push(now)), Math.max(1_000, minutes * 60_000 / 20));
await Promise.all(Array.from({ length: CLIENTS }, (_, index) => work(index)));
clearInterval(sampling);
await checkSessions();
samples.push(await sample());
await serve.end();
home.remove();
report();

/** Each session counts its own commands, so that a lost or mixed-up one shows. */
async function openSessions(token, index) {
  const client = await new HttpClient({ ...serve, token }).begin();
  const sessions = [];
  for (let count = 0; count < SESSIONS; count++) {
    const { session_id: id } = await client.call('session_create', { shell: 'bash', name: `${OWNERS[index]}-${count}` });
    await client.call('session_run', { session_id: id, command: `count=0; mine=${id}` });
    sessions.push({ id, count: 0, isTaken: false });
  }
  await client.end();
  return { token, sessions };
}

async function work(index) {
  const random = new Random(seed * 1_000 + index);
  const { token, sessions } = owners[index % OWNERS.length];
  const other = owners[(index + 1) % OWNERS.length];
  let client = await new HttpClient({ ...serve, token }).begin();
  while (performance.now() < deadline) {
    const session = sessions.find(({ isTaken }) => !isTaken);
    if (session !== undefined && random.chance(0.8)) await count(client, session);
    else if (random.chance(0.5)) await strangers(client, other);
    if (random.chance(0.1)) client = await reconnected(client, token, random);
    else if (random.chance(0.025)) await client.listen().catch(() => {});
  }
  await client.end().catch(() => {});
}

async function count(client, session) {
  session.isTaken = true;
  try {
    session.count++;
    counts.commands++;
    const { output, exit_code: code } = await client.call('session_run', { session_id: session.id, command: 'count=$((count + 1)); echo $count $mine', queue_ms: 10_000 });
    if (code !== 0 || output !== `${session.count} ${session.id}\n`) faults.push(`session ${session.id}: ${JSON.stringify(output)} in place of ${session.count}`);
  } catch (error) {
    faults.push(`session ${session.id}: ${error.message}`);
  } finally {
    session.isTaken = false;
  }
}

async function strangers(client, { sessions: [{ id }] }) {
  const text = await client.call('session_run', { session_id: id, command: 'true' }).then(() => 'ran', (error) => error.message);
  if (!text.startsWith('SESSION_NOT_FOUND')) faults.push(`another's session: ${text}`);
  const { sessions } = await client.call('session_list');
  if (sessions.length !== SESSIONS) faults.push(`${sessions.length} sessions in the list in place of ${SESSIONS}`);
}

/** With DELETE, or just gone, at times in the middle of a call. */
async function reconnected(client, token, random) {
  counts.reconnects++;
  if (random.chance(0.5)) await client.end();
  else {
    counts.broken++;
    const call = client.call('run', { command: 'sleep 0.05; seq 1 2000' }).catch(() => {});
    if (random.chance(0.5)) await call;
    client.break();
  }
  return new HttpClient({ ...serve, token }).begin();
}

async function checkSessions() {
  for (const { token, sessions } of owners) {
    const client = await new HttpClient({ ...serve, token }).begin();
    for (const session of sessions) await count(client, session);
    await client.end();
  }
}

async function sample() {
  const metrics = await (await fetch(new URL('/metrics', serve.url), { headers: { authorization: `Bearer ${serve.token}` } })).text();
  const metric = (name) => Number(new RegExp(`^shellkeep_${name} (\\S+)$`, 'm').exec(metrics)?.[1]);
  return { rssMb: Math.round(memoryBytes(serve.pid, 'VmRSS') / 1e6), descriptors: readdirSync(`/proc/${serve.pid}/fd`).length, connections: metric('connections'), eventKb: Math.round(metric('event_store_bytes') / 1_000), sessions: metric('sessions') };
}

function report() {
  for (const line of samples) console.log(JSON.stringify(line));
  for (const line of faults.slice(0, 20)) console.log(`fault: ${line}`);
  const settled = samples.slice(Math.floor(samples.length / 2));
  const growth = (name) => settled.at(-1)[name] - settled[0][name];
  console.log(JSON.stringify({ minutes, seed, ...counts, faults: faults.length, growth_in_second_half: { rssMb: growth('rssMb'), descriptors: growth('descriptors'), eventKb: growth('eventKb') } }));
  if (faults.length > 0 || growth('rssMb') > 40 || growth('descriptors') > 30) process.exitCode = 1;
}
