import { describe, expect, test } from 'vitest';
import { getBacktest, getLedger, verifyLedger } from '#features/analysis/contract/predictions.ts';
import { getDashboard } from '#features/site/contract/dashboard.ts';
import { fileProduct } from '#tests/support/for-file.ts';

import { analysisMoments } from './service/demo-past.ts';

const DAYS = 4;
const DAY_MS = 86_400_000;
const KEYS = { VENICE_API_KEY: 'demo', GROQ_API_KEY: 'demo', HUGGINGFACE_API_KEY: 'demo' };

const s = fileProduct(
  {
    mode: 'demo',
    past: true,
    env: { COIN_LIMIT: '20', METRIC_PAST_DAYS: '1', DEMO_RECORD_DAYS: String(DAYS), ...KEYS },
  },
  'market.listing',
);

const ledger = async () => getLedger.reply.parse((await s.get('/api/ledger?limit=1000')).json());
const bodies = async (kind: string) =>
  (await ledger()).entries
    .filter((entry) => entry.kind === kind)
    .map(({ recorded_at, body }) => ({ recorded_at, ...(JSON.parse(body) as { issuedAt: string; analyst: string }) }));

describe("the demo's record", () => {
  test('has one analysis a day for 90 days, and one a week before', () => {
    const today = Date.UTC(2026, 10, 29);
    const ages = analysisMoments(today - 104 * DAY_MS, today).map((moment) => (today - moment) / DAY_MS);
    expect(ages).toEqual([104, 97, ...Array.from({ length: 91 }, (_, i) => 90 - i)]);
  });

  test('does not start before its history is known, and nothing current is frozen before it', async () => {
    await s.product.scheduler.runManually('analysis.watch');
    await expect(s.job('analysis.run')).rejects.toMatchObject({ code: 'unavailable' });
    expect((await ledger()).newest).toBe(0);
    expect((await s.get('/api/predictions')).json()).toMatchObject({ timestamp: null, preparing: 0 });
  });

  test('resumes after an interruption: one analysis per midnight, in time order, each frozen when created', async () => {
    for (const coinId of ['bitcoin', 'ethereum', 'solana', 'sui', 'ripple']) await s.job('market.backfill', { coinId });
    const interrupted = new AbortController();
    const writing = s.product.analysis.writePast(interrupted.signal);
    while ((await ledger()).newest === 0) await new Promise((resolve) => setTimeout(resolve, 50));
    interrupted.abort();
    await writing.catch(() => undefined);
    const before = (await ledger()).newest;
    expect(await s.product.predictions.isCatchingUp()).toBe(true);
    await expect(s.job('analysis.run')).rejects.toMatchObject({ code: 'unavailable' });
    await s.job('predictions.resolve');
    expect((await ledger()).newest).toBe(before);
    await expect.poll(async () => (await s.get('/api/predictions')).json().preparing).toBeLessThan(100);

    expect(await s.product.analysis.writePast(new AbortController().signal)).toBe(true);
    const calls = await bodies('call');
    const midnights = [...new Set(calls.map(({ issuedAt }) => issuedAt))];
    const today = Math.floor(s.clock.now().getTime() / DAY_MS) * DAY_MS;
    expect(midnights).toEqual(
      Array.from({ length: DAYS + 1 }, (_, i) => new Date(today - (DAYS - i) * DAY_MS).toISOString()),
    );
    expect(calls.every(({ issuedAt, recorded_at }) => issuedAt === recorded_at)).toBe(true);
    expect(new Set(calls.map(({ analyst }) => analyst))).toEqual(
      new Set(['venice', 'groq', 'huggingface', 'local', 'consensus']),
    );
    await expect.poll(async () => (await s.get('/api/predictions')).json()).toMatchObject({ preparing: null });
  });

  test("a day's calls are graded by the next midnight close", async () => {
    const outcomes = await bodies('outcome');
    expect(outcomes.length).toBe(DAYS * 5 * 5);
    s.advance(61_000);
    expect(verifyLedger.reply.parse((await s.get('/api/ledger/verify')).json())).toMatchObject({
      faults: [],
      roots: DAYS,
    });
  });

  test('then the present starts, and everything is marked as demo', async () => {
    s.advance(60_000);
    await s.job('market.listing');
    s.advance(60_000);
    await s.job('analysis.run');
    const { aiAnalysis } = getDashboard.reply.parse((await s.get('/api/dashboard')).json());
    expect(aiAnalysis?.meta.method).toBe('demo');
    const { venice, groq, huggingface } = aiAnalysis?.providers ?? {};
    const named = [venice, groq, huggingface].map((one) => [one?.name, one?.letter, one?.model]);
    expect(named).toEqual([
      ['Simulated analyst A', 'A', 'stand-in-a'],
      ['Simulated analyst B', 'B', 'stand-in-b'],
      ['Simulated analyst C', 'C', 'stand-in-c'],
    ]);
    const record = getBacktest.reply.parse((await s.get('/api/backtest')).json());
    expect(record.total_predictions).toBe(DAYS * 4 * 5);
    // API keys remain; names of vendors and models are removed.
    const shown = JSON.stringify({ aiAnalysis, record });
    const { sources } = (await s.get('/api/sources')).json<{ sources: { id: string; name: string }[] }>();
    expect(sources.find(({ id }) => id === 'groq')?.name).toBe('Simulated analyst B');
    expect(shown).not.toMatch(/Venice|Groq|Hugging|glm|gpt|llama|qwen/);
  });
});
