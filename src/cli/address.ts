// Where `serve` may listen: on this machine, unless a person wants something else and says by which names it is called.
import { isIPv4 } from 'node:net';
import type { Settings } from '../config/schema.ts';
import { StartError } from '../config/start-error.ts';

/** Throws StartError for an address that others reach, unless that is allowed. */
export function checkAddress({ tcp, host, allowRemote, allowedHosts }: Pick<Settings, 'tcp' | 'host' | 'allowRemote' | 'allowedHosts'>): void {
  if (!tcp || isLoopback(host)) return;
  if (!allowRemote) throw new StartError(`host = "${host}" can be reached from other machines, and whoever has a token runs commands here: use 127.0.0.1 with ssh -L, or --allow-remote with --allowed-hosts NAME, behind a proxy with TLS`);
  if (allowedHosts.length === 0) throw new StartError(`host = "${host}" needs allowed_hosts: the names by which clients call this server (--allowed-hosts shell.example.org)`);
}

/** The whole of 127.0.0.0/8 is, RFC 1122, 3.2.1.3. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
}
