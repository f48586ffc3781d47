import { PLAN_LIMITS, PLAN_NAMES } from '#features/accounts/contract/subscriptions.ts';
import type { RuleState, Threshold } from '#features/alerts/contract/thresholds.ts';
import type { Plan } from '#shared/contract.ts';
import { COIN_PREFIX, type FigureMeta, hasOrigin } from '#shared/figures.ts';
import type { Provenance } from '#shared/provenance.ts';
import { DIRECTION_VALUE, findWatched, type Watched } from '#shared/watched.ts';
import { conditionUnit } from '#shared/watched-limits.ts';

import type { ThresholdsContext } from '../context.ts';
import { compileRule } from '../engine/compile.ts';
import { ON } from '../engine/legs.ts';
import type { CompiledRule } from '../engine/types.ts';
import type { Feed } from '../owner/feed.ts';
import { beyond } from '../preview/derived.ts';
import type { StoredRule } from '../store/rules.ts';
import { STORED_METRICS, TERMS } from '../watching.ts';
import { toMeaning, toThresholdValue } from './validate.ts';

/** A price and the range it was compared with; USD. */
export type ComparedRange = { price: number; low: number; high: number; issuedAt: string };

/** The current value of a series with its provenance. */
type CurrentValue = { value: number; meta: Provenance; range?: ComparedRange };

const toCurrentValue = ({ value, meta }: { value: number | null; meta: FigureMeta }): CurrentValue | null =>
  value === null || !hasOrigin(meta) ? null : { value, meta };

/** A coin's price compared with the currently open range; null without one. */
export function compareWithRange(
  { analysis }: Pick<ThresholdsContext, 'analysis'>,
  coinId: string,
  price: number,
): { value: number; range: ComparedRange } | null {
  const open = analysis.openRange(coinId);
  if (!open) return null;
  return { value: beyond(price, open.range_80), range: { price, ...open.range_80, issuedAt: open.issued_at } };
}

/** This process's current value of a metric, a coin's change or its distance beyond its range; null while unknown. */
export function currentValue(ctx: ThresholdsContext, series: string): CurrentValue | null {
  const [metric = '', kind] = series.split('~');
  const isChange = kind === 'change';
  if (Object.hasOwn(TERMS, metric)) {
    const term = TERMS[metric as keyof typeof TERMS];
    const analysis = ctx.analysis.current();
    if (!analysis) return null;
    const direction = term === 'overall' ? analysis.overall_direction : analysis[`${term}_term`].market_direction;
    return { value: DIRECTION_VALUE[direction], meta: analysis.meta };
  }
  if (Object.hasOwn(STORED_METRICS, metric)) {
    const { snapshot } = ctx.metrics.current();
    const stored = STORED_METRICS[metric as keyof typeof STORED_METRICS];
    const found = toCurrentValue(isChange ? snapshot.change(stored, 'percent') : snapshot.figure(stored));
    return found && isChange ? { ...found, value: Math.abs(found.value) } : found;
  }
  const coinId = metric.startsWith(COIN_PREFIX) ? metric.slice(COIN_PREFIX.length) : findWatched(metric)?.coinId;
  const coin = ctx.market.ctx.board.find(coinId ?? '');
  if (!coin) return null;
  if (kind === 'range') {
    const current = compareWithRange(ctx, coin.id, coin.price);
    return current && { ...current, meta: { ...coin.meta, method: ctx.mode === 'demo' ? 'demo' : 'computed' } };
  }
  if (!isChange) return { value: coin.price, meta: coin.meta };
  return coin.change_24h === null ? null : { value: Math.abs(coin.change_24h), meta: coin.meta };
}

type RuleStatus = { state: RuleState; note: string | null };

const numberFormat = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 8 });
const timeText = (ms: number) => `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** The value a rule is evaluated with, or the reason for its absence. */
function currentValueOrReason(ctx: ThresholdsContext, feed: Feed, series: string): CurrentValue | string {
  const metric = series.split('~')[0] as string;
  const name = findWatched(metric)?.name ?? metric;
  const now = currentValue(ctx, metric);
  if (!now) return `${name}: no value yet`;
  const judged = feed.current(series);
  if (judged) return { value: judged.value, meta: { ...now.meta, method: judged.method } };
  const isOld = Date.parse(now.meta.staleAfter) <= ctx.now().getTime();
  if (!isOld && isRange(series)) return `${name}: no open 24h range from the built-in analyst`;
  return `${name}: ${isOld ? 'data is stale' : 'no value from 24h ago yet'}`;
}

const isRange = (series: string) => series.endsWith('~range');

/** What must happen before a rule that holds can fire again. */
function rearmNote({ legs }: CompiledRule, rule: StoredRule, { kind, unit }: Watched): string {
  const [leg] = legs;
  const begins = rule.last_fired_at === null;
  if (!leg || legs.length > 1)
    return begins ? 'Both conditions already met: fires the next time both become true' : 'Both conditions met';
  const again = begins ? 'fires at the next crossing' : 'rearms';
  if (kind === 'direction') return begins ? 'Already met: fires at the next change' : 'Met: rearms at the next change';
  const of = (value: number) =>
    `${numberFormat.format(value)} ${leg.series.includes('~') ? conditionUnit({ unit } as Watched, rule.condition) : unit}`;
  const side = isRange(leg.series) ? 'outside its range' : 'above';
  if (leg.kind === 'above') return begins ? `Already ${side}: ${again}` : `Met: ${again} at ${of(leg.low)}`;
  if (leg.kind === 'below') return begins ? `Already below: ${again}` : `Met: ${again} at ${of(leg.high)}`;
  return begins
    ? 'Already equal: fires when it returns to this value'
    : `Met: ${again} when it is ${of(leg.margin)} away`;
}

function ruleStatus(rule: StoredRule, compiled: CompiledRule, watched: Watched, input: StatusInput): RuleStatus {
  const { now, plan, values } = input;
  if (!rule.enabled) return { state: 'off', note: null };
  if (rule.paused === 'plan') {
    const { alertRules } = PLAN_LIMITS[plan];
    return { state: 'paused', note: `Paused: ${PLAN_NAMES[plan]} includes up to ${alertRules} custom alerts` };
  }
  if (rule.paused === 'storm') return { state: 'paused', note: 'Paused: fired too often within 3 minutes' };
  if (rule.done) return { state: 'done', note: 'Done: fired once, as configured' };
  if (compiled.expiresAt !== null && compiled.expiresAt <= now)
    return { state: 'expired', note: `Expired at ${timeText(compiled.expiresAt)}` };
  const reason = values.find((value) => typeof value === 'string');
  if (reason !== undefined) return { state: 'no_data', note: reason };
  const states = compiled.legs.map((_, i) => (i === 0 ? rule.first_on : rule.second_on));
  if (rule.pending_since !== null)
    return {
      state: 'pending',
      note: `Fires on the first value after ${timeText(Date.parse(rule.pending_since) + compiled.holdMs)} if still met`,
    };
  if (states.every((state) => state === ON)) return { state: 'fired', note: rearmNote(compiled, rule, watched) };
  return { state: 'armed', note: null };
}

type StatusInput = { now: number; plan: Plan; values: readonly (CurrentValue | string)[] };

export const canRearm = ({ enabled, paused, done }: StoredRule): boolean =>
  enabled && paused !== 'plan' && (done || paused === 'storm');

const ICONS: Readonly<Record<string, string>> = {
  btc_price: 'bitcoin',
  eth_price: 'ethereum',
  sol_price: 'solana',
  ssr: 'scale',
  btc_dominance: 'dominance',
  exchange_flow: 'flow',
  fear_greed: 'gauge',
  vix: 'volatility',
  dxy: 'dollar',
  volume_24h: 'volume',
};
const defaultIcon = (metric: string, { kind }: Watched): string =>
  ICONS[metric] ?? (kind === 'direction' ? 'ai' : 'coin');

/** The rules as shown to their owner. */
export function toThresholds(
  ctx: ThresholdsContext,
  feed: Feed,
  rules: readonly StoredRule[],
  plan: Plan,
): Threshold[] {
  const now = ctx.now().getTime();
  const cache = new Map<string, CurrentValue | string>();
  function lookUp(series: string): CurrentValue | string {
    const found = cache.get(series) ?? currentValueOrReason(ctx, feed, series);
    cache.set(series, found);
    return found;
  }
  return rules.flatMap((rule): Threshold[] => {
    const watched = findWatched(rule.metric);
    if (!watched) return [];
    const meaning = toMeaning(rule);
    const compiled = compileRule({ ...meaning, id: rule.id, userId: rule.user_id });
    const values = compiled.legs.map(({ series }) => lookUp(series));
    return [
      {
        id: rule.id,
        name: rule.name,
        description: rule.description,
        metric: rule.metric,
        condition: rule.condition,
        value: toThresholdValue(rule.metric, rule.value),
        enabled: rule.enabled,
        icon: rule.icon ?? defaultIcon(rule.metric, watched),
        iconChosen: rule.icon !== null,
        unit: conditionUnit(watched, rule.condition),
        options: meaning.options,
        ...ruleStatus(rule, compiled, watched, { now, plan, values }),
        canRearm: canRearm(rule),
        lastFiredAt: rule.last_fired_at,
        fires: rule.fires,
        cadence: watched.cadence,
        current: typeof values[0] === 'object' ? values[0] : null,
      },
    ];
  });
}
