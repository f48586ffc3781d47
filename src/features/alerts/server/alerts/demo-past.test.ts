import { expect, test } from 'vitest';
import { fileProduct } from '#tests/support/for-file.ts';

const DAYS = 5;
const DAY_MS = 86_400_000;
const MARK = 'demo:past';

const s = fileProduct(
  {
    mode: 'demo',
    past: true,
    env: { COIN_LIMIT: '20', METRIC_PAST_DAYS: String(DAYS), DEMO_RECORD_DAYS: String(DAYS) },
  },
  'market.listing',
);
const gates = () => s.product.alerts.ctx.db.selectFrom('alert_gates').selectAll().execute();
const mark = async () => (await gates()).find(({ gate }) => gate === MARK);

test('the demo judges nothing current before its history is written, by the same rules, in time order', async () => {
  const early = s.product.alerts.watch();
  await new Promise((resolve) => setTimeout(resolve, 500));
  await early.stop();
  expect(await gates()).toEqual([]);

  for (const coinId of ['bitcoin', 'ethereum', 'solana', 'sui', 'ripple']) await s.job('market.backfill', { coinId });
  await s.job('metrics.backfill');
  expect(await s.product.analysis.writePast(new AbortController().signal)).toBe(true);
  await s.product.refresh();

  const interrupted = s.product.alerts.watch();
  await expect.poll(mark, { timeout: 60_000, interval: 20 }).toBeDefined();
  await interrupted.stop();
  const reached = Date.parse((await mark())?.told_at ?? '');
  const watch = s.product.alerts.watch();
  await expect.poll(mark, { timeout: 60_000 }).toMatchObject({ step: 1 });
  await watch.stop();
  expect(reached).toBeLessThanOrEqual(s.clock.now().getTime());

  const noted = (await gates()).filter(({ gate }) => gate !== MARK);
  expect(noted.length).toBeGreaterThan(5);
  expect(noted.some(({ updated_at }) => Date.parse(updated_at) < s.clock.now().getTime() - DAY_MS)).toBe(true);
  const alerts = await s.product.alerts.ctx.db.selectFrom('alerts').selectAll().orderBy('id').execute();
  const times = alerts.map(({ evaluated_at }) => evaluated_at);
  expect(times).toEqual(times.toSorted());
  expect(alerts.every(({ method }) => method === 'demo')).toBe(true);
}, 300_000);
