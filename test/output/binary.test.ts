import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { binaryType } from '../../src/output/binary.ts';
import { seeded } from './support.ts';

const NOISE = Buffer.from(Array.from({ length: 4_096 }, seeded(4)).map((value) => value * 256));

describe('binary output', () => {
  test.each([
    ['a picture', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), 'image/png'],
    ['a small archive', gzipSync('x'), 'application/gzip'],
    ['a database', Buffer.from('SQLite format 3\0\x10\0\x01\x01'), 'application/vnd.sqlite3'],
    ['a program', Buffer.from('\x7fELF\x02\x01\x01\0\xff', 'latin1'), 'application/x-elf'],
    ['a tar file', Buffer.concat([Buffer.from('name'), Buffer.alloc(253), Buffer.from('ustar\0')]), 'application/x-tar'],
    ['a document', Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1'), 'application/pdf'],
    ['B73: noise', NOISE, 'unknown type'],
    ['numbers', Buffer.from(new Float64Array(200).fill(1.5).buffer), 'unknown type'],
  ])('%s is recognised', (_name, sample, type) => {
    expect(binaryType(sample)).toBe(type);
  });

  test.each([
    ['nothing', Buffer.alloc(0)],
    ['B73: a few odd bytes', Buffer.from('a\xff\xfeb\0c\n', 'latin1')],
    ['a little noise', NOISE.subarray(0, 100)],
    ['text about formats', Buffer.from('%PDF-1.7 is how it begins, GIF89a another\n')],
    ['colours and progress', Buffer.from('\x1b[32mok\x1b[0m\r50%\b\x07\n'.repeat(100))],
    ['Latin-1', Buffer.from('d\xe9j\xe0 vu, \xe0 la carte\n'.repeat(50), 'latin1')],
    ['KOI8-R', Buffer.from('\xf0\xd2\xc9\xd7\xc5\xd4 \xcd\xc9\xd2\n'.repeat(80), 'latin1')],
    ['names with NUL between them', Buffer.from('./src/output/binary.ts\0'.repeat(50))],
    ['UTF-8 that is cut', Buffer.from('你'.repeat(1_400)).subarray(0, 4_096)],
  ])('%s is text', (_name, sample) => {
    expect(binaryType(sample)).toBeUndefined();
  });
});
