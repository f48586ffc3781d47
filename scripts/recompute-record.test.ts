import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { getForecaster } from '#features/analysis/contract/league.ts';
import { getBacktest, SYMBOLS } from '#features/analysis/contract/predictions.ts';
import { registerUser } from '#tests/support/people.ts';
import { collectMarket, createStatement, issue } from '#tests/support/predictions.ts';
import { start, type TestProduct } from '#tests/support/start.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const DAYS = 14;
const run = promisify(execFile);

let s: TestProduct;
let folder: string;
let ledger: string;
let published: string;
let forecaster: string;

/** A model's forecast on a day: varying, with ties among the calls, a model change, and days without a response. */
const says = (day: number, lean: number) => {
  const up = 0.2 + 0.05 * ((day * 3 + lean) % 9);
  return { up, flat: 0.3, down: 0.7 - up };
};

/** Narrow enough that some days leave the inner range. */
const RANGES = Object.fromEntries(
  SYMBOLS.map((symbol) => [symbol, { '24h': { 80: { low: -0.02, high: 0.025 }, 95: { low: -0.06, high: 0.06 } } }]),
);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'recompute-'));
  s = await start({ env: { COIN_LIMIT: '40' } });
  await collectMarket(s);
  const [ann, bob] = await Promise.all(['ann', 'bob'].map((name) => registerUser(s, name)));
  if (!ann || !bob) throw new Error('Two accounts are needed');
  for (let day = 0; day < DAYS; day++) {
    const absences = day % 5 === 2 ? [{ analyst: 'gamma', reason: 'gamma did not answer' }] : [];
    const statements = [
      createStatement('alpha', says(day, 0), { model: day < 6 ? 'alpha-1' : 'alpha-2', ranges: RANGES }),
      createStatement('beta', says(day, 4)),
      createStatement('consensus', says(day, 2)),
      ...(absences.length > 0 ? [] : [createStatement('gamma', { up: 0.4, flat: 0.4, down: 0.2 })]),
    ];
    await issue(s, statements, { absences });
    for (const [who, lean] of [
      [ann, 1],
      [bob, 5],
    ] as const)
      await s.product.predictions.submit(who.id, {
        forecaster: who === ann ? 'ann-forecasts' : 'bob-forecasts',
        forecasts: SYMBOLS.slice(0, who === ann ? 5 : 2).map((asset) => ({
          asset,
          horizon: '24h',
          probabilities: says(day, lean),
        })),
      });
    s.advance(DAY_MS);
    await s.job('market.listing');
    s.advance(2 * MINUTE_MS);
    await s.job('predictions.resolve');
  }
  await issue(s, [createStatement('alpha', says(1, 1), { model: 'alpha-2' })]);
  s.advance(4 * DAY_MS);
  await s.job('predictions.resolve');
  await s.job('predictions.league');
  ledger = (await s.get('/api/ledger/export')).body;
  published = (await s.get('/api/backtest')).body;
  forecaster = (await s.get('/api/league/ann-forecasts')).body;
});
afterAll(async () => {
  await s.stop();
  rmSync(folder, { recursive: true });
});

/** Runs the script on files, as a user would. */
async function recompute(ledgerText: string, backtestText: string): Promise<{ code: number; said: string }> {
  const [entries, record] = [join(folder, 'ledger.jsonl'), join(folder, 'backtest.json')];
  writeFileSync(entries, ledgerText);
  writeFileSync(record, backtestText);
  return run(process.execPath, ['scripts/recompute-record.mjs', entries, record]).then(
    ({ stdout }) => ({ code: 0, said: stdout }),
    ({ code, stdout }: { code: number; stdout: string }) => ({ code, said: stdout }),
  );
}

describe('independent recomputation', () => {
  test('every published number follows from the exported ledger', async () => {
    const { cells, total_predictions: total } = getBacktest.reply.parse(JSON.parse(published));
    expect(total).toBeGreaterThan(250);
    expect(cells.some(({ voids }) => voids > 0)).toBe(true);
    expect(cells.some(({ missing }) => missing > 0)).toBe(true);
    expect(cells.some(({ current }) => !current)).toBe(true);
    const ranged = cells.filter(({ ranges }) => ranges).map(({ model, horizon }) => `${model} ${horizon}`);
    expect(ranged).toEqual(['alpha-1 24h', 'alpha-2 24h']);
    const { code, said } = await recompute(ledger, published);
    expect(said).toMatch(/\d+ entries read\n\d{3,} published numbers recomputed\nNo faults found/);
    expect(code).toBe(0);
  });

  test('every number of a league forecaster follows from it too, and none of theirs enters the record', async () => {
    const { cells } = getForecaster.reply.parse(JSON.parse(forecaster));
    expect(cells[0]).toMatchObject({ horizon: '24h', contribution: { n: expect.any(Number) } });
    expect(cells[0]?.n).toBeGreaterThan(40);
    expect(await recompute(ledger, forecaster)).toEqual({ code: 0, said: expect.stringContaining('No faults found') });
    const changed = JSON.parse(forecaster) as { cells: { contribution: { gain: number } }[] };
    if (changed.cells[0]) changed.cells[0].contribution.gain += 2e-9;
    const { code, said } = await recompute(ledger, JSON.stringify(changed));
    expect([code, said]).toEqual([1, expect.stringContaining('cells.0.contribution.gain: published')]);
  });

  test('detects a flipped byte', async () => {
    const at = ledger.indexOf('\\"up\\":0.') + '\\"up\\":0.'.length;
    const flipped = ledger.slice(0, at) + (ledger[at] === '9' ? '8' : '9') + ledger.slice(at + 1);
    const { code, said } = await recompute(flipped, published);
    expect(said).toContain('Entry 1: its hash does not fit');
    expect(code).toBe(1);
  });

  test('detects a missing entry', async () => {
    const lines = ledger.split('\n');
    const { code, said } = await recompute([...lines.slice(0, 10), ...lines.slice(11)].join('\n'), published);
    expect(said).toContain('Entry 11 is not there: entry 12 follows');
    expect(code).toBe(1);
  });

  test.each([
    ['overall_accuracy', (record: Record<string, number>) => (record['overall_accuracy'] = 62)],
    ['cells.0.skill', (record: { cells: { skill: number }[] }) => record.cells[0] && (record.cells[0].skill += 2e-9)],
  ])('names a published number that does not follow: %s', async (path, change) => {
    const record = JSON.parse(published) as never;
    change(record);
    const { code, said } = await recompute(ledger, JSON.stringify(record));
    expect(said).toContain(`${path}: published`);
    expect(code).toBe(1);
  });
});
