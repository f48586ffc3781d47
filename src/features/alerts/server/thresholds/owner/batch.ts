import type { Condition } from '#features/alerts/contract/thresholds.ts';
import type { AlertDraft } from '#features/alerts/server/alerts/raise.ts';
import { COIN_PREFIX } from '#shared/figures.ts';
import { dateTime } from '#shared/format.ts';
import { directionOf, findWatched, type Watched } from '#shared/watched.ts';

import { compileRule, seriesName, toNumber } from '../engine/compile.ts';
import type { Change, Engine, RuleState, Stateful, Tick } from '../engine/types.ts';
import type { ComparedRange } from '../service/view.ts';
import type { SourcedTick } from './feed.ts';
import type { ActiveRule, StateWrite, WrittenRule } from './store.ts';

/** Creating a formatter takes a hundred times as long as using it. */
const formats = new Map<string, Intl.NumberFormat>();
function createNumberFormat(least: number, most: number): Intl.NumberFormat {
  const key = `${least} ${most}`;
  const known = formats.get(key);
  if (known) return known;
  const format = new Intl.NumberFormat('en-US', { minimumFractionDigits: least, maximumFractionDigits: most });
  formats.set(key, format);
  return format;
}
const number = (value: number, decimals: number) => createNumberFormat(0, decimals).format(value);
/** With full precision: 65,012.40. */
const shown = (value: number, decimals: number) => createNumberFormat(decimals, decimals).format(value);
const word = (value: number) => directionOf(value).toLowerCase();

function holds(watched: Watched, condition: Condition, value: number, now: number | undefined): string {
  const { decimals, kind } = watched;
  if (kind === 'direction') {
    const is = now === undefined ? '' : ` (${word(now)})`;
    if (condition === 'above') return `is more bullish than ${word(value)}${is}`;
    if (condition === 'below') return `is more bearish than ${word(value)}${is}`;
    return `is ${now === undefined ? word(value) : word(now)}`;
  }
  const at = (digits: number, unit = '') => (now === undefined ? '' : ` (${shown(now, digits)}${unit})`);
  if (condition === 'changes_by') return `changed by ${number(value, 2)}% or more in 24h${at(2, '%')}`;
  if (condition === 'changes_by_sigma') return `moved ${number(value, 2)}σ or more in 24h${at(2, 'σ')}`;
  if (condition === 'leaves_range') return `left its 24h range by ${number(value, 2)}% or more${at(2, '%')}`;
  const level = number(value, Math.max(decimals, 6));
  if (condition === 'equals') return `reached ${level}${at(decimals)}`;
  return `is ${condition} ${level}${at(decimals)}`;
}

/** `(102,345.60) is 1.36% above its 24h 80% range of 94,123.40 to 100,972.40, issued 20 Nov 2026, …` */
function beyondRange({ price, low, high, issuedAt }: ComparedRange, distance: number, decimals: number): string {
  const side = price > high ? 'above' : 'below';
  const ends = `${shown(low, decimals)} to ${shown(high, decimals)}`;
  const issued = `issued ${dateTime(Date.parse(issuedAt))} by the built-in analyst`;
  return `(${shown(price, decimals)}) is ${shown(distance, 2)}% ${side} its 24h 80% range of ${ends}, ${issued}`;
}

/** `BTC breakout: Bitcoin price is above 65,000 (65,012.40)` */
function sentence(rule: WrittenRule, seen: readonly Seen[], coinName: (id: string) => string | undefined): string {
  const part = (metric: string, condition: Condition, value: number): string => {
    const watched = findWatched(metric);
    if (!watched) return metric;
    const coin = metric.startsWith(COIN_PREFIX) ? coinName(metric.slice(COIN_PREFIX.length)) : undefined;
    const series = seriesName(metric, condition);
    const now = seen.find((tick) => tick.series === series);
    const is = now?.range
      ? beyondRange(now.range, now.value, watched.decimals)
      : holds(watched, condition, value, now?.value);
    return `${coin === undefined ? watched.name : `${coin} price`} ${is}`;
  };
  const { and } = rule.options;
  const second = and ? ` and ${part(and.metric, and.condition, toNumber(and.value))}` : '';
  return `${rule.name}: ${part(rule.metric, rule.condition, rule.value)}${second}`;
}

/** A value seen by a rule, with the range it was compared with. */
type Seen = Tick & { range?: ComparedRange | undefined };

/** A fired rule: the value, and what it saw. */
export type FiredRule = { id: number; version: number; tick: SourcedTick; seen: Seen[]; evaluatedAt: Date };

/** Changes of several ticks, written together. */
export type Batch = { ticks: Map<string, Tick>; writes: Map<number, StateWrite>; fires: FiredRule[] };

export const emptyBatch = (): Batch => ({ ticks: new Map(), writes: new Map(), fires: [] });

/** Evaluation context: the engine, and the last range each series was compared with. */
export type Judged = { engine: Engine; ranges: ReadonlyMap<string, ComparedRange>; now: Date };

export function collect(
  batch: Batch,
  { engine, ranges, now }: Judged,
  changes: readonly Change[],
  tick: SourcedTick,
): void {
  for (const { id, version, state, fired, silenced } of changes) {
    const before = batch.writes.get(id);
    const isSame = before?.version === version;
    batch.writes.set(id, {
      id,
      version,
      state,
      fires: (isSame ? before.fires : 0) + (fired ? 1 : 0),
      silenced: (isSame ? before.silenced : 0) + (silenced ? 1 : 0),
    });
    if (!fired) continue;
    const seen = engine.seen(id).map((each) => ({ ...each, range: ranges.get(each.series) }));
    batch.fires.push({ id, version, tick, seen, evaluatedAt: now });
  }
}

const toRuleState = (row: ActiveRule): RuleState => ({
  first: row.first_on,
  second: row.second_on,
  pendingSince: row.pending_since,
  lastFiredAt: row.last_fired_at,
  done: false,
});

/** A rule with its state, and when it was saved, ms since epoch. */
export type Saved = Stateful & { savedAt: number };

export const toSavedRule = (row: ActiveRule): Saved => ({
  rule: compileRule({ ...row, userId: row.user_id }),
  state: toRuleState(row),
  savedAt: row.updated_at,
});

/** The alert of a fire. Users' rules are of medium severity: only the user knows how much they matter. */
export function toAlertDraft(
  { id, version, tick, seen, evaluatedAt }: FiredRule,
  rule: WrittenRule,
  coinName: (id: string) => string | undefined,
): AlertDraft {
  return {
    idempotencyKey: `rule:${id}.${version}:${tick.at}`,
    own: { userId: rule.user_id, ruleId: id },
    type: 'CUSTOM_THRESHOLD',
    severity: 'medium',
    message: sentence(rule, seen, coinName),
    metric: rule.metric,
    value: seen[0]?.value ?? tick.value,
    detail: { rule: rule.name, seen },
    source: tick.source,
    method: tick.method,
    sourceAt: new Date(tick.at),
    receivedAt: new Date(tick.knownAt),
    evaluatedAt,
  };
}
