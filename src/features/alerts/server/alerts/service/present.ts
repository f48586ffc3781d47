import { TRACKED } from '#features/market/contract/market.ts';
import type { DailyPoint, MetricsView } from '#features/market/server/metrics/service.ts';

import type { AlertsContext } from '../context.ts';
import type { CoinReading, EventReading, Reading } from '../reading.ts';
import { consensusOf, DAY_MS, figuresOf, PAST_DAYS, PAST_METRICS, printOf } from './read.ts';

const HOUR_MS = 3_600_000;
const RETURN_DAYS = 30;

const IDS = TRACKED.map(({ id }) => id);
type Returns = Map<string, ReadonlyMap<string, number>>;

/** Log returns of the last closed days of each tracked coin. A hole gives no return. */
export async function readReturns({ market }: AlertsContext, at: Date): Promise<Returns> {
  const closes = await market.dailyCandles(IDS, new Date(at.getTime() - (RETURN_DAYS + 2) * DAY_MS), at);
  const today = at.toISOString().slice(0, 10);
  return new Map(
    [...closes].map(([id, days]) => {
      const closed = days.filter(({ day, close }) => day < today && close > 0);
      const returns = closed.flatMap(({ day, close }, i) => {
        const before = closed[i - 1];
        const isNext = before && Date.parse(day) - Date.parse(before.day) === DAY_MS;
        return isNext ? [[day, Math.log(close / before.close)] as const] : [];
      });
      return [id, new Map(returns.slice(-RETURN_DAYS))];
    }),
  );
}

function coinsNow({ market, now }: AlertsContext, returns: Returns): CoinReading[] {
  const at = now();
  const rows = new Map(market.ctx.board.prices().map((row) => [row.id, row]));
  return IDS.flatMap((id): CoinReading[] => {
    const row = rows.get(id);
    const own = returns.get(id);
    if (!row || !own || row.change_24h === null || new Date(row.meta.staleAfter) < at) return [];
    const { source, method, observedAt, fetchedAt } = row.meta;
    const change = Math.log(1 + row.change_24h / 100);
    if (!Number.isFinite(change)) return [];
    return [
      {
        id,
        name: row.name,
        value: row.price,
        change,
        returns: own,
        source,
        method,
        sourceAt: new Date(observedAt),
        receivedAt: new Date(fetchedAt),
      },
    ];
  });
}

export function printsAt({ inflation, mode }: AlertsContext, at: Date): Reading['prints'] {
  const method = mode === 'demo' ? 'demo' : 'computed';
  const of = (type: 'cpi' | 'pce' | 'ppi') => printOf(type, inflation.prints(type), method, at);
  return { cpi: of('cpi'), pce: of('pce'), ppi: of('ppi') };
}

function eventsNow({ events, mode }: AlertsContext): EventReading[] {
  const entered = events.windows();
  return events.list().flatMap((event): EventReading[] => {
    if (event.status !== 'upcoming' || event.impact !== 'high') return [];
    const marks = (entered.get(event.id) ?? []).filter(({ days }) => days >= event.daysUntil);
    const nearest = marks.reduce<(typeof marks)[number] | null>(
      (best, mark) => (best && best.days <= mark.days ? best : mark),
      null,
    );
    const { id, title, date, allDay, dateEstimated, daysUntil, source, checkedAt } = event;
    return [
      {
        id,
        title,
        date,
        allDay,
        dateEstimated,
        daysUntil,
        window: nearest?.days ?? null,
        source: source ?? 'Calendar',
        method: mode === 'demo' ? 'demo' : dateEstimated ? 'computed' : 'measured',
        sourceAt: new Date(nearest?.enteredAt ?? checkedAt),
      },
    ];
  });
}

/** Current values come from memory; the history is reread with the metrics, or hourly. */
export function createPresent(ctx: AlertsContext): () => Promise<Reading> {
  let past: { of: MetricsView; series: Map<string, DailyPoint[]> } | null = null;
  let returns: { hour: number; of: Returns } | null = null;

  return async () => {
    const at = ctx.now();
    const view = ctx.metrics.current();
    if (past?.of !== view) {
      const series = await ctx.metrics.daily(PAST_METRICS, new Date(at.getTime() - PAST_DAYS * DAY_MS), at);
      past = { of: view, series };
    }
    const hour = Math.floor(at.getTime() / HOUR_MS);
    if (returns?.hour !== hour || returns.of.size < IDS.length) returns = { hour, of: await readReturns(ctx, at) };
    return {
      at,
      coins: coinsNow(ctx, returns.of),
      ...figuresOf(view, past.series, at),
      consensus: consensusOf(ctx.analysis.current(), at),
      prints: printsAt(ctx, at),
      events: eventsNow(ctx),
    };
  };
}
