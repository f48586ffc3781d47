import type { Alert, RaisedAlert } from '#features/alerts/contract/alerts.ts';
import type { AiAnalysis } from '#features/analysis/contract/analysis.ts';
import type { ReleaseResult } from '#features/inflation/server/service.ts';
import { TRACKED } from '#features/market/contract/market.ts';
import type { DailyPoint, MetricsView } from '#features/market/server/metrics/service.ts';
import type { Db } from '#kernel/db.ts';
import { hasOrigin } from '#shared/figures.ts';
import type { AlertsContext } from '../context.ts';
import { toRaised } from '../raise.ts';
import type { CoinReading, EventReading, Known, Reading, ReleaseReading, WithHistory } from '../reading.ts';
import { findShared, selectAlerts } from '../store.ts';

export const DAY_MS = 86_400_000;
/** After that a release is no longer news. */
const RELEASE_NEWS_MS = 2 * DAY_MS;
const LIQUIDATION_DAYS = 30;
/** With fewer hours of data a day's liquidations are incomplete. */
const MIN_HOURS = 20;

/** A value that exists and is not stale at `at`. */
export function findKnown(view: MetricsView, metric: string, at: Date): Known | null {
  const { value, meta } = view.snapshot.figure(metric);
  if (value === null || !Number.isFinite(value) || !hasOrigin(meta) || new Date(meta.staleAfter) < at) return null;
  const { source, method, observedAt, fetchedAt } = meta;
  return { value, source, method, sourceAt: new Date(observedAt), receivedAt: earlierDate(new Date(fetchedAt), at) };
}

/** Data of the demo's past was fetched after its own time. */
const earlierDate = (a: Date, b: Date) => (a < b ? a : b);

const isoDay = (at: Date) => at.toISOString().slice(0, 10);

/** Values of the days before the current one. */
function withHistory(known: Known | null, series: readonly DailyPoint[] | undefined, days: number): WithHistory | null {
  if (!known) return null;
  const own = isoDay(known.sourceAt);
  const first = isoDay(new Date(known.sourceAt.getTime() - days * DAY_MS));
  const past = (series ?? []).filter(({ day }) => day < own && day >= first).map(({ value }) => value);
  return { ...known, past };
}

export const PAST_METRICS = ['flow.btc.net', 'flow.eth.net', 'stablecoins.supply', 'liquidations.total'] as const;
export const PAST_DAYS = 92;

type Figures = Pick<Reading, 'flows' | 'stablecoins' | 'dominance' | 'ssr' | 'funding' | 'liquidations' | 'fearGreed'>;

export function readFigures(view: MetricsView, past: ReadonlyMap<string, DailyPoint[]>, at: Date): Figures {
  const { snapshot } = view;
  const known = (metric: string) => findKnown(view, metric, at);
  const supply = known('stablecoins.supply');
  const weekAgo =
    supply &&
    past.get('stablecoins.supply')?.find(({ day }) => day === isoDay(new Date(supply.sourceAt.getTime() - 7 * DAY_MS)));
  const share = known('dominance.btc');
  const change = snapshot.change('dominance.btc', 'points').value;
  const hours = snapshot.find('liquidations.total')?.detail?.collectedHours ?? 0;
  return {
    flows: {
      btc: withHistory(known('flow.btc.net'), past.get('flow.btc.net'), 90),
      eth: withHistory(known('flow.eth.net'), past.get('flow.eth.net'), 90),
    },
    stablecoins: supply && weekAgo ? { ...supply, weekAgo: weekAgo.value } : null,
    dominance: share && change !== null ? { ...share, change } : null,
    ssr: known('ssr'),
    funding: known('funding.market'),
    liquidations:
      hours < MIN_HOURS
        ? null
        : withHistory(known('liquidations.total'), past.get('liquidations.total'), LIQUIDATION_DAYS),
    fearGreed: known('fear_greed'),
  };
}

export function toConsensus(analysis: AiAnalysis | null, at: Date): Reading['consensus'] {
  if (!analysis || new Date(analysis.meta.staleAfter) < at) return null;
  const { overall_direction, overall_confidence, providers, meta } = analysis;
  return {
    value: overall_confidence,
    direction: overall_direction,
    opinions: Object.keys(providers).length,
    source: meta.source,
    method: meta.method,
    sourceAt: new Date(meta.observedAt),
    receivedAt: new Date(meta.fetchedAt),
  };
}

/** The newest release of a kind, while it is recent. A month not yet released does not count. */
function readRelease(
  type: ReleaseReading['type'],
  newest: ReleaseResult | null,
  method: Known['method'],
  at: Date,
): ReleaseReading | null {
  if (!newest || at.getTime() - newest.releasedAt.getTime() > RELEASE_NEWS_MS) return null;
  const { actual, isFirstPrint, consensus, nowcast, previous, period, releasedAt } = newest;
  const basis = consensus !== null ? 'consensus' : nowcast !== null ? 'nowcast' : 'previous';
  const expected = consensus ?? nowcast ?? previous;
  if (actual === null || !isFirstPrint || expected === null) return null;
  const source = type === 'pce' ? 'Bureau of Economic Analysis' : 'Bureau of Labor Statistics';
  return { type, period, value: actual, expected, basis, source, method, sourceAt: releasedAt, receivedAt: at };
}

const HOUR_MS = 3_600_000;
const RETURN_DAYS = 30;

const IDS = TRACKED.map(({ id }) => id);
type Returns = Map<string, ReadonlyMap<string, number>>;

/** Log returns of the last closed days of each tracked coin. Gaps give no return. */
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

function readCoins({ market, now }: AlertsContext, returns: Returns): CoinReading[] {
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

export function readReleases({ inflation, mode }: AlertsContext, at: Date): Reading['prints'] {
  const method = mode === 'demo' ? 'demo' : 'computed';
  const of = (type: 'cpi' | 'pce' | 'ppi') => readRelease(type, inflation.newestPrint(type, at), method, at);
  return { cpi: of('cpi'), pce: of('pce'), ppi: of('ppi') };
}

function readEvents({ events, mode }: AlertsContext): EventReading[] {
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
export function createReadingSource(ctx: AlertsContext): () => Promise<Reading> {
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
      coins: readCoins(ctx, returns.of),
      ...readFigures(view, past.series, at),
      consensus: toConsensus(ctx.analysis.current(), at),
      prints: readReleases(ctx, at),
      events: readEvents(ctx),
    };
  };
}

/** Newest first: market alerts and one user's own, with their delivery status for that user. */
export async function readAlerts(
  { db }: Pick<AlertsContext, 'db'>,
  userId: number,
  page: { limit: number; before?: number | undefined },
): Promise<Alert[]> {
  const { rows } = await selectAlerts(userId, page).execute(db);
  return rows.map((row) => {
    const raised = toRaised(row);
    const deliveries = row.deliveries.map(({ channel, sent_at }) => ({
      channel,
      sentAt: new Date(sent_at).toISOString(),
    }));
    return { ...raised, receipt: { ...raised.receipt, deliveries }, acknowledged: row.acknowledged };
  });
}

/** The newest market alert before the moment. */
export async function findMarketAlert(db: Db, before: Date): Promise<RaisedAlert | undefined> {
  const row = await findShared(db, before);
  return row && toRaised(row);
}
