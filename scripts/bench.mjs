// npm run bench: one JSON line a figure, {name, value, unit, floor, ratio, limit, ok}. Floors are measured in the same run, in turns with what they are compared to.
// --only NAME runs the groups whose name contains NAME, --big also those that take minutes, --list names them. Ends with 1 when a figure misses its limit.
import { build, installIfMissing } from './lib/steps.mjs';

await installIfMissing();
await build('--if-stale');
const { latency } = await import('./bench/latency.mjs');
const { throughput } = await import('./bench/throughput.mjs');
const { scale } = await import('./bench/scale.mjs');
const { terminal } = await import('./bench/terminal.mjs');
const { policy } = await import('./bench/policy.mjs');
const { audit } = await import('./bench/audit.mjs');
const { discovery } = await import('./bench/discovery.mjs');
const { ship } = await import('./bench/ship.mjs');
const { http } = await import('./bench/http.mjs');

const GROUPS = { ...latency, ...throughput, ...scale, ...terminal, ...policy, ...audit, ...discovery, ...ship, ...http };
const args = process.argv.slice(2);
const only = args.includes('--only') ? args[args.indexOf('--only') + 1] ?? '' : '';
const chosen = Object.entries(GROUPS).filter(([name, { isBig }]) => name.includes(only) && (!isBig || args.includes('--big')));

if (args.includes('--list')) for (const [name, { isBig }] of Object.entries(GROUPS)) console.log(isBig ? `${name} (--big)` : name);
else for (const [name, { measure }] of chosen) await measured(name, measure);

/** A group that fails is a line too; the others still run. */
async function measured(name, measure) {
  try {
    await measure(report);
  } catch (error) {
    console.log(JSON.stringify({ name, error: error.message, ok: false }));
    process.exitCode = 1;
  }
}

/**
 * @param {string} name
 * @param {{ value: number, unit: string, floor?: number, atMost?: number, atLeast?: number, timesFloor?: number, shareOfFloor?: number }} figure
 *   `atMost`/`atLeast` bound the value, `timesFloor` bounds value / floor from above, `shareOfFloor` from below
 */
function report(name, { value, unit, floor, atMost, atLeast, timesFloor, shareOfFloor }) {
  const ratio = floor === undefined ? undefined : value / floor;
  const limits = [
    [atMost, value <= atMost, `<= ${atMost} ${unit}`],
    [atLeast, value >= atLeast, `>= ${atLeast} ${unit}`],
    [timesFloor, ratio <= timesFloor, `<= ${timesFloor} x floor`],
    [shareOfFloor, ratio >= shareOfFloor, `>= ${shareOfFloor} x floor`],
  ].filter(([limit]) => limit !== undefined);
  const ok = limits.every(([, isKept]) => isKept);
  if (!ok) process.exitCode = 1;
  console.log(JSON.stringify({
    name, value: rounded(value), unit, floor: rounded(floor), ratio: rounded(ratio),
    limit: limits.length === 0 ? undefined : limits.map(([, , text]) => text).join(', '), ok,
  }));
}

function rounded(value) {
  return value === undefined ? undefined : Number(value.toPrecision(4));
}
