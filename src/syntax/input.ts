// What a command reads, by its redirections.
import type { Input } from './command.ts';
import { FROM_NETWORK } from './marks.ts';

/** The last redirection of standard input decides. */
export function inputOf(redirections: readonly { readonly operator: string; readonly targets: readonly string[]; readonly texts?: readonly string[]; readonly fd: number | undefined }[]): Input | undefined {
  const last = redirections.findLast(({ operator, fd }) => operator.startsWith('<') && operator !== '<>' && (fd ?? 0) === 0);
  if (last === undefined) return undefined;
  if (last.operator === '<<' || last.operator === '<<<') return { from: 'text', texts: last.targets };
  if (last.texts !== undefined) return { from: 'pipe', texts: last.texts };
  const isFromNetwork = last.targets.some((target) => target.includes(FROM_NETWORK) || /^\/dev\/(?:tcp|udp)\//.test(target));
  return { from: 'file', texts: isFromNetwork ? [FROM_NETWORK] : undefined };
}
