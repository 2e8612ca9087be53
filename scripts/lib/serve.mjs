// `shellkeep serve` as a child, ready to be spoken to.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { SERVER } from './steps.mjs';

/**
 * Starts it on a free port. `addOwner` makes a token for another owner, as a person would.
 * @param {Record<string, string>} env
 * @param {readonly string[]} [flags]
 */
export async function startServe(env, flags = []) {
  const child = spawn(process.execPath, [SERVER, 'serve', '--port', '0', ...flags], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  for await (const line of createInterface({ input: child.stdout })) {
    text += `${line}\n`;
    if (line.includes('ctrl-c')) break;
  }
  const url = /http:\S+\/mcp/.exec(text)[0];
  return {
    pid: child.pid,
    url,
    port: new URL(url).port,
    token: /shellkeep_[\w-]{43}/.exec(text)[0],
    addOwner: (name) => execFileSync(process.execPath, [SERVER, 'token', 'add', name], { env, encoding: 'utf8' }).trim(),
    end: async () => {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}
