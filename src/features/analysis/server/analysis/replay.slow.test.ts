import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { getReplay, type Replay } from '#features/analysis/contract/replay.ts';
import { collectMarket } from '#tests/support/predictions.ts';
import { start, type TestProduct } from '#tests/support/start.ts';

const run = promisify(execFile);

let s: TestProduct;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'replay-'));
  s = await start({ env: { COIN_LIMIT: '40' } });
});
afterAll(async () => {
  await s.stop();
  rmSync(folder, { recursive: true });
});

const shown = async () => getReplay.reply.parse((await s.get('/api/track-record/replay')).json());

test('waits for the history of all five coins', async () => {
  await s.job('analysis.replay');
  expect(await shown()).toEqual({ mode: 'live', replay: null });
  const { statusCode, body } = await s.get('/api/track-record/replay/candles');
  expect([statusCode, JSON.parse(body)]).toEqual([404, { error: 'No replay available yet', code: 'not_found' }]);
});

test('a first start has a record of over 1,000 dates, separate from the live one', async () => {
  await collectMarket(s);
  await s.job('analysis.replay');
  const { record, ...about } = (await shown()).replay as Replay;
  const day = record.cells.find(({ horizon }) => horizon === '24h');
  expect(day?.dates).toBeGreaterThan(1_000);
  expect(day?.ranges?.coverage_80).toBeCloseTo(0.8, 1);
  expect(record.cells.every(({ provider, model }) => provider === 'local' && model === 'volatility')).toBe(true);
  expect(about).toMatchObject({
    last_day: '2026-11-19',
    sources: ['OKX'],
    head: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  expect((await s.get('/api/ledger')).json()).toMatchObject({ newest: 0 });
  expect(record.pools).toEqual([]);
  s.advance(60_000);
  await s.job('analysis.replay');
  expect((await shown()).replay?.made_at).toBe(about.made_at);
}, 120_000);

test('anyone can reproduce it from its candles and recompute its record from its chain', async () => {
  const [candles, published, ledger] = ['candles.csv', 'replay.json', 'ledger.jsonl'].map((name) => join(folder, name));
  writeFileSync(candles as string, (await s.get('/api/track-record/replay/candles')).body);
  writeFileSync(published as string, (await s.get('/api/track-record/replay')).body);
  await run(process.execPath, ['scripts/replay-score.ts', '--ledger', ledger as string, candles as string]);
  const lines = readFileSync(ledger as string, 'utf8')
    .trimEnd()
    .split('\n');
  const { entries, head } = (await shown()).replay as Replay;
  expect([lines.length, JSON.parse(lines.at(-1) ?? '').hash]).toEqual([entries, head]);
  const { stdout } = await run(process.execPath, [
    'scripts/recompute-record.mjs',
    ledger as string,
    published as string,
  ]);
  expect(stdout).toMatch(/[1-9]\d* published numbers recomputed\nNo faults found/);
}, 240_000);
