import { createHash } from 'node:crypto';

import { beforeAll, describe, expect, test } from 'vitest';

import { createDraft, raise } from '#tests/support/alerts.ts';
import { makeKey } from '#tests/support/api-fixture.ts';
import { fileProduct, member } from '#tests/support/for-file.ts';
import { recordingChannel } from '#tests/support/recording-channel.ts';

const MINUTE_MS = 60_000;

const s = fileProduct({ channels: [recordingChannel()] });
const ann = member(s, 'ann', 'pro');
let key: string;
beforeAll(async () => {
  key = (await makeKey(ann)).api_key;
  for (const job of ['market.listing', 'events.collect', 'inflation.check']) await s.job(job);
});

const text = (html: string) =>
  html
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&amp;', '&');

/** The page as rendered now. */
async function page(): Promise<string> {
  await s.product.rebuild();
  const { body, statusCode } = await s.get('/');
  expect(statusCode).toBe(200);
  return text(body);
}

describe('the landing page shows what the instance returns at the same moment', () => {
  test('the start of the API response, and the hash of its CSV', async () => {
    const shown = await page();
    const asked = (query: string) => s.get(`/api/v1/crypto-prices?limit=5${query}`, { 'x-api-key': key });
    const { prices, dataMode } = JSON.parse((await asked('')).body);
    const lines = JSON.stringify({ timestamp: s.product.models.api.latest()?.timestamp, dataMode, prices }, null, 2);
    expect(shown).toContain(lines.split('\n').slice(0, 23).join('\n'));
    const csv = (await asked('&format=csv')).body;
    expect(shown).toContain(createHash('sha256').update(csv).digest('hex'));
  });

  test('the next events, the CPI release, coins and sources', async () => {
    const shown = await page();
    const events = JSON.parse((await s.get('/api/events')).body).filter(
      ({ status }: { status: string }) => status === 'upcoming',
    );
    for (const { title } of events.slice(0, 3)) expect(shown).toContain(title);
    const { cpi } = JSON.parse((await s.get('/api/inflation/latest')).body);
    expect(shown).toContain(`${cpi.cpiMoM > 0 ? '+' : ''}${cpi.cpiMoM}%`);
    const { quotes } = JSON.parse((await s.get('/api/coins/bitcoin')).body);
    for (const { source } of quotes) expect(shown).toContain(source);
  });

  test('no record strip before 100 graded calls', async () => {
    const { total_predictions: graded } = JSON.parse((await s.get('/api/backtest')).body);
    expect(graded).toBeLessThan(100);
    expect(await page()).not.toContain('graded calls,');
  });
});

test('the alert shown: is a public one, an hour old, and never a user’s own', async () => {
  expect(await page()).toContain('No alert yet. Alerts appear here with a one-hour delay');
  await raise(s, [
    createDraft('landing-shared', { message: 'A shared thing moved' }),
    createDraft('landing-own', { message: 'A private rule fired', own: { userId: ann.id, ruleId: 1 } }),
  ]);
  s.advance(59 * MINUTE_MS);
  expect(await page()).not.toContain('A shared thing moved');
  s.advance(2 * MINUTE_MS);
  const shown = await page();
  expect(shown).toContain('A shared thing moved');
  expect(shown).not.toContain('A private rule fired');
});
