import type { TrackCell } from '#features/analysis/contract/predictions.ts';
import type { Replay } from '#features/analysis/contract/replay.ts';

import type { TestProduct } from './start.ts';

/** A 24h cell that is ahead of base rates. */
const AHEAD: Partial<TrackCell> = {
  provider: 'local',
  model: 'volatility',
  horizon: '24h',
  verdict: 'ahead',
  p_ahead: 0.001,
  n: 6960,
  dates: 1392,
  brier: 0.6358,
  brier_climatology: 0.656,
  brier_persistence: 0.671,
  brier_uniform: 0.6667,
};

/** Stores a replay of one cell, with values that no live call has. The rest of the cell is that of a current call. */
export async function storeReplay(s: TestProduct): Promise<Replay> {
  const { predictions } = s.product;
  await predictions.score();
  await s.product.refresh();
  const live = predictions.record();
  const cell = { ...(live.cells[0] as TrackCell), ...AHEAD };
  const replay: Replay = {
    made_at: s.clock.now().toISOString(),
    model_version: '0a1b2c3d4e5f',
    first_day: '2022-10-12',
    last_day: '2026-11-18',
    sources: ['OKX'],
    entries: 41_230,
    head: 'c'.repeat(64),
    record: { ...live, timestamp: '2026-11-19T00:00:00.000Z', headline: cell, cells: [cell] },
  };
  await predictions.ctx.db
    .insertInto('forecast_replay')
    .values({
      ...replay,
      record: JSON.stringify(replay.record),
      code_version: 'test',
      candle_count: 0,
      candles: Buffer.alloc(0),
    })
    .execute();
  await s.product.refresh();
  return replay;
}
