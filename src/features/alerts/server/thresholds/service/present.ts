import type { FigureMeta } from '#shared/figures.ts';
import { COIN_PREFIX, hasOrigin } from '#shared/figures.ts';
import type { Provenance } from '#shared/provenance.ts';
import { DIRECTION_VALUE, watchedOf } from '#shared/watched.ts';

import type { ThresholdsContext } from '../context.ts';
import { beyond } from '../preview/derived.ts';
import { STORED_METRICS, TERMS } from '../watching.ts';

/** A price and the range that it was compared with; USD. */
export type ComparedRange = { price: number; low: number; high: number; issuedAt: string };

/** The value of a series now, with its birth certificate. */
export type Present = { value: number; meta: Provenance; range?: ComparedRange };

const born = ({ value, meta }: { value: number | null; meta: FigureMeta }): Present | null =>
  value === null || !hasOrigin(meta) ? null : { value, meta };

/** A price of a coin against the range that is open now; null without one. */
export function againstRange(
  { analysis }: Pick<ThresholdsContext, 'analysis'>,
  coinId: string,
  price: number,
): { value: number; range: ComparedRange } | null {
  const open = analysis.openRange(coinId);
  if (!open) return null;
  return { value: beyond(price, open.range_80), range: { price, ...open.range_80, issuedAt: open.issued_at } };
}

/** What this process knows of a metric, or of the change of a coin or its distance beyond its range, now; null while it knows nothing. */
export function presentValue(ctx: ThresholdsContext, series: string): Present | null {
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
    const found = born(isChange ? snapshot.change(stored, 'percent') : snapshot.figure(stored));
    return found && isChange ? { ...found, value: Math.abs(found.value) } : found;
  }
  const coinId = metric.startsWith(COIN_PREFIX) ? metric.slice(COIN_PREFIX.length) : watchedOf(metric)?.coinId;
  const coin = ctx.market.ctx.board.find(coinId ?? '');
  if (!coin) return null;
  if (kind === 'range') {
    const held = againstRange(ctx, coin.id, coin.price);
    return held && { ...held, meta: { ...coin.meta, method: ctx.mode === 'demo' ? 'demo' : 'computed' } };
  }
  if (!isChange) return { value: coin.price, meta: coin.meta };
  return coin.change_24h === null ? null : { value: Math.abs(coin.change_24h), meta: coin.meta };
}
