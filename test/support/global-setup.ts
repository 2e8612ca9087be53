// Before the first test: dist/ is built if a source is newer. Type errors do not stop single tests here; `npm test` and `npm run check` stop at them.
import { spawnSync } from 'node:child_process';
import { ROOT } from './paths.ts';

export function setup(): void {
  spawnSync(process.execPath, ['scripts/build.mjs', '--if-stale', '--loose'], { cwd: ROOT, stdio: 'inherit' });
}
