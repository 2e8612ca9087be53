// npm run check: all that is fast and needs no test run. Every check runs, so that one call shows everything.
import { build, installIfMissing, runNode } from './lib/steps.mjs';

await installIfMissing();
await build(); // the type check of src/, and what tool-reference asks
const checks = [
  ['types of the tests', 'node_modules/typescript/bin/tsc', ['--noEmit', '--pretty', 'false', '-p', 'test/tsconfig.json']],
  ['layers', 'scripts/check-layers.mjs', []],
  ['tool reference', 'scripts/tool-reference.mjs', ['--check']],
  ['documents', 'scripts/check-docs.mjs', []],
];
for (const [name, file, args] of checks) {
  const status = await runNode(file, args);
  console.log(`${status === 0 ? 'ok  ' : 'FAIL'} ${name}`);
  if (status !== 0) process.exitCode = 1;
}
