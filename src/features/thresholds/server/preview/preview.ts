import type { ParsedThreshold, Preview } from '#features/thresholds/contract.ts';
import { COIN_PREFIX, watchedOf } from '#shared/watched.ts';
import { unitOf } from '#shared/watched-limits.ts';
import type { ThresholdsContext } from '../context.ts';
import { compileRule, freshState, type RuleRow } from '../engine/compile.ts';
import { replay } from '../engine/replay.ts';
import type { CompiledRule } from '../engine/types.ts';
import { entryOf } from '../service/meaning.ts';
import { checkRule } from '../service/refuse.ts';
import { movesOf } from './after.ts';
import { thinned } from './points.ts';
import { publishedBy } from './published.ts';
import { type Histories, type History, isAbsent } from './series-history.ts';
import { suggestionsFor } from './suggestions.ts';
import { ticksOf } from './ticks.ts';

const DAY_MS = 86_400_000;
const WEEK_DAYS = 7;
const MOST_POINTS = 240;
const MOST_FIRES = 200;

/** The rule as it would have been all the time: a person who asks how often wants every crossing, and its expiry lies ahead. */
function rowOf(asked: ParsedThreshold): RuleRow {
  const { metric, condition, value, options } = entryOf(asked).meaning;
  return { id: 1, userId: 0, metric, condition, value, options: { ...options, mode: 'every', expiresAt: null } };
}

function longestSilence(fires: readonly [number, number][], from: number, to: number): number {
  let longest = 0;
  let last = from;
  for (const at of [...fires.map(([at]) => at), to]) {
    longest = Math.max(longest, at - last);
    last = at;
  }
  return Math.round((longest / DAY_MS) * 10) / 10;
}

const NOTHING = {
  from: null,
  to: null,
  days: 0,
  tried: [],
  points: [],
  level: null,
  fires: [],
  fireCount: 0,
  perWeek: null,
  longestSilenceDays: null,
  suppressed: 0,
  suggestions: [],
} satisfies Partial<Preview>;
const NO_MOVE = { n: 0, mean: null, low: null, high: null };

type Known = { histories: Histories; days?: number };

/** What the rule would have done on what is stored. Stores nothing. */
export async function previewRule(
  ctx: ThresholdsContext,
  asked: ParsedThreshold,
  { histories, days: span }: Known,
): Promise<Preview> {
  const { board } = ctx.market.ctx;
  checkRule(asked, { now: ctx.now(), isTracked: board.has });
  const watched = watchedOf(asked.metric) as NonNullable<ReturnType<typeof watchedOf>>;
  const row = rowOf(asked);
  const rule = compileRule(row);
  const asset = board.coin(watched.coinId)?.symbol ?? watched.coinId;
  const what = { metric: asked.metric, unit: unitOf(watched, asked.condition) };
  const names = [...new Set(rule.legs.map(({ series }) => series))];
  const found = await Promise.all(names.map((name) => histories.of(name, span)));
  const absent = found.find(isAbsent);
  if (absent)
    return { ...NOTHING, ...what, ...absent, after: { asset, fires: NO_MOVE, all: NO_MOVE, verdict: 'no evidence' } };

  const series = (found as History[]).map((history, i) => publishedBy(history, names[i] as string, ctx.now()));
  const first = series[0] as (typeof series)[number];
  const from = Math.max(...series.map(({ times }) => times[0] as number));
  const to = first.times.at(-1) as number;
  const days = Math.max(0, to - from) / DAY_MS;
  const told = replay(rule, ticksOf(series, from), freshState(row));
  const prices = await histories.of(COIN_PREFIX + watched.coinId, span);
  const moments = told.fires.map(([at]) => at);
  const level = watched.kind === 'direction' ? row.value : levelOf(rule);
  return {
    ...what,
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    days: Math.round(days * 10) / 10,
    tried: series.map(({ source, grain }) => ({ source, grain })),
    absent: null,
    points: thinned(first, MOST_POINTS),
    level,
    fires: told.fires.slice(-MOST_FIRES),
    fireCount: told.fires.length,
    perWeek: days > 0 ? Math.round((told.fires.length / days) * WEEK_DAYS * 100) / 100 : null,
    longestSilenceDays: longestSilence(told.fires, from, to),
    suppressed: Math.max(0, told.crossings - told.fires.length),
    after: {
      asset,
      ...(isAbsent(prices)
        ? { fires: NO_MOVE, all: NO_MOVE, verdict: 'no evidence' as const }
        : movesOf(prices, moments, from, to)),
    },
    suggestions: watched.kind === 'direction' ? [] : suggestionsFor(row, series, from, days),
  };
}

function levelOf({ legs: [leg] }: CompiledRule): number | null {
  if (!leg) return null;
  if (leg.kind === 'above') return leg.high;
  return leg.kind === 'below' ? leg.low : (leg.low + leg.high) / 2;
}
