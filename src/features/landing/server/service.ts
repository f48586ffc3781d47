import { findMarketAlert } from '#features/alerts/server/service.ts';
import type { Analysis } from '#features/analysis/server/service.ts';
import type { Dashboard } from '#features/dashboard/contract.ts';
import type { Inflation } from '#features/inflation/server/service.ts';
import type { LandingFacts } from '#features/landing/contract.ts';
import { TRACKED } from '#features/market/contract.ts';
import { type Market, readCoin } from '#features/market/server/service.ts';
import type { Predictions } from '#features/predictions/server/service.ts';
import type { Db } from '#server/platform/db.ts';

import { cpiOf, csvFileOf, outlookOf, recordOf } from './facts.ts';
import { estimateObservations } from './store.ts';

/** How often the database is looked at for what no process keeps in memory. */
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
};
type Looked = Pick<LandingFacts, 'observations' | 'quotes' | 'alert'>;

/** What was made of a value, until there is another one. */
function remembered<A, B>(make: (value: A) => B): (value: A) => B {
  let last: { from: A; made: B } | null = null;
  return (value) => {
    if (last?.from !== value) last = { from: value, made: make(value) };
    return last.made;
  };
}

const quotesOf = ({ coin: { symbol, name }, quotes }: NonNullable<Awaited<ReturnType<typeof readCoin>>>) => ({
  symbol,
  name,
  quotes: quotes.map(({ source, price, meta }) => ({ source, price, meta })),
});

/** What the landing page shows of the running instance; `dashboard` is the one that goes out with it. */
export function createLanding({ db, now, market, predictions, analysis, inflation }: Deps) {
  const record = remembered(recordOf);
  const outlook = remembered(outlookOf);
  let cpi: LandingFacts['cpi'] | undefined;
  inflation.onChange(() => (cpi = undefined));
  let looked: Looked = { observations: 0, quotes: [], alert: null };
  let lookedAt = Number.NEGATIVE_INFINITY;

  async function look(at: Date): Promise<Looked> {
    const [observations, coins, alert] = await Promise.all([
      estimateObservations(db),
      Promise.all(TRACKED.map(({ id }) => readCoin(market.ctx, id))),
      // Who pays is told first: after an hour it is news no more.
      findMarketAlert(db, new Date(at.getTime() - HOUR_MS)),
    ]);
    const quotes = coins.flatMap((found) => (found ? [quotesOf(found)] : []));
    return { observations, quotes, alert: alert ?? null };
  }

  return async (dashboard: Dashboard): Promise<LandingFacts> => {
    const at = now();
    if (at.getTime() - lookedAt >= LOOK_MS) {
      looked = await look(at).catch(() => looked);
      // Until the first prices are there it looks again with them.
      if (looked.quotes.length > 0) lookedAt = at.getTime();
    }
    cpi ??= cpiOf(inflation.latest());
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
        csv: await csvFileOf(cryptoPrices.slice(0, TRACKED.length)),
      },
    };
  };
}
