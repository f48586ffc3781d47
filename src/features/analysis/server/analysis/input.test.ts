import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { collected } from '#tests/support/predictions.ts';
import { type Started, start } from '#tests/support/start.ts';

let recorder: Server;
let s: Started;
const sent: string[] = [];

/** A model that records what it was sent and gives no answer that could be used. */
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
  const address = await startRecorder();
  s = await start({
    env: { COIN_LIMIT: '20', AI_PROVIDERS: `recorder=${address}|some-model`, COINMARKETCAL_API_KEY: 'k' },
  });
});
afterAll(async () => {
  await s.stop();
  recorder.close();
});

type Sent = { messages: { content: string }[] };
type Data = { event_titles: { title: string; at: string; impact: string; source: string }[] };

test('a model is sent the events of the horizon with their sources, none of a source whose terms exclude models', async () => {
  await s.job('events.collect');
  await collected(s);
  s.advance(60_000);
  await s.job('analysis.run');
  const prompt = (JSON.parse(sent[0] ?? '{}') as Sent).messages.at(-1)?.content ?? '';
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
