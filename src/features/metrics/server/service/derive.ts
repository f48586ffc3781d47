import type { MetricsContext } from '../context.ts';
import { OWN } from '../metrics.ts';
import { saveObservations } from '../store.ts';
import type { Observation } from '../types.ts';
import { deriveDerivatives } from './derive/derivatives.ts';
import { deriveLiquidations } from './derive/liquidations.ts';
import { deriveMarket } from './derive/market.ts';
import { deriveSeason } from './derive/season.ts';
import { derivePast } from './derive-past.ts';
import { deriveWhales } from './derive-whales.ts';
import { deriveNarratives } from './narratives.ts';
import { readSnapshot } from './read-snapshot.ts';

/** Computes our own figures from what is stored and keeps them beside it, with their inputs named. */
export async function derive(ctx: MetricsContext): Promise<void> {
  const snapshot = await readSnapshot(ctx, ctx.now());
  const rows: Observation[] = [
    ...deriveMarket(snapshot, ctx.market.ctx.board),
    ...deriveDerivatives(snapshot),
    ...(await deriveLiquidations(ctx)),
    ...(await deriveWhales(ctx)),
    ...(await deriveSeason(ctx, snapshot)),
    ...(await deriveNarratives(ctx, snapshot)),
  ];
  await saveOwn(ctx, rows);
}

/** The same for days that lie in the past; repeating it changes nothing. */
export async function deriveOlder(ctx: MetricsContext): Promise<void> {
  await saveOwn(ctx, await derivePast(ctx));
}

async function saveOwn(ctx: MetricsContext, rows: Observation[]): Promise<void> {
  const fetchedAt = ctx.now();
  const method = ctx.mode === 'demo' ? 'demo' : 'computed';
  await saveObservations(
    ctx.db,
    rows.map((row) => ({ ...row, source: OWN, fetchedAt, method })),
  );
}
