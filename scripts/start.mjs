// npm start: all set-up on a fresh machine, then the server on loopback, which prints how to connect to it. What follows "--" goes to it: npm start -- --port 8000.
import { pathToFileURL } from 'node:url';
import { build, installIfMissing, SERVER } from './lib/steps.mjs';

await installIfMissing();
await build('--if-stale');
process.argv = [process.execPath, SERVER, 'serve', ...process.argv.slice(2)];
await import(pathToFileURL(SERVER).href);
