import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import {
  backtest,
  HORIZON_DAYS,
  type Outcome,
  type Probabilities,
  SYMBOLS,
} from '#features/analysis/contract/predictions.ts';
import { mulberry32 } from '#features/analysis/server/predictions/scoring/intervals.ts';
import type { Ranges } from '#features/analysis/server/predictions/scoring/ranges.ts';
import { leagueCells, scoreLeagueCells } from '#features/analysis/server/predictions/service/league.ts';
import { composeRecord } from '#features/analysis/server/predictions/service/record.ts';
import type { StoredCall } from '#features/analysis/server/predictions/store/calls.ts';

const DAY_MS = 86_400_000;
const START = Date.parse('2025-03-01T00:00:00Z');
const DAYS = 220;
const THIRD = { up: 1 / 3, flat: 1 / 3, down: 1 / 3 };
const HORIZONS = ['24h', '7d', '28d'] as const;
const PRICE = 100;

const random = mulberry32(11);
/** For the league. */
const draw = mulberry32(12);
const noise = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
const around = (half: number): Ranges => ({ 80: { low: -half, high: half }, 95: { low: -2 * half, high: 1.5 * half } });
const iso = (ms: number) => new Date(ms).toISOString();

const sure = (outcome: Outcome, p: number): Probabilities => {
  const rest = (1 - p) / 2;
  return { up: rest, flat: rest, down: rest, [outcome]: p };
};
const guess = () => (['up', 'flat', 'down'] as const)[Math.floor(3 * random())] ?? 'flat';

/** One that is often right, one that is confident without skill, one that always gives the same forecast. */
const VOICES: Record<string, (day: number, came: Outcome) => { model: string; said: Probabilities }> = {
  sharp: (day, came) => ({
    model: day < 80 ? 'sharp-1' : 'sharp-2',
    said: sure(random() < 0.6 ? came : guess(), 0.55 + 0.1 * random()),
  }),
  loud: () => ({ model: 'loud-1', said: sure(guess(), 0.97) }),
  constant: () => ({ model: 'constant-1', said: { up: 0.4, flat: 0.3, down: 0.3 } }),
  consensus: () => ({ model: 'equal-weight-pool', said: sure(guess(), 0.4) }),
  // Two forecasters with a separate generator, so that the tracks above stay the same.
  'league:1': (_, came) => ({ model: 'open-league', said: sure(draw() < 0.5 ? came : 'flat', 0.5 + 0.1 * draw()) }),
  'league:2': () => ({ model: 'open-league', said: sure(draw() < 0.5 ? 'up' : 'down', 0.6) }),
};

type Open = { call: StoredCall; due: number; usd: number };

/** Seven months of calls as stored by the product, and the same as ledger entries. */
function simulate(): { calls: StoredCall[]; ledger: string } {
  const calls: StoredCall[] = [];
  const lines: string[] = [];
  const open: Open[] = [];
  let before = '0'.repeat(64);
  const enter = (at: string, kind: string, told: object) => {
    const [seq, body] = [lines.length + 1, JSON.stringify(told)];
    before = createHash('sha256').update([before, seq, at, kind, body].join('\n')).digest('hex');
    lines.push(JSON.stringify({ seq, recorded_at: at, kind, body, hash: before }));
    return seq;
  };
  for (let day = 0; day < DAYS; day++) {
    const at = iso(START + day * DAY_MS);
    for (const { call, usd } of open.filter(({ due }) => due === day)) {
      const realised = Math.log(usd / call.price);
      call.outcome = classOf(realised, call.band ?? 0);
      call.realised = realised;
      call.outcome_at = at;
      call.outcome_seq = enter(at, 'outcome', { call: call.seq, outcome: call.outcome, price: { usd }, realised });
    }
    for (const horizon of HORIZONS)
      for (const asset of SYMBOLS) {
        const sigma = 0.03 * Math.sqrt(HORIZON_DAYS[horizon]);
        const usd = PRICE * Math.exp(sigma * noise());
        const came = classOf(Math.log(usd / PRICE), 0.43 * sigma);
        for (const [analyst, voice] of Object.entries(VOICES)) {
          const { model, said } = voice(day, came);
          const ranges = analyst === 'sharp' ? around(1.3 * sigma) : null;
          const trailingRanges = ranges && day > 60 ? around(1.1 * sigma) : null;
          const seq = enter(at, 'call', {
            analysisId: `day-${day}`,
            analyst,
            model,
            asset,
            horizon,
            issuedAt: at,
            probabilities: said,
            climatology: THIRD,
            persistence: THIRD,
            band: 0.43 * sigma,
            price: { usd: PRICE },
            ...(ranges && { ranges, trailingRanges }),
          });
          const call: StoredCall = {
            seq,
            analysis_id: `day-${day}`,
            analyst,
            model,
            asset,
            horizon,
            issued_at: at,
            resolves_at: iso(START + (day + HORIZON_DAYS[horizon]) * DAY_MS),
            imputed: false,
            price: PRICE,
            band: 0.43 * sigma,
            probabilities: said,
            climatology: THIRD,
            persistence: THIRD,
            ranges,
            trailingRanges,
            outcome: null,
            realised: null,
            outcome_seq: null,
            outcome_at: null,
          };
          calls.push(call);
          open.push({ call, due: day + HORIZON_DAYS[horizon], usd });
        }
      }
  }
  return { calls, ledger: lines.join('\n') };
}

function classOf(realised: number, band: number): Outcome {
  if (Math.abs(realised) <= band) return 'flat';
  return realised > 0 ? 'up' : 'down';
}

let folder: string;
let ledgerFile: string;
let calls: StoredCall[];
let published: ReturnType<typeof composeRecord>;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'recompute-year-'));
  ledgerFile = join(folder, 'ledger.jsonl');
  const simulated = simulate();
  ({ calls } = simulated);
  writeFileSync(ledgerFile, simulated.ledger);
  const own = calls.filter(({ analyst }) => !analyst.startsWith('league:'));
  published = composeRecord(own, new Map(), { at: new Date(START + DAYS * DAY_MS), consensus: 'consensus' });
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true }));

function recompute(record: object): { code: number | null; said: string } {
  const file = join(folder, 'backtest.json');
  writeFileSync(file, JSON.stringify(record));
  const { status, stdout } = spawnSync(process.execPath, ['scripts/recompute-record.mjs', ledgerFile, file], {
    encoding: 'utf8',
  });
  return { code: status, said: stdout };
}

describe('months of calls', () => {
  test('every p, verdict, interval, correction and weight follows from the ledger', () => {
    backtest.parse(published);
    const words = published.cells.map(({ verdict }) => verdict);
    expect(new Set(words)).toEqual(new Set(['ahead', 'behind', 'no evidence', 'too few independent windows']));
    expect(published.cells.some(({ direction }) => direction === null)).toBe(true);
    expect(published.pools.map(({ p_better }) => p_better === null)).toEqual([false, false, false]);
    expect(published.pools.map(({ used }) => used)).toEqual([true, false, false]);
    const { code, said } = recompute(published);
    expect(said).toMatch(/\d{5} entries read\n\d{3,} published numbers recomputed\nNo faults found/);
    expect(code).toBe(0);
  }, 120_000);

  test.each([
    ['cells.0.p_ahead', () => ({ p_ahead: (published.cells[0]?.p_ahead ?? 0) + 2e-9 })],
    ['cells.0.verdict', () => ({ verdict: 'behind' })],
    ['cells.0.recalibrated', () => ({ recalibrated: null })],
    [
      'cells.0.ranges.coverage_80',
      () => ({ ranges: published.cells[0]?.ranges && { ...published.cells[0].ranges, coverage_80: 0.8 } }),
    ],
    ['cells.0.elo', () => ({ elo: 1800 })],
  ])(
    'names what does not follow: %s',
    (path, change) => {
      const [first, ...others] = published.cells;
      const { code, said } = recompute({ ...published, cells: [{ ...first, ...change() }, ...others] });
      expect(said).toContain(`${path}: published`);
      expect(code).toBe(1);
    },
    120_000,
  );
});

test('the league: every number except contributions, which are excluded here', () => {
  const at = new Date(START + DAYS * DAY_MS);
  const through = calls.at(-1)?.seq ?? 0;
  const cells = [1, 2].flatMap((id) =>
    leagueCells(
      calls.filter(({ analyst }) => analyst === `league:${id}`),
      at,
    ).map((row) => ({ id, ...row })),
  );
  const judged = scoreLeagueCells(
    cells.map(({ id, horizon, nEff, tails, cell: { skill, dates } }) => ({
      forecaster_id: id,
      horizon,
      through_seq: through,
      n_eff: nEff,
      p_ahead: tails?.ahead ?? null,
      p_behind: tails?.behind ?? null,
      skill,
      dates,
    })),
  );
  const own = cells.flatMap(({ id, cell }, i) => {
    const { verdict = 'no evidence', p_ahead = null, p_behind = null } = judged[i] ?? {};
    return id === 1 ? [{ ...cell, verdict, p_ahead, p_behind, contribution: null }] : [];
  });
  expect(own.map(({ verdict }) => verdict)).toEqual(['ahead', 'no evidence', 'too few independent windows']);
  expect(own[0]?.p_ahead).toBeLessThan(0.0002);
  const forecaster = {
    timestamp: at.toISOString(),
    forecaster: { name: 'one', track: 'league:1', forecasts: DAYS * SYMBOLS.length * HORIZONS.length, open: 180 },
    scored_at: at.toISOString(),
    scored_through: through,
    league_through: through,
    cells: own,
  };
  const { said } = recompute(forecaster);
  expect(said.match(/: published/g)).toHaveLength(3);
  expect(said.match(/contribution: published null/g)).toHaveLength(3);
}, 120_000);

test('the script imports no product code', () => {
  const sources = execFileSync('grep', ['-rhoE', "from '[^']+'", 'scripts/recompute-record.mjs', 'scripts/recompute'], {
    encoding: 'utf8',
  });
  for (const from of sources.trim().split('\n')) expect(from).toMatch(/^from '(node:|\.\/)/);
});
