import { expect, test } from 'vitest';

import { inTurn } from './queries.ts';

const calm = new AbortController().signal;

test('two run at once; of the pending ones the newest runs first, and a canceled one never runs', async () => {
  const begun: string[] = [];
  const ends: Record<string, () => void> = {};
  const act = (name: string, signal = calm) =>
    inTurn(
      () =>
        new Promise<string>((end) => {
          begun.push(name);
          ends[name] = () => end(name);
        }),
      signal,
    );
  const given = new AbortController();
  const all = [act('a'), act('b'), act('c'), act('d')];
  const gone = expect(act('e', given.signal)).rejects.toThrow('gone');
  await Promise.resolve();
  expect(begun).toEqual(['a', 'b']);
  given.abort(new Error('gone'));
  await gone;
  ends['a']?.();
  await expect.poll(() => begun).toEqual(['a', 'b', 'd']);
  ends['b']?.();
  await expect.poll(() => begun).toEqual(['a', 'b', 'd', 'c']);
  ends['c']?.();
  ends['d']?.();
  expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd']);
});
