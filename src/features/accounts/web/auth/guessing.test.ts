import fc from 'fast-check';
import { expect, test } from 'vitest';

import { estimateStrength, loadRanks } from './credentials-view.tsx';

test.each([
  ['q', 0, 'Guessed in seconds'],
  ['x y z', 0, 'Guessed in seconds'],
  ['P@ssw0rd', 0, 'Guessed in seconds'],
  ['abcdefghijklmnop', 0, 'Guessed in seconds'],
  ['aaaaaaaaaaaaaaaaaaaa', 0, 'Guessed in seconds'],
  ['annabelle1', 0, 'Guessed in seconds'],
  ['Horse-77?', 1, 'Guessed in hours'],
  ['Coffee2024!', 1, 'Guessed in hours'],
  ['tPqk7mr!w2Zd', 2, 'Guessed in years'],
  ['correct horse battery staple', 3, 'Takes more than a lifetime to guess'],
])('%o has level %i: %s', async (password, level, words) => {
  const guessing = estimateStrength(password, 'annabelle@example.com', await loadRanks());
  expect([guessing.level, guessing.words.split('.')[0]]).toEqual([level, words]);
});

test('property: any text is rated, and quickly', async () => {
  const ranks = await loadRanks();
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (password) => {
      expect([0, 1, 2, 3]).toContain(estimateStrength(password, 'ann@example.com', ranks).level);
    }),
  );
});
