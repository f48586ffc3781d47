import { existsSync } from 'node:fs';

import { expect, test } from 'vitest';

import { dataDir, run, sandbox, useProcesses } from '#tests/support/processes.ts';

useProcesses();

const failures = (output: string) => output.split('\n').filter((line) => line.startsWith('FAIL'));

test('every endpoint is requested once and named; recorded responses are saved', async () => {
  const check = run(['scripts/check-live.ts', '--record', `${dataDir}/recorded`]);
  expect(await check.ended).toBe(0);
  expect(failures(check.output())).toEqual([]);
  expect(check.output()).toMatch(/(\d+) of \1 endpoints match our schemas/);
  expect(check.output()).toContain('--   coinmetrics: skipped.');
  const asked = ['coingecko', 'okx', 'bybit', 'mempool', 'solana-rpc', 'alternative-me', 'bls', 'cleveland-fed'];
  for (const source of [...asked, 'federal-reserve', 'bls-schedule', 'bea-schedule', 'sec', 'cftc'])
    expect(check.output(), source).toMatch(new RegExp(`^ok +${source} `, 'm'));
  expect(existsSync(`${dataDir}/recorded/alternative-me/fng-format-limit.json`)).toBe(true);
});

test('an endpoint whose response no longer matches is named with the location, and the check fails', async () => {
  sandbox.faults.set({ provider: 'alternative-me', kind: 'truncated' });
  const check = run(['scripts/check-live.ts', '--only', 'alternative-me']);
  expect(await check.ended).toBe(1);
  expect(failures(check.output())).toEqual([expect.stringContaining('alternative-me /fng/')]);
});
