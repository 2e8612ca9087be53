import { expect, test } from 'vitest';
import { withoutEcho } from '../../src/shell/echo.ts';

const LINE = ' { __sk_start n c 0; }\n';
const ECHO = ' { __sk_start n c 0; }';

test.each([
  ['an echo with CR LF', `${ECHO}\r\n`, ''],
  ['an echo with LF', `${ECHO}\n`, ''],
  ['an echo with CR', `${ECHO}\r`, ''],
  ['an echo without its newline', ECHO, ''],
  ['no echo at all', '', ''],
  ['a prompt before it', `$ ${ECHO}\r\n`, '$ '],
  ['output of a job around it', `tick\r\n${ECHO}\r\ntock\r\n`, 'tick\r\ntock\r\n'],
  ['a blank line behind it', `${ECHO}\r\n\r\n`, '\r\n'],
  ['an echo that the output of a job cuts in two stays', ' { __sk_start n tick\r\nc 0; }\r\n', ' { __sk_start n tick\r\nc 0; }\r\n'],
  ['bytes that are no UTF-8', `\xff\x00${ECHO}\r\n\xfe`, '\xff\x00\xfe'],
])('with %s only the echo is taken out', (_, before, after) => {
  expect(withoutEcho(Buffer.from(before, 'latin1'), LINE).toString('latin1')).toBe(after);
});
