import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { collectMarket } from '#tests/support/predictions.ts';
import { start, type TestProduct } from '#tests/support/start.ts';

const MINUTE_MS = 60_000;

let s: TestProduct;
let recorder: Server;
const sent: string[] = [];

/** A model that records its requests and returns nothing usable. */
async function startRecorder(): Promise<string> {
  recorder = createServer((req, res) => {
    let body = '';
    req.on('data', (part: Buffer) => {
      body += part.toString();
    });
    req.on('end', () => {
      if (body) sent.push(body);
      res.setHeader('content-type', 'application/json').end('{"choices":[]}');
    });
  });
  await new Promise<void>((resolve) => recorder.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(recorder.address() as AddressInfo).port}/v1`;
}

beforeAll(async () => {
  const AI_PROVIDERS = `recorder=${await startRecorder()}|some-model`;
  s = await start({ env: { COIN_LIMIT: '20', AI_PROVIDERS, COINMARKETCAL_API_KEY: 'k' } });
});
afterAll(async () => {
  await s.stop();
  recorder.close();
});

const asked = async () => (await s.product.scheduler.waiting('analysis.run')).length;
const watch = () => s.job('analysis.watch');

describe('the analysis watcher', () => {
  test('follows the history of tracked coins only', async () => {
    const watching = async () => (await s.product.scheduler.waiting('analysis.watch')).length;
    await s.job('market.listing');
    await s.job('market.backfill', { coinId: 'tether' });
    expect(await watching()).toBe(0);
    await s.job('market.backfill', { coinId: 'bitcoin' });
    expect(await watching()).toBe(1);
  });

  test('requests the first one as soon as there is history, not before', async () => {
    await s.job('market.listing');
    await watch();
    expect(await asked()).toBe(0);
    await collectMarket(s);
    await watch();
    expect(await asked()).toBe(1);
  });

  test('leaves the next request to the collection, and makes up for a missed one', async () => {
    await s.job('analysis.run');
    await sql`delete from pgboss.job where name = 'analysis.run'`.execute(s.product.analysis.ctx.db);
    const { FULL_COLLECTION_CRON } = s.product.analysis.ctx.config;
    const due = s.product.scheduler.nextRun(FULL_COLLECTION_CRON, s.clock.now())?.getTime() ?? 0;
    s.advance(due - s.clock.now().getTime() + 10 * MINUTE_MS);
    await s.job('market.listing');
    await watch();
    expect(await asked()).toBe(0);
    s.advance(6 * MINUTE_MS);
    await s.job('market.listing');
    await watch();
    expect(await asked()).toBe(1);
  });
});

type Sent = { messages: { content: string }[] };
type Data = { event_titles: { title: string; at: string; impact: string; source: string }[] };

test('a model receives the events of the horizon with sources, except from sources whose terms exclude models', async () => {
  await s.job('events.collect');
  await collectMarket(s);
  s.advance(60_000);
  await s.job('analysis.run');
  const prompt = (JSON.parse(sent.at(-1) ?? '{}') as Sent).messages.at(-1)?.content ?? '';
  const { event_titles: titles } = JSON.parse(prompt.slice(prompt.indexOf('{'), prompt.lastIndexOf('}') + 1)) as Data;
  const coins = (await s.product.analysis.ctx.db.selectFrom('event_statements').selectAll().execute())
    .filter(({ source }) => source === 'coinmarketcal')
    .map(({ title }) => title);
  expect(coins.length).toBeGreaterThan(0);
  expect(titles.length).toBeGreaterThan(10);
  const now = s.clock.now().toISOString();
  expect(titles.every(({ at, source }) => source !== '' && at.slice(0, 10) >= now.slice(0, 10))).toBe(true);
  expect(titles.some(({ source }) => source === 'Federal Reserve')).toBe(true);
  expect(titles.filter(({ title }) => coins.includes(title))).toEqual([]);
});
