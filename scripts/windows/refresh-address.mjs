#!/usr/bin/env node
// Puts the present address of this WSL system into the configurations of clients on Windows: only the address, only in the http URL of one entry.
//
//   node refresh-address.mjs [--entry NAME] [--address ADDRESS] [--dry-run] FILE…
//
// Runs inside WSL, on files below /mnt/c. Without --address it finds out: 127.0.0.1 where WSL mirrors the network of Windows, else the address that
// Windows reaches this system by. What names this computer already (127.0.0.1, localhost) is left alone unless --address is given.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { stringsIn } from './json-strings.mjs';

/** Where clients keep their servers: VS Code, and Cursor as most others. */
const LISTS = ['servers', 'mcpServers'];
const HOST = /^(http:\/\/)(?![^/?#]*@)(\[[^\]]*\]|[^/:?#@[\]\s"\\]+)(?=[:/?#]|$)/i;
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/i;
/** Networks of WSL in which Windows and Linux share the address. */
const SHARED = ['mirrored', 'virtioproxy'];

/**
 * The text with another address in the URL of an entry; all other characters are as they were.
 * @param {string} text JSON, also with comments
 * @param {{ entry: string, address: string, isAsked?: boolean }} options `isAsked`: also where the entry names this computer itself
 * @returns {{ text: string, was?: string }} `was`: the address that stood there, where the entry has an http URL
 */
export function withAddress(text, { entry, address, isAsked = false }) {
  const urls = stringsIn(text).filter(({ path }) => path.length === 3 && LISTS.includes(path[0]) && path[1] === entry && path[2] === 'url');
  let result = text;
  let was;
  for (const { start, end, value } of urls.reverse()) {
    const [, , host] = HOST.exec(value) ?? [];
    if (host === undefined) continue;
    was = host;
    if (host === address || (LOOPBACK.test(host) && !isAsked)) continue;
    const url = JSON.stringify(value.replace(HOST, (_, scheme) => scheme + address));
    result = result.slice(0, start) + url + result.slice(end);
  }
  return { text: result, was };
}

/**
 * The address by which Windows reaches this system; undefined where there is none.
 * @param {string} mode what `wslinfo --networking-mode` says; empty where there is no such program
 * @param {ReturnType<typeof networkInterfaces>} interfaces
 */
export function addressFor(mode, interfaces) {
  if (SHARED.includes(mode.trim())) return '127.0.0.1';
  const { eth0 = [], ...others } = interfaces; // what comes behind it are networks of containers and VPNs
  return [eth0, ...Object.values(others)].flat().find((each) => each?.family === 'IPv4' && !each.internal)?.address;
}

function networkingMode() {
  try {
    return execFileSync('wslinfo', ['--networking-mode'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  } catch {
    return ''; // an older WSL, which knows no other than NAT
  }
}

/** One line about a file, which is changed as a whole or not at all. */
function refresh(file, options, isDry) {
  if (!existsSync(file)) return `${file}: not there`;
  const bytes = readFileSync(file);
  const before = bytes.toString('utf8');
  if (!Buffer.from(before).equals(bytes)) return `${file}: not in UTF-8; left alone`;
  const { text, was } = withAddress(before, options);
  if (was === undefined) return `${file}: no entry "${options.entry}" with an http URL`;
  if (text === before) return `${file}: has ${was}; nothing to change`;
  if (!isDry) replace(realpathSync(file), text);
  return `${file}: ${was} ${isDry ? 'would become' : 'is now'} ${options.address}`;
}

function replace(file, text) {
  const next = `${file}.${process.pid}`;
  try {
    writeFileSync(next, text, { mode: statSync(file).mode & 0o777, flag: 'wx' });
    renameSync(next, file);
  } catch (error) {
    rmSync(next, { force: true });
    throw error;
  }
}

function main() {
  const { values, positionals } = parseArgs({
    options: { entry: { type: 'string', default: 'shellkeep' }, address: { type: 'string' }, 'dry-run': { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  const address = values.address ?? addressFor(networkingMode(), networkInterfaces());
  if (address === undefined) throw new Error('this system has no address that Windows could reach: is there a network? --address ADDRESS sets one');
  if (HOST.exec(`http://${address}`)?.[2] !== address) throw new Error(`--address ${JSON.stringify(address)}: must be a name, an IPv4 address, or an IPv6 address in brackets`);
  if (positionals.length === 0) throw new Error('name the configurations: node refresh-address.mjs FILE...');
  const options = { entry: values.entry, address, isAsked: values.address !== undefined };
  for (const file of positionals) console.log(refresh(file, options, values['dry-run']));
}

if (import.meta.url === pathToFileURL(realpathSync(process.argv[1] ?? '.')).href) {
  try {
    main();
  } catch (error) {
    console.error(`refresh-address: ${error.message}`);
    process.exitCode = 2;
  }
}
