import { expect, test } from 'vitest';

import type { Backtest } from '#features/analysis/contract/predictions.ts';

import { toLandingRecord } from './service.ts';

type Result = Pick<
  Backtest['recent_results'][number],
  'accuracy' | 'predicted_direction' | 'probabilities' | 'issued_at' | 'resolved_at'
>;
const result = (day: number, accuracy: number, predicted: Result['predicted_direction']): Result => ({
  accuracy,
  predicted_direction: predicted,
  probabilities: { up: 0.5, flat: 0.3, down: 0.2 },
  issued_at: `2026-11-0${day}T00:00:00.000Z`,
  resolved_at: `2026-11-0${day + 1}T00:00:00.000Z`,
});
const recordFrom = (results: Result[]) =>
  toLandingRecord({
    timestamp: 'now',
    total_predictions: 240,
    recent_results: results,
    headline: null,
    cells: [],
  } as never);

test('the strip separates hits from misses, with confidence and the days of call and settlement', () => {
  const { graded, strip } = recordFrom([result(5, 0, 'BULLISH'), result(2, 100, 'BEARISH'), result(3, 100, 'NEUTRAL')]);
  expect(graded).toBe(240);
  expect(strip).toEqual({
    calls: [
      { hit: false, sure: 0.5 },
      { hit: true, sure: 0.2 },
      { hit: true, sure: 0.3 },
    ],
    issuedFrom: '2026-11-02T00:00:00.000Z',
    settledTo: '2026-11-06T00:00:00.000Z',
  });
});

test('without a graded call there is no strip', () => {
  expect(recordFrom([]).strip).toBeNull();
});
