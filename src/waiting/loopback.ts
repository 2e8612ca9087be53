// This machine as the only one that a wait may knock at: a call must not reach further than the shell's user looks.

/** A server may listen on either; which one `localhost` means differs from program to program. */
export const LOOPBACK = ['127.0.0.1', '::1'] as const;

/** What is wrong with a url to wait for, as the end of the sentence `argument "x" …`, with a hint; undefined when nothing is. */
export function urlFault(text: string): { readonly message: string; readonly hint: string } | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const example = 'give one like http://127.0.0.1:3000/';
  if (url === undefined) return { message: 'is no url', hint: example };
  if (url.protocol === 'https:') return { message: 'is a url of https, which is not asked', hint: 'give the "port" to wait for instead, or a url of http' };
  if (url.protocol !== 'http:') return { message: `is a url of "${url.protocol}"`, hint: example };
  if (![...LOOPBACK.map(inUrl), 'localhost'].includes(url.hostname)) {
    return { message: 'is a url of another machine; only 127.0.0.1, [::1] and localhost are asked', hint: example };
  }
  if (url.username !== '' || url.password !== '') return { message: 'is a url with a user name', hint: 'leave it out; any answer below 500 is good, 401 too' };
  return url.port === '0' ? { message: 'is a url of port 0', hint: example } : undefined;
}

function inUrl(address: string): string {
  return address.includes(':') ? `[${address}]` : address;
}
