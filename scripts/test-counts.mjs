// Prints `N passed, N failed, N skipped` from the test runner's JSON report, as the last line of a run.
// Ends with 1 when a test failed, when none ran, and with --no-skips also when one was skipped.
import { readFileSync } from 'node:fs';

const [file, ...flags] = process.argv.slice(2);
const report = readReport(file);
const results = report?.testResults ?? [];
const tests = results.flatMap(({ assertionResults }) => assertionResults);
const count = (...states) => tests.filter(({ status }) => states.includes(status)).length;
const passed = count('passed');
const skipped = count('skipped', 'pending', 'todo', 'disabled');
// A file that fails as a whole (it does not load, or left processes behind) is a failure without a failed test.
const brokenFiles = results.filter(({ status, assertionResults }) => status === 'failed' && !assertionResults.some((test) => test.status === 'failed'));
const failed = count('failed') + brokenFiles.length;

for (const { name, message } of brokenFiles) console.log(`failed as a whole: ${name}\n${message}`);
if (flags.includes('--no-skips')) for (const test of tests.filter(({ status }) => status !== 'passed' && status !== 'failed')) console.log(`skipped: ${test.fullName}`);
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
if (failed > 0 || passed === 0 || (flags.includes('--no-skips') && skipped > 0)) process.exitCode = 1;

function readReport(name) {
  try {
    return JSON.parse(readFileSync(name, 'utf8'));
  } catch {
    return undefined; // the run ended before there was a report
  }
}
