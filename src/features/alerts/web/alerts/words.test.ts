import { expect, test } from 'vitest';

import { TYPE_WORDS } from './words.ts';

test('an AI alert is named by what the analysts say, which need not have turned', () => {
  expect([TYPE_WORDS.AI_CONSENSUS_BULLISH, TYPE_WORDS.AI_CONSENSUS_BEARISH]).toEqual([
    'AI consensus bullish',
    'AI consensus bearish',
  ]);
});
