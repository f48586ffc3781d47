import { checkMoment } from '#features/accounts/server/subscriptions/service.ts';
import type { Alert, Severity } from '#features/alerts/contract/alerts.ts';
import { type Alerts, readAlerts } from '#features/alerts/server/alerts/service.ts';
import type { Analysis } from '#features/analysis/server/analysis/service.ts';
import type { CryptoPrice, SourceHealth } from '#features/market/contract/market.ts';
import type { Market } from '#features/market/server/market/service.ts';
import type { Change, Changes } from '#features/site/contract/dashboard.ts';
import type { Reads } from '#kernel/reads/reads.ts';
import { type Caller, hasAccess } from '#kernel/route.ts';
import type { SourceSet } from '#kernel/source-set.ts';
import { compact, dateTime, percent, price } from '#shared/format.ts';
import type { DataMode } from '#shared/provenance.ts';
import { computed, type ReleaseDeps, releaseChanges } from './releases.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Moments within ten minutes share one response. */
const STEP_MS = 10 * MINUTE_MS;
const ANSWERS = 100;
const MOST = 3;
/** Leaves room for a market move. */
const MOST_NEWS = 2;
/** The smallest coin move worth a line, percent. */
const LEAST_MOVE = 1;
const RANKS = 100;
const ALERTS_READ = 100;

type Deps = ReleaseDeps & {
  market: Market;
  analysis: Pick<Analysis, 'at' | 'current'>;
  alerts: Pick<Alerts, 'ctx'>;
  sources: Pick<SourceSet, 'health'>;
  now: () => Date;
  reads: Reads;
};

/**
 * The coins that led and lagged the market since a moment, and the market: all coins weighted by their market caps at
 * that moment. Empty while coins with more than half of the market cap have no stored price of that moment.
 */
export function marketChanges(
  rows: readonly CryptoPrice[],
  then: ReadonlyMap<string, CryptoPrice>,
  { mode, now, since }: { mode: DataMode; now: Date; since: Date },
): Change[] {
  const pairs = rows.flatMap((row) => {
    const before = then.get(row.id);
    const isFresh = Date.parse(row.meta.staleAfter) >= now.getTime();
    if (!before || before.price <= 0 || !isFresh) return [];
    return [{ row, before, change: (row.price / before.price - 1) * 100 }];
  });
  const weighted = pairs.filter(({ before }) => before.market_cap !== null);
  const capThen = weighted.reduce((sum, { before }) => sum + (before.market_cap ?? 0), 0);
  const first = weighted[0];
  const sumMarketCap = (some: readonly CryptoPrice[]) =>
    some.reduce((sum, { market_cap }) => sum + (market_cap ?? 0), 0);
  const capNow = sumMarketCap(rows);
  if (!first || capThen <= 0 || sumMarketCap(weighted.map(({ row }) => row)) < capNow / 2) return [];
  const market = weighted.reduce((sum, { before, change }) => sum + ((before.market_cap ?? 0) / capThen) * change, 0);

  const excess = ({ change }: (typeof pairs)[number]) => Math.abs(change - market);
  const moved = pairs
    .filter(({ row, change }) => (row.rank ?? Number.POSITIVE_INFINITY) <= RANKS && Math.abs(change) >= LEAST_MOVE)
    .toSorted((a, b) => excess(b) - excess(a));
  // A coin that fell less than the market is no leader.
  const leader = moved.find(({ change }) => change > 0 && change > market);
  const laggard = moved.find(({ change }) => change < 0 && change < market);
  const of = dateTime(since.getTime());
  const coin = ({ row, before, change }: (typeof pairs)[number]): Change => ({
    kind: 'coin',
    text: `${row.name} ${percent(change, 1)} (market ${percent(market, 1)})`,
    tone: change > 0 ? 'up' : 'down',
    href: `/app?coin=${row.id}#crypto-prices`,
    meta: computed(mode, 'change.coin', row.meta.observedAt, {
      fetchedAt: row.meta.fetchedAt,
      staleAfter: row.meta.staleAfter,
      venues: [...new Set([row.meta.source, before.meta.source])],
      terms: `$${price(row.price)} vs. $${price(before.price)} at ${of}; market: ${weighted.length} coins`,
    }),
  });
  const total: Change = {
    kind: 'market',
    text: `Market ${percent(market, 1)} to $${compact(capNow)}`,
    tone: market >= 0.05 ? 'up' : market <= -0.05 ? 'down' : 'neutral',
    href: '/app#crypto-prices',
    meta: computed(mode, 'change.market', first.row.meta.observedAt, {
      fetchedAt: first.row.meta.fetchedAt,
      staleAfter: first.row.meta.staleAfter,
      venues: [...new Set(weighted.map(({ row }) => row.meta.source))],
      terms: `${weighted.length} coins, weighted by market cap at ${of} ($${compact(capThen)})`,
    }),
  };
  const coins = [leader, laggard]
    .filter((each) => each !== undefined)
    .toSorted((a, b) => excess(b) - excess(a))
    .map(coin);
  return [...coins, total];
}

const inWords = (direction: string): string => direction.toLowerCase();

async function consensusChange({ analysis, mode }: Deps, since: Date): Promise<Change[]> {
  const current = analysis.current();
  const before = await analysis.at(since);
  if (!current || !before || current.overall_direction === before.overall_direction) return [];
  const [to, from] = [inWords(current.overall_direction), inWords(before.overall_direction)];
  return [
    {
      kind: 'consensus',
      text: `AI consensus turned ${to} from ${from}`,
      tone: to === 'bullish' ? 'up' : to === 'bearish' ? 'down' : 'neutral',
      href: '/app#ai-analysis',
      meta: {
        ...computed(mode, 'change.consensus', current.timestamp),
        ...current.meta,
        terms: `${Object.keys(current.providers).length} analysts at ${dateTime(Date.parse(current.timestamp))}, ${current.overall_confidence.toFixed(0)}% confidence; ${from} at ${dateTime(Date.parse(before.timestamp))}`,
      },
    },
  ];
}

/** Sources that responded up to that moment and fail now. */
export function sourceChange(sources: readonly SourceHealth[], since: Date, now: Date): Change[] {
  const failed = sources.filter(
    ({ state, lastSuccessAt }) =>
      state === 'down' && lastSuccessAt !== null && Date.parse(lastSuccessAt) > since.getTime() - HOUR_MS,
  );
  const [first, ...others] = failed;
  if (!first) return [];
  const at = now.toISOString();
  return [
    {
      kind: 'source',
      text: others.length === 0 ? `${first.name} stopped responding` : `${failed.length} sources stopped responding`,
      tone: 'warning',
      href: '/app/sources',
      meta: computed('live', 'change.source', first.lastSuccessAt ?? at, {
        fetchedAt: at,
        staleAfter: new Date(now.getTime() + HOUR_MS).toISOString(),
        venues: failed.map(({ name }) => name),
        ...(first.note ? { terms: first.note } : {}),
      }),
    },
  ];
}

const WEIGHT: Record<Severity, number> = { high: 2, medium: 1, low: 0 };

/** The number of alerts raised since a moment, with the provenance of the most severe one. */
export function alertsChange(alerts: readonly Alert[], since: Date): Change[] {
  const raised = alerts.filter(({ timestamp }) => Date.parse(timestamp) > since.getTime());
  const [worst] = raised.toSorted((a, b) => WEIGHT[b.severity] - WEIGHT[a.severity]);
  if (!worst) return [];
  const high = raised.filter(({ severity }) => severity === 'high').length;
  const count = raised.length === ALERTS_READ ? `${ALERTS_READ}+` : String(raised.length);
  return [
    {
      kind: 'alerts',
      text: `${count} new ${raised.length === 1 ? 'alert' : 'alerts'}${high > 0 ? `, ${high} of high severity` : ''}`,
      tone: high > 0 ? 'warning' : 'neutral',
      href: '/app/alerts',
      meta: {
        ...worst.meta,
        metric: worst.metric,
        staleAfter: new Date(Date.parse(worst.timestamp) + 7 * DAY_MS).toISOString(),
        terms: worst.message,
      },
    },
  ];
}

/** News first, at most two; market moves fill the rest and lead the response. */
export function topChanges(news: readonly Change[], moves: readonly Change[]): Change[] {
  const top = news.slice(0, Math.max(MOST_NEWS, MOST - moves.length));
  return [...moves.slice(0, MOST - top.length), ...top];
}

type Shared = { moves: Change[]; consensus: Change[]; releases: Change[]; sources: Change[] };

/** Changes since a moment, for the line above the dashboard. Common responses are cached for a minute. */
export function createChanges(deps: Deps) {
  const { market, alerts, reads, mode, now } = deps;
  const answers = new Map<number, { at: number; shared: Promise<Shared> }>();

  async function read(since: Date): Promise<Shared> {
    const [then, consensus] = await Promise.all([
      reads.answer((db) => market.over(db).pricesAt(since), { fresh: true }),
      consensusChange(deps, since),
    ]);
    return {
      moves: marketChanges(market.ctx.board.prices(), then, { mode, now: now(), since }),
      consensus,
      releases: releaseChanges(deps, since),
      sources: sourceChange(deps.sources.health(), since, now()),
    };
  }

  function readShared(since: Date): Promise<Shared> {
    const [key, at] = [since.getTime(), now().getTime()];
    const known = answers.get(key);
    if (known && at - known.at < MINUTE_MS) return known.shared;
    const shared = read(since);
    answers.delete(key);
    answers.set(key, { at, shared });
    shared.catch(() => answers.delete(key));
    for (const oldest of answers.keys()) {
      if (answers.size <= ANSWERS) break;
      answers.delete(oldest);
    }
    return shared;
  }

  return async function changesSince(asked: string | undefined, caller: Caller | null): Promise<Changes> {
    const at = now();
    const moment = asked === undefined ? new Date(at.getTime() - DAY_MS) : new Date(asked);
    checkMoment(moment, at, caller?.plan ?? null);
    const since = new Date(Math.floor(moment.getTime() / STEP_MS) * STEP_MS);
    const [{ moves, consensus, releases, sources }, own] = await Promise.all([
      readShared(since),
      caller && hasAccess('pro', caller) ? readAlerts(alerts.ctx, caller.userId, { limit: ALERTS_READ }) : [],
    ]);
    const news = [...consensus, ...releases.slice(0, 1), ...alertsChange(own, since), ...sources];
    return { timestamp: at.toISOString(), since: since.toISOString(), changes: topChanges(news, moves) };
  };
}
