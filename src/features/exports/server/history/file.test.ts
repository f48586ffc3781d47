import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { openDatabase } from '#kernel/db.ts';
import { readerOf } from '#tests/support/file-readers.ts';
import { registerUser, type TestUser } from '#tests/support/people.ts';
import { statusAndMessage } from '#tests/support/rows.ts';
import { NOON, start, type TestProduct } from '#tests/support/start.ts';

const DAYS = 2500;

let s: TestProduct;
let pro: TestUser;
let folder: string;

const file = (query: string) => pro.get(`/api/history/${query}`);
/** Newest first, as in the database. */
let stored: { at: string; value: number }[];

beforeAll(async () => {
  s = await start();
  folder = mkdtempSync(join(tmpdir(), 'history-'));
  const { db, close } = openDatabase(s.connection, () => undefined, 1);
  await sql`insert into metric_observations (metric, source, observed_at, value, fetched_at, method)
    select 'macro.oil_wti', 'fred', ${NOON.toISOString()}::timestamptz - i * interval '1 day', 60 + 20 * sin(i / 50.0), ${NOON.toISOString()}, 'measured'
    from generate_series(0, ${DAYS - 1}) i`.execute(db);
  const { rows } = await sql<{ at: string; value: number }>`select observed_at as at, value from metric_observations
    where metric = 'macro.oil_wti' order by observed_at desc`.execute(db);
  stored = rows;
  await close();
  pro = await registerUser(s, 'pro', 'pro');
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await s?.stop();
});

describe('GET /api/history/:type/file', () => {
  test('403 on the free plan, with its message', async () => {
    const free = await (await registerUser(s, 'free')).get('/api/history/ENERGY_PRICE/file?format=csv');
    expect(statusAndMessage(free)).toEqual([403, 'Export requires Pro+ subscription']);
  });

  test.each(['ENERGY_PRICE/file', 'ENERGY_PRICE/file?format=pdf', 'OIL/file?format=csv'])('400: %s', async (path) => {
    expect((await file(path)).statusCode).toBe(400);
  });

  test('400: reversed dates', async () => {
    const answer = await file('ENERGY_PRICE/file?format=csv&from=2026-02-01T00:00:00Z&to=2026-01-01T00:00:00Z');
    expect(statusAndMessage(answer)).toEqual([400, 'The range ends before it starts']);
  });

  test('CSV: every stored value, read by Python', async ({ skip }) => {
    const reader = readerOf('python', { skip });
    const answer = await file('ENERGY_PRICE/file?format=csv');
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(answer.headers['content-disposition']).toBe(
      'attachment; filename="meridian-history-energy-price-2026-11-20.csv"',
    );
    const path = join(folder, 'a.csv');
    writeFileSync(path, answer.rawPayload);
    const rows = python(
      reader,
      `import csv,json,sys;print(json.dumps([[r['timestamp'],float(r['value']),r['symbol'],r['unit'],r['source'],r['method']] for r in csv.DictReader(open(sys.argv[1],encoding='utf-8-sig'))]))`,
      path,
    );
    expect(rows).toEqual(stored.map(({ at, value }) => [at, value, 'WTI', 'USD/barrel', 'FRED', 'measured']));
  });

  test('JSON of a range: its values, each with the change from the previous one', async () => {
    const from = stored[9]?.at ?? '';
    const body = (await file(`ENERGY_PRICE/file?format=json&symbol=WTI&from=${from}`)).body;
    const text = JSON.stringify(JSON.parse(body));
    for (const { value } of stored.slice(0, 10)) expect(text).toContain(String(value));
    expect(text).not.toContain(String(stored[10]?.value));
    const rows = (JSON.parse(body) as { tables: { energy_price: { change: number }[] } }).tables.energy_price;
    expect(rows).toHaveLength(10);
    expect(rows[9]?.change).toBeCloseTo((stored[9]?.value ?? 0) - (stored[10]?.value ?? 0), 10);
  });
});

test('Premium+: the report has the name and color of the user', async () => {
  const premium = await registerUser(s, 'premium', 'premium');
  const look = { name: 'Ann & Co', logo: null, colour: '#117744' };
  expect((await premium.put('/api/exports/white-label', look)).statusCode).toBe(200);
  const html = (await premium.get('/api/history/ENERGY_PRICE/file?format=html')).body;
  expect(html).toContain('Ann &amp; Co</p>');
  expect(html).toContain('.line { stroke: #117744; }');
  expect(html).not.toContain('Meridian');
  expect((await file('ENERGY_PRICE/file?format=html')).body).toContain('Meridian</p>');
});

describe('the printable report', () => {
  const report = async (query = '') => (await file(`ENERGY_PRICE/file?format=html${query}`)).body;

  test('A4, brand, title, range, chart, sources, and no script', async () => {
    const html = await report('&from=2026-01-01T00:00:00Z');
    expect(html).toContain('@page { size: A4');
    expect(html).toContain('Meridian</p><h1>Energy price, historical data</h1>');
    expect(html).toContain('1 Jan 2026, 00:00 UTC to 20 Nov 2026, 12:00 UTC');
    expect(html).toMatch(/<svg [^>]*role="img"[^>]*>.*<polyline/s);
    expect(html).toContain('WTI: FRED, measured; latest value 20 Nov 2026, 12:00 UTC (just now)');
    expect(html).not.toMatch(/<script|https?:|url\(/);
  });

  test('at most 50 rows, the latest, with a note that there are more', async () => {
    const html = await report();
    expect(html.match(/<tr>/g)).toHaveLength(51);
    expect(html).toContain('Latest 50 rows of the range.');
    const few = await report(`&from=${stored[2]?.at}`);
    expect(few.match(/<tr>/g)).toHaveLength(4);
    expect(few).not.toContain('The newest 50 rows');
  });

  test('an empty range is stated; text of the query is escaped', async () => {
    expect(await report('&symbol=%3Cb%3E')).toContain('&lt;B&gt;');
    expect(await report('&to=2001-01-01T00:00:00Z')).toContain('No data stored for this range.');
  });
});

function python(reader: string, code: string, path: string): unknown {
  return JSON.parse(execFileSync(reader, ['-c', code, path], { maxBuffer: 1e8 }).toString());
}
