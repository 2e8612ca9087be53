// Where things are, for tests.
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The checkout. */
export const ROOT = path.resolve(fileURLToPath(new URL('../..', import.meta.url)));

/** The built program. */
export const SERVER = path.join(ROOT, 'dist', 'cli.js');
