import { createHash } from 'node:crypto';
import { findMarketAlert } from '#features/alerts/server/alerts/service.ts';
import type { AiAnalysis, TermView } from '#features/analysis/contract/analysis.ts';
import type { Backtest, TrackCell } from '#features/analysis/contract/predictions.ts';
import type { Analysis } from '#features/analysis/server/analysis/service.ts';
import type { Predictions } from '#features/analysis/server/predictions/service.ts';
import type { LatestInflation } from '#features/inflation/contract.ts';
import type { Inflation } from '#features/inflation/server/service.ts';
import { type CryptoPrice, TRACKED } from '#features/market/contract/market.ts';
import { type Market, readCoin } from '#features/market/server/market/service.ts';
import type { Dashboard } from '#features/site/contract/dashboard.ts';
import type {
  LandingCpi,
  LandingFacts,
  LandingOutlook,
  LandingRecord,
  RecordCell,
} from '#features/site/contract/landing.ts';
import type { Db } from '#kernel/db.ts';

import { estimateObservations } from './store.ts';

const CALLED = { BULLISH: 'up', NEUTRAL: 'flat', BEARISH: 'down' } as const;
type TermName = 'check_point' | 'short_term' | 'medium_term' | 'long_term';

export function toLandingRecord({
  timestamp,
  total_predictions,
  recent_results,
  headline,
  cells,
}: Backtest): LandingRecord {
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
    headline: headline && toRecordCell(headline),
    cells: cells.filter(({ current, horizon, n }) => current && horizon === '24h' && n > 0).map(toRecordCell),
  };
}

const toRecordCell = ({
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

const toTermViews = ({ check_point, short_term, medium_term, long_term }: Pick<AiAnalysis, TermName>) => ({
  check_point: toTermView(check_point),
  short_term: toTermView(short_term),
  medium_term: toTermView(medium_term),
  long_term: toTermView(long_term),
});
const toTermView = ({ market_direction, confidence }: TermView) => ({ market_direction, confidence });

const toOutlook = (analysis: AiAnalysis): LandingOutlook => ({
  at: analysis.timestamp,
  consensus: toTermViews(analysis),
  opinions: Object.values(analysis.providers).map((each) => ({
    id: each.id,
    name: each.name,
    letter: each.letter,
    built_in: each.built_in,
    ...toTermViews(each),
  })),
});

function toLandingCpi({ cpi, expectations, history, note }: LatestInflation): LandingCpi | null {
  if (!cpi?.period || !cpi.date) return null;
  const { headline, core } = expectations.cpi;
  return { period: cpi.period, releasedOn: cpi.date, headline, core, months: history['cpi'] ?? [], note };
}

/** The same bytes as the public API returns for these rows. */
async function buildCsvFile(
  rows: readonly CryptoPrice[],
  pricesCsv: Deps['pricesCsv'],
): Promise<LandingFacts['api']['csv']> {
  if (rows.length === 0) return null;
  const text = await pricesCsv(rows);
  return { text, sha256: createHash('sha256').update(text).digest('hex') };
}

/** How often data that no process caches is read from the database. */
const LOOK_MS = 60_000;
const HOUR_MS = 3_600_000;
const EVENTS = 3;

type Deps = {
  db: Db;
  now: () => Date;
  market: Pick<Market, 'ctx'>;
  predictions: Pick<Predictions, 'record'>;
  analysis: Pick<Analysis, 'current'>;
  inflation: Pick<Inflation, 'latest' | 'onChange'>;
  /** The public API's CSV response for these rows. */
  pricesCsv: (rows: readonly CryptoPrice[]) => Promise<string>;
};
type Looked = Pick<LandingFacts, 'observations' | 'quotes' | 'alert'>;

/** Memoises the result for the last value. */
function cached<A, B>(make: (value: A) => B): (value: A) => B {
  let last: { from: A; made: B } | null = null;
  return (value) => {
    if (last?.from !== value) last = { from: value, made: make(value) };
    return last.made;
  };
}

const toQuotes = ({ coin: { symbol, name }, quotes }: NonNullable<Awaited<ReturnType<typeof readCoin>>>) => ({
  symbol,
  name,
  quotes: quotes.map(({ source, price, meta }) => ({ source, price, meta })),
});

/** Landing page data of the running instance; `dashboard` is the one sent with it. */
export function createLanding({ db, now, market, predictions, analysis, inflation, pricesCsv }: Deps) {
  const record = cached(toLandingRecord);
  const outlook = cached(toOutlook);
  let cpi: LandingFacts['cpi'] | undefined;
  inflation.onChange(() => (cpi = undefined));
  let looked: Looked = { observations: 0, quotes: [], alert: null };
  let lookedAt = Number.NEGATIVE_INFINITY;

  async function look(at: Date): Promise<Looked> {
    const [observations, coins, alert] = await Promise.all([
      estimateObservations(db),
      Promise.all(TRACKED.map(({ id }) => readCoin(market.ctx, id))),
      // Paying users are notified first: after an hour the alert is public.
      findMarketAlert(db, new Date(at.getTime() - HOUR_MS)),
    ]);
    const quotes = coins.flatMap((found) => (found ? [toQuotes(found)] : []));
    return { observations, quotes, alert: alert ?? null };
  }

  return async (dashboard: Dashboard): Promise<LandingFacts> => {
    const at = now();
    if (at.getTime() - lookedAt >= LOOK_MS) {
      looked = await look(at).catch(() => looked);
      // Until the first prices are available it retries with them.
      if (looked.quotes.length > 0) lookedAt = at.getTime();
    }
    cpi ??= toLandingCpi(inflation.latest());
    const { timestamp, dataMode, cryptoPrices, upcomingEvents = [], upcomingCounts = {} } = dashboard;
    const current = analysis.current();
    const prices = cryptoPrices.slice(0, 1);
    return {
      ...looked,
      record: record(predictions.record()),
      outlook: current && outlook(current),
      events: {
        next: upcomingEvents.slice(0, EVENTS),
        ahead: Object.values(upcomingCounts).reduce((sum, count) => sum + count, 0),
      },
      cpi,
      api: {
        answer: prices.length > 0 ? { timestamp, dataMode, prices } : null,
        csv: await buildCsvFile(cryptoPrices.slice(0, TRACKED.length), pricesCsv),
      },
    };
  };
}
