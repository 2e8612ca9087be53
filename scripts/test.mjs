// npm test: all set-up on a fresh machine, then every test. Arguments go to the test runner: npm test -- test/process
// SHELLKEEP_TEST_REPORT=FILE also writes the runner's JSON report there.
import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { build, installIfMissing, runNode } from './lib/steps.mjs';

await installIfMissing();
await build();
const missing = ['bash', 'zsh', 'fish'].filter((name) => !isOnPath(name));
sayWhatIsMissing();
process.exitCode = await runNode('node_modules/vitest/vitest.mjs', ['run', ...reporters(), ...process.argv.slice(2)]);
sayWhatIsMissing(); // once more, where it is read

function reporters() {
  const report = process.env['SHELLKEEP_TEST_REPORT'];
  return report === undefined ? [] : ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
}

function sayWhatIsMissing() {
  if (missing.length > 0) process.stderr.write(`not on this machine: ${missing.join(', ')}; tests of ${missing.length === 1 ? 'that shell are' : 'those shells are'} skipped\n`);
}

function isOnPath(name) {
  return (process.env['PATH'] ?? '').split(path.delimiter).some((folder) => {
    try {
      accessSync(path.join(folder, name), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
