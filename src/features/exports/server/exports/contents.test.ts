import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { getManifest } from '#features/exports/contract/exports.ts';
import { readerOf } from '#tests/support/file-readers.ts';
import { fileProduct, member } from '#tests/support/for-file.ts';
import { storeAlerts, storeHistory, TRICKY_NAME } from '#tests/support/stored-past.ts';

type Row = Record<string, unknown>;
type Json = { tables: Record<string, Row[]>; notes: string[]; dataMode: string; metadata?: { query: Row } };

const s = fileProduct();
const premium = member(s, 'premium', 'premium');
const other = member(s, 'other', 'pro');
const folder = mkdtempSync(join(tmpdir(), 'meridian-contents-'));
beforeAll(async () => {
  await storeHistory(s);
  await storeAlerts(s, [premium.id, other.id]);
}, 120_000);
afterAll(async () => {
  rmSync(folder, { recursive: true });
});

async function made(body: object, who = premium) {
  const answer = await who.post('/api/exports/create', { dateRange: '7d', format: 'json', ...body });
  expect(answer.statusCode, answer.body.slice(0, 300)).toBe(200);
  return answer;
}
const jsonOf = async (body: object, who = premium): Promise<Json> => (await made(body, who)).json<Json>();

const query = async (text: string): Promise<Row[]> =>
  (await sql<Row>`${sql.raw(text)}`.execute(s.product.auth.ctx.db)).rows;
const WEEK = "between '2026-11-13T12:00Z' and '2026-11-20T12:00Z'";

test.each([
  [
    'market_data',
    `select observed_at, metric, value, source, fetched_at, method from metric_observations
      where metric in ('market.cap', 'hash_rate', 'difficulty') and observed_at ${WEEK} order by observed_at, metric, source`,
    4 * 169,
  ],
  [
    'fear_greed',
    `select observed_at, value, detail ->> 'classification' as classification, source, fetched_at, method
      from metric_observations where metric = 'fear_greed' and observed_at ${WEEK} order by observed_at`,
    8,
  ],
  [
    'crypto_prices',
    `select at, symbol, name, id as coin, open, high, low, close, volume, minutes, source, fetched_at, method
      from candles_1h join coins on key = coin_key where at ${WEEK} order by coin_key, at`,
    3 * 169,
  ],
  [
    'backtest_results',
    `select seq, source, outcome, log_return, outcome_at, price_usd, accuracy from (select seq, analyst as source, outcome, realised as log_return, outcome_at,
      price as price_usd, case when outcome = 'up' then 100 else 0 end as accuracy from predictions
      where outcome in ('up', 'flat', 'down') and outcome_at ${WEEK}) g order by seq`,
    12,
  ],
  [
    'alerts',
    `select id, message, severity, value, source, method, source_at as observed_at, received_at as fetched_at, user_id is not null as own_rule
      from alerts where (user_id is null or user_id = (select id from users where email like 'premium@%')) order by id`,
    20,
  ],
])('%s contains the stored data, value by value', async (type, text, count) => {
  const file = await jsonOf({ dataTypes: [type] });
  const stored = await query(text);
  const rows = file.tables[type] ?? [];
  expect(stored).toHaveLength(count);
  const names = Object.keys(stored[0] ?? {});
  expect(rows.map((row) => Object.fromEntries(names.map((name) => [name, row[name]])))).toEqual(stored);
});

test('an AI analysis contains each analyst’s call per horizon, why one made none, and the frozen calls', async () => {
  const { tables } = await jsonOf({ dataTypes: ['ai_analysis'], dateRange: '1d' });
  const opinions = tables['ai_analysis'] ?? [];
  expect(opinions).toHaveLength(25 * 5);
  expect(
    opinions.filter(({ analysis_id: id }) => id === 'a-3').map(({ source, horizon }) => [source, horizon]),
  ).toEqual([
    ['groq', null],
    ['venice', '24h'],
    ['venice', '7d'],
    ['venice', '28d'],
    ['venice', '180d'],
  ]);
  expect(opinions[0]).toMatchObject({ failure: 'It did not answer', direction: null, confidence: null });
  expect(opinions[1]).toMatchObject({
    issued_at: '2026-11-19T12:00:00.000Z',
    fetched_at: '2026-11-19T12:00:09.000Z',
    direction: 'BULLISH',
    confidence: 50,
    p_up: 0.5,
    p_flat: 0.3,
    p_down: 0.2,
    reasoning: '-1 is no formula, "quoted",\nnext line',
    key_factors: 'flows; rates',
    risk_factors: 'war',
    overall_reasoning: 'All in all',
    method: 'computed',
    failure: null,
  });
  expect(tables['ai_predictions']?.map(({ seq, state, called }) => [seq, state, called])).toEqual(
    [56, 57, 58, 59, 60].map((seq) => [seq, 'open', 'up']),
  );
  expect(tables['ai_predictions']?.map(({ range_80_low: low }) => low)).toEqual([
    null,
    expect.closeTo(90_057 * Math.exp(-0.01), 6),
    null,
    expect.closeTo(90_059 * Math.exp(-0.01), 6),
    null,
  ]);
});

test('a narrative contains its inputs and the values computed from them', async () => {
  const { tables } = await jsonOf({ dataType: 'narratives' }, other);
  const rows = tables['narratives'] ?? [];
  expect(rows).toHaveLength(12);
  expect(rows[0]).toEqual({
    observed_at: '2026-11-20T07:00:00.000Z',
    narrative: 'ai',
    name: 'AI & big data',
    total_volume_24h: 5e9 + 5,
    avg_change_24h: 2.5,
    market_cap: 1e11,
    market_cap_change_24h: -1.5,
    trending: 2,
    relative_sigma: 0.5,
    volume_share: 0.1,
    volume_z: 1.25,
    breadth: 0.75,
    volatility: 0.9,
    coins: 'TAO FET',
    source: 'coingecko',
    fetched_at: '2026-11-20T12:00:00.000Z',
    method: 'measured',
  });
  expect(rows[1]).toMatchObject({ narrative: 'meme', avg_change_24h: null, relative_sigma: null });
});

test('prices are five-minute bars for a day, hours up to ninety days and days beyond, as the manifest states', async () => {
  const grains = async (dateRange: string, more = {}) => {
    const answer = await made({ dataTypes: ['crypto_prices'], dateRange, ...more });
    const id = String(answer.headers['x-export-id']);
    const manifest = getManifest.reply.parse((await premium.get(`/api/exports/${id}/manifest`)).json());
    return [manifest.tables[0]?.grain, manifest.rows];
  };
  expect(await grains('1d')).toEqual(['one coin per 5 minutes', 3 * 25]);
  expect(await grains('90d')).toEqual(['one coin per hour', 3 * 240]);
  expect(await grains('1y')).toEqual(['one coin per day', 3 * 200]);
  expect(await grains('all')).toEqual(['one coin per day', 3 * 200]);
  const days = { startDate: '2026-11-15', endDate: '2026-11-16' };
  expect(await grains('custom', days)).toEqual(['one coin per hour', 3 * 48]);
  const { tables } = await jsonOf({ dataTypes: ['crypto_prices'], dateRange: '1d' });
  const [first] = await query(`select (array_agg(open order by at))[1] as open, max(high) as high, min(low) as low,
      (array_agg(close order by at desc))[1] as close, sum(volume) as volume, count(*)::int as minutes
    from candles_1m join coins on key = coin_key where id = 'bitcoin' and at >= '2026-11-20T11:00Z' and at < '2026-11-20T11:05Z'`);
  const bar = tables['crypto_prices']?.find(({ coin, at }) => coin === 'bitcoin' && at === '2026-11-20T11:00:00.000Z');
  expect(bar).toMatchObject({ ...first, source: 'coingecko+okx', method: 'computed' });
});

test('an AI analysis also contains the daily ranges of the other coins, and whether they held and count', async () => {
  const { tables } = await jsonOf({ dataTypes: ['ai_analysis'] });
  const rows = tables['coin_ranges'] ?? [];
  expect(
    rows.map(({ starts_at, end_price_usd, held_80, held_95, counted }) => [
      starts_at,
      end_price_usd,
      held_80,
      held_95,
      counted,
    ]),
  ).toEqual([
    ['2026-11-18T00:00:00.000Z', 104.5, true, true, true],
    ['2026-11-19T00:00:00.000Z', 106, false, true, true],
    ['2026-11-20T00:00:00.000Z', null, null, null, false],
  ]);
  expect(rows[0]).toMatchObject({
    issued_at: '2026-11-18T00:05:00.000Z',
    ends_at: '2026-11-19T00:00:00.000Z',
    coin: 'bitcoin',
    horizon: '24h',
    price_usd: 100,
    range_80_low: 95,
    range_80_high: 105,
    range_95_low: 90,
    range_95_high: 110,
    source: 'local',
    model_version: 'v-1',
    method: 'computed',
  });
});

test('all data covers the kinds of the requesting page', async () => {
  const basic = await jsonOf({ dataType: 'all_data' }, other);
  const kinds = [
    'crypto_prices',
    'market_data',
    'fear_greed',
    'narratives',
    'ai_analysis',
    'ai_predictions',
    'coin_ranges',
  ];
  expect(Object.keys(basic.tables)).toEqual(kinds);
  const advanced = await jsonOf({ dataTypes: ['all_data', 'alerts'] });
  expect(Object.keys(advanced.tables).toSorted()).toEqual([...kinds, 'alerts', 'backtest_results'].toSorted());
});

test('a CSV matches the JSON, and formula-like names are escaped', async ({ skip }) => {
  const reader = readerOf('python', { skip });
  const body = { dataTypes: ['crypto_prices'] };
  const rows = (await jsonOf(body)).tables['crypto_prices'] ?? [];
  const path = join(folder, 'prices.csv');
  writeFileSync(path, (await made({ ...body, format: 'csv' })).rawPayload);
  const script =
    'import csv,json,sys; print(json.dumps(list(csv.reader(open(sys.argv[1],newline="",encoding="utf-8-sig")))))';
  const [names = [], ...lines] = JSON.parse(
    execFileSync(reader, ['-c', script, path], { maxBuffer: 1 << 28 }).toString(),
  ) as string[][];
  expect(names).toEqual(Object.keys(rows[0] ?? {}));
  const column = (name: string, of: string[]) => of[names.indexOf(name)];
  expect(lines.map((line) => Number(column('close', line)))).toEqual(rows.map((row) => row['close']));
  const odd = lines.find((line) => column('coin', line) === 'odd-coin') ?? [];
  expect(column('name', odd)).toBe(`'${TRICKY_NAME.replace('\u0001', '')}`);
  expect(column('symbol', odd)).toBe("'+ODD");
}, 120_000);

test('metadata and compression match the request', async () => {
  const { metadata } = await jsonOf({ dataTypes: ['fear_greed'] });
  expect(metadata?.query).toEqual({
    dataTypes: ['fear_greed'],
    dateRange: '7d',
    from: '2026-11-13T12:00:00.000Z',
    to: '2026-11-20T12:00:00.000Z',
  });
  expect((await jsonOf({ dataTypes: ['fear_greed'], includeMetadata: false })).metadata).toBeUndefined();
  const packed = await made({ dataTypes: ['fear_greed'], compression: true });
  expect(packed.headers['content-disposition']).toBe('attachment; filename="fear_greed-7d-2026-11-20.zip"');
  expect(packed.headers['content-type']).toBe('application/zip');
  expect(packed.rawPayload.toString('latin1')).toContain('fear_greed-7d-2026-11-20.json');
  const several = await made({ dataTypes: ['fear_greed', 'alerts'], format: 'csv' });
  expect(several.headers['content-disposition']).toBe('attachment; filename="data-7d-2026-11-20.zip"');
});
