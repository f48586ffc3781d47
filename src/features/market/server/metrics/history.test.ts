import { describe, expect, test } from 'vitest';
import { getMetricHistory } from '#features/market/contract/metrics.ts';
import { fileProduct } from '#tests/support/for-file.ts';

const DAY_MS = 86_400_000;

const s = fileProduct({ env: { COIN_LIMIT: '40' } });

describe('GET /api/metrics/:metric/history', () => {
  const history = async (path: string) => {
    const res = await s.get(`/api/metrics/${path}`);
    expect(res.statusCode).toBe(200);
    return getMetricHistory.reply.parse(res.json());
  };

  test('200: a metric without history has no points and no source', async () => {
    expect(await history('market.cap/history')).toEqual({
      metric: 'market.cap',
      source: null,
      historyDays: 0,
      points: [],
    });
  });

  test('200: the last value of each day, oldest first, with its source; the requested span', async () => {
    const values: number[] = [];
    const collect = async () => {
      await s.job('market.listing');
      await s.job('metrics.listing');
    };
    const known = () => s.product.metrics.current().snapshot.find('market.cap');
    for (let day = 0; day < 9; day++) {
      await collect();
      if (day < 2) {
        s.advance(3_600_000);
        await collect();
      }
      values.push(known()?.value as number);
      if (day < 8) s.advance(DAY_MS - (day < 2 ? 3_600_000 : 0));
    }
    const month = await history('market.cap/history?days=30');
    const source = s.product.metrics.current().snapshot.nameOf(known()?.source ?? '');
    expect(month).toMatchObject({ metric: 'market.cap', source, historyDays: 9 });
    expect(month.points.map(({ value }) => value)).toEqual(values);
    expect(month.points.map(({ at }) => at)).toEqual(
      values.map((_, i) => new Date(Date.UTC(2026, 10, 20 + i)).toISOString()),
    );
    const week = await history('market.cap/history?days=7');
    expect(week.points).toEqual(month.points.slice(-7));
    expect(await history('market.cap/history')).toEqual(month);
  });

  test('200: an unknown metric has no history', async () => {
    expect(await history('no.such_metric/history')).toMatchObject({ points: [], source: null });
  });

  test.each([
    ['market.cap/history?days=8', /^days: /],
    ['market.cap/history?days=', /^days: /],
    ['market.cap/history?days=30&days=7', /^days: /],
    ['Market%20Cap/history', /^Unknown metric$/],
    [`${'x'.repeat(81)}/history`, /^Unknown metric$/],
    ["a'%3Bdrop/history", /^Unknown metric$/],
  ])('400: %s', async (path, message) => {
    const res = await s.get(`/api/metrics/${path}`);
    expect(res.statusCode).toBe(400);
    expect(res.json()).toEqual({ error: expect.stringMatching(message), code: 'bad_request' });
  });
});
