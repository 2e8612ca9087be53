// What a command costs that is only read: the cases of the tests, and texts of 16 KiB that are made to be slow.
import { readFileSync } from 'node:fs';
import { median } from './measure.mjs';

const TESTS = new URL('../../test/', import.meta.url);
const KIB16 = 16 * 1_024;
const ROUNDS = 20;
/** Until the engine has compiled what is used; a server that runs for long is in that state. */
const WARM_ROUNDS = 60;
/** Each is a program that is started; the first round warms up. */
const FISH_ROUNDS = 2;
/** Where a piece is repeated: at the top, as an argument, in quotes, in a substitution. */
const SHAPES = [(text) => text, (text) => `echo ${text}`, (text) => `echo "${text}"`, (text) => `x=$(${text})`];

export const policy = {
  classify: { measure: cases },
  classify_in_fish: { measure: fishCases },
  pathological: { measure: pathological },
};

async function cases(report) {
  const { classify, context, groups } = await table();
  const commands = (...shells) => groups.filter(({ shell }) => shells.includes(shell)).flatMap(({ shell, commands: own }) => own.map((command) => ({ shell, command })));
  const one = ({ shell, command }) => classify(command, context(shell));
  report('classify_median_of_first_calls', { value: median(rounds(1, commands('bash', 'zsh'), one)) * 1_000, unit: 'us' });
  rounds(WARM_ROUNDS, commands('bash', 'zsh'), one);
  const taken = rounds(ROUNDS, commands('bash', 'zsh'), one);
  report('classify_median', { value: median(taken) * 1_000, unit: 'us', atMost: 50 });
  report('classify_99th', { value: at(taken, 0.99), unit: 'ms', atMost: 1 });
  const body = `${"cat > x <<'E'\n"}${'if (a[b]) { return ${c}; }\n'.repeat(36_000)}E\n`;
  report('classify_heredoc_1mb', { value: median(rounds(ROUNDS, [body], (text) => classify(text, context('bash')))), unit: 'ms', atMost: 20 });
  report('classify_10mb', { value: median(rounds(ROUNDS, ['a'.repeat(10e6)], (text) => classify(text, context('bash')))), unit: 'ms', atMost: 1 });
}

/** With fish's own reading of each, by a program that is started for it. */
async function fishCases(report) {
  const { classify, context, groups } = await table();
  const { fishTreeOf } = await import('../../dist/process/fish-tree.js');
  if (fishTreeOf('ls') === undefined) return;
  const { groups: attempts } = JSON.parse(readFileSync(new URL('policy/attempts.json', TESTS), 'utf8'));
  const commands = [...groups, ...attempts].filter(({ shell }) => shell === 'fish').flatMap(({ commands: own }) => own); // the cases alone have few of fish
  const fish = rounds(FISH_ROUNDS, commands, (command) => classify(command, context('fish', fishTreeOf)));
  report('classify_fish_median', { value: median(fish), unit: 'ms', atMost: 10 });
  report('classify_fish_99th', { value: at(fish, 0.99), unit: 'ms' });
}

/** Each once, as an agent would send it. */
async function pathological(report) {
  const { classify, context } = await table();
  const pieces = JSON.parse(readFileSync(new URL('syntax/pathological.json', TESTS), 'utf8'));
  const texts = pieces.flatMap((piece) => SHAPES.map((shape) => ({ piece, text: shape(piece.repeat(Math.floor(KIB16 / piece.length))) })));
  let slowest = { taken: 0, piece: '' };
  const all = texts.map(({ piece, text }) => {
    const [taken] = rounds(1, [text], (one) => classify(one, context('bash')));
    if (taken > slowest.taken) slowest = { taken, piece };
    return taken;
  });
  report('pathological_median', { value: median(all), unit: 'ms' });
  report(`pathological_slowest ${JSON.stringify(slowest.piece)}`, { value: slowest.taken, unit: 'ms', atMost: 250 });
}

async function table() {
  const { classify } = await import('../../dist/policy/classify.js');
  const { context, groups } = JSON.parse(readFileSync(new URL('policy/cases.json', TESTS), 'utf8'));
  // as the server makes it: all of one shape
  return { classify, groups, context: (shell, fishTree) => ({ shell, cwd: context.cwd, home: context.home, allowedRoots: context.allowed_roots, fishTree }) };
}

/** Milliseconds of each call; the first round of several warms up. */
function rounds(count, inputs, work) {
  const taken = [];
  for (let round = 0; round < count; round++) {
    for (const input of inputs) {
      const startedAt = performance.now();
      work(input);
      if (round > 0 || count === 1) taken.push(performance.now() - startedAt);
    }
  }
  return taken;
}

function at(values, share) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length * share)];
}
