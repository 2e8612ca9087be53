// node scripts/soak.mjs [--seed N] [--commands N] [--sessions N] [--shells bash,zsh,fish]
// Thousands of commands in many sessions at once, every exit code and every byte predicted. Prints figures as JSON; ends with 1 when anything was wrong.
import { parseArgs } from 'node:util';
import { build, installIfMissing } from './lib/steps.mjs';

await installIfMissing();
await build('--if-stale');
const { connect } = await import('./lib/connect.mjs');
const { makeHome } = await import('./bench/measure.mjs');
const { soak } = await import('./soak/soak.mjs');

const text = (value) => ({ type: 'string', default: value });
const { values } = parseArgs({ options: { seed: text(String(Date.now() % 1_000_000)), commands: text('10000'), sessions: text('20'), shells: text('bash,zsh,fish') } });
const options = { seed: Number(values.seed), commands: Number(values.commands), sessions: Number(values.sessions), shells: values.shells.split(',') };
/** Results go after this time, so that the run shows whether their memory comes back; a call never asks for an older one. */
const RETENTION_S = 30;
/**
 * In the second half of a run that is long enough for results to go, the server has its working size: at the end it may be this
 * much above the most of the first half.
 */
const MEMORY_SLACK_MB = 60;

const home = makeHome();
const server = await connect({ args: ['stdio', `--max-sessions=${Math.max(64, options.sessions)}`, `--retention-s=${RETENTION_S}`], env: home.env });
let shown = 0;
const figures = await soak(server, { ...options, onProgress: (done) => {
  if (done < shown + options.commands / 10) return;
  shown = done;
  process.stderr.write(`${done} commands\n`);
} });
await server.close();
home.remove();

const { wrong, ...rest } = figures;
const firstHalfMb = Math.max(rest.before.memoryMb, ...rest.memoryMb.slice(0, rest.memoryMb.length / 2));
if (rest.seconds > 2 * RETENTION_S && rest.after.memoryMb > firstHalfMb + MEMORY_SLACK_MB) wrong.push(`memory: ${rest.after.memoryMb} MB at the end, at most ${firstHalfMb} MB in the first half`);
for (const line of wrong) process.stderr.write(`WRONG ${line}\n`);
console.log(JSON.stringify({ ...rest, wrong: wrong.length }));
if (wrong.length > 0) process.exitCode = 1;
