import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';

import { handle } from './live.ts';

const KEYS = ['dashboard', 'sparklines', 'sources', 'narratives', 'metrics', 'layer1'];

test.each([
  ['dashboard', ['dashboard']],
  ['sparklines', ['sparklines']],
  ['sources', ['dashboard', 'sources']],
  ['metrics', ['narratives', 'metrics', 'layer1']],
])('when the server names %s, %j are read again', (changed, stale) => {
  const queries = new QueryClient();
  for (const key of KEYS) queries.setQueryData([key], {});
  handle(queries, { name: 'market', data: JSON.stringify({ at: 0, changed: [changed] }) }, false);
  expect(KEYS.filter((key) => queries.getQueryState([key])?.isInvalidated)).toEqual(stale);
});

test('when calls were frozen or graded the record is read again, and a verification stands', () => {
  const queries = new QueryClient();
  const keys = [['dashboard'], ['backtest'], ['calls', {}], ['ledger'], ['ledger', 'verify'], ['sources']];
  for (const key of keys) queries.setQueryData(key, {});
  handle(queries, { name: 'record', data: JSON.stringify({ at: 0 }) }, false);
  expect(keys.filter((key) => queries.getQueryState(key)?.isInvalidated)).toEqual(keys.slice(0, 4));
});
