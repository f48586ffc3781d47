import { expect, test } from 'vitest';

import type { GradedCall } from '#features/analysis/contract/predictions.ts';
import { varied } from './calls.ts';

const call = (seq: number, provider: string, crypto_symbol: string) =>
  ({ seq, provider, model: provider, crypto_symbol }) as GradedCall;

test('recent results alternate between analysts and coins, newest first', () => {
  const coins = ['BTC', 'ETH', 'SOL'];
  const results = ['local', 'venice', 'groq'].flatMap((provider, i) =>
    coins.map((coin, j) => call(9 - 3 * i - j, provider, coin)),
  );
  const shown = varied(results, 5).map(({ provider, crypto_symbol }) => `${provider} ${crypto_symbol}`);
  expect(shown).toEqual(['local BTC', 'local ETH', 'venice BTC', 'venice ETH', 'groq SOL']);
});

test('a single analyst, and fewer calls than are shown', () => {
  const own = [call(3, 'local', 'BTC'), call(2, 'local', 'BTC'), call(1, 'local', 'BTC')];
  expect(varied(own, 2)).toEqual(own.slice(0, 2));
  expect(varied(own, 5)).toEqual(own);
});
