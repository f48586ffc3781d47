import { presentValue } from '#features/thresholds/server/service.ts';
import { hasOrigin } from '#shared/figures.ts';
import { watchedOf } from '#shared/watched.ts';

import type { DigestsContext } from './context.ts';

export type ValueNow = { value: number; source: string; observedAt: string };

/** Bases of changes are watched too, but how usual a move is takes more than the present. */
const HAS_NO_PRESENT = /~sigma$/;

function changeOf({ market }: DigestsContext, symbol: string | null): ValueNow | null {
  const coin = market.ctx.board.prices().find((each) => each.symbol === symbol);
  if (!coin || coin.change_24h === null) return null;
  return { value: coin.change_24h, source: coin.meta.source, observedAt: coin.meta.observedAt };
}

/** What a metric of an alert says now, by whom and since when; null while nobody says it. */
export function valueNow(ctx: DigestsContext, metric: string, asset: string | null): ValueNow | null {
  if (HAS_NO_PRESENT.test(metric)) return null;
  if (metric === 'coin.change') return changeOf(ctx, asset);
  if (watchedOf(metric.split('~')[0] ?? '')) {
    const present = presentValue(ctx.thresholds, metric);
    return present && { value: present.value, source: present.meta.source, observedAt: present.meta.observedAt };
  }
  const { value, meta } = ctx.metrics.current().snapshot.figure(metric);
  return value === null || !hasOrigin(meta) ? null : { value, source: meta.source, observedAt: meta.observedAt };
}
