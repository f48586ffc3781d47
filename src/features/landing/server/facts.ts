import { createHash } from 'node:crypto';

import type { AiAnalysis, TermView } from '#features/analysis/contract.ts';
import { pricesCsv } from '#features/api/server/service.ts';
import type { LatestInflation } from '#features/inflation/contract.ts';
import type {
  LandingCpi,
  LandingFacts,
  LandingOutlook,
  LandingRecord,
  RecordCell,
} from '#features/landing/contract.ts';
import type { CryptoPrice } from '#features/market/contract.ts';
import type { Backtest, TrackCell } from '#features/predictions/contract.ts';

const CALLED = { BULLISH: 'up', NEUTRAL: 'flat', BEARISH: 'down' } as const;
type TermName = 'check_point' | 'short_term' | 'medium_term' | 'long_term';

export function recordOf({ timestamp, total_predictions, recent_results, headline, cells }: Backtest): LandingRecord {
  const calls = recent_results.map(({ accuracy, probabilities, predicted_direction }) => ({
    hit: accuracy === 100,
    sure: probabilities[CALLED[predicted_direction]],
  }));
  const issued = recent_results.map(({ issued_at }) => issued_at).toSorted()[0];
  const settled = recent_results
    .map(({ resolved_at }) => resolved_at)
    .toSorted()
    .at(-1);
  return {
    scoredAt: timestamp,
    graded: total_predictions,
    strip: issued && settled ? { calls, issuedFrom: issued, settledTo: settled } : null,
    headline: headline && cellOf(headline),
    cells: cells.filter(({ current, horizon, n }) => current && horizon === '24h' && n > 0).map(cellOf),
  };
}

const cellOf = ({
  provider,
  model,
  horizon,
  verdict,
  p_ahead,
  n,
  n_eff,
  hit_rate,
  hit_interval,
  skill,
}: TrackCell): RecordCell => ({
  provider,
  model,
  horizon,
  verdict,
  p_ahead,
  n,
  n_eff,
  hit_rate,
  hit_interval,
  skill,
});

const standsOf = ({ check_point, short_term, medium_term, long_term }: Pick<AiAnalysis, TermName>) => ({
  check_point: standOf(check_point),
  short_term: standOf(short_term),
  medium_term: standOf(medium_term),
  long_term: standOf(long_term),
});
const standOf = ({ market_direction, confidence }: TermView) => ({ market_direction, confidence });

export const outlookOf = (analysis: AiAnalysis): LandingOutlook => ({
  at: analysis.timestamp,
  consensus: standsOf(analysis),
  opinions: Object.values(analysis.providers).map((each) => ({
    id: each.id,
    name: each.name,
    letter: each.letter,
    built_in: each.built_in,
    ...standsOf(each),
  })),
});

export function cpiOf({ cpi, expectations, history, note }: LatestInflation): LandingCpi | null {
  if (!cpi?.period || !cpi.date) return null;
  const { headline, core } = expectations.cpi;
  return { period: cpi.period, releasedOn: cpi.date, headline, core, months: history['cpi'] ?? [], note };
}

/** The same bytes as the public API gives for these rows. */
export async function csvFileOf(rows: readonly CryptoPrice[]): Promise<LandingFacts['api']['csv']> {
  if (rows.length === 0) return null;
  const text = await pricesCsv(rows);
  return { text, sha256: createHash('sha256').update(text).digest('hex') };
}
