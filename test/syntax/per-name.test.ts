// What is found for a program's name is remembered, and the memory stays small.
import { describe, expect, it } from 'vitest';
import { perName } from '../../src/syntax/per-name.ts';

function counted(): { readonly find: (name: string) => number | undefined; readonly asked: string[] } {
  const asked: string[] = [];
  return { find: perName((name) => (asked.push(name), name === 'none' ? undefined : name.length)), asked };
}

describe('what depends on a name alone', () => {
  it('is worked out once, also where there is nothing', () => {
    const { find, asked } = counted();
    expect([find('git'), find('none'), find('git'), find('none')]).toEqual([3, undefined, 3, undefined]);
    expect(asked).toEqual(['git', 'none']);
  });

  it('is worked out each time for a long name, which may be a part of a large text', () => {
    const { find, asked } = counted();
    const name = 'docker-compose';
    expect([find(name), find(name)]).toEqual([14, 14]);
    expect(asked).toEqual([name, name]);
  });

  it('is forgotten when there are a thousand others', () => {
    const { find, asked } = counted();
    for (let number = 0; number < 2_000; number++) expect(find(`p${number}`)).toBe(`p${number}`.length);
    expect(find('p0')).toBe(2);
    expect(asked.filter((name) => name === 'p0')).toHaveLength(2);
  });
});
