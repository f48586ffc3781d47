import { type Direction, HORIZONS, type Horizon, type Probabilities } from '#features/predictions/contract.ts';
import { linearPool } from '#features/predictions/server/service.ts';

import { directionOf } from '../answer.ts';
import type { AnalysisContext } from '../context.ts';
import { LOCAL } from '../local/analyst.ts';
import { poolsBetween } from '../store.ts';

/** What one analysis said of the whole market. `at` in ms since epoch. */
export type PastDirections = { at: number; short: Direction; medium: Direction; long: Direction; overall: Direction };

/** What stood at each moment when an analysis came in, oldest first: one that no model answered stands only before the first that one did. */
export async function pastDirections(ctx: AnalysisContext, from: Date, to: Date): Promise<PastDirections[]> {
  let hasStanding = false;
  const rows = (await poolsBetween(ctx.db, LOCAL.id, from, to)).filter(({ stands }) => {
    hasStanding ||= stands;
    return stands || !hasStanding;
  });
  return rows.map(({ issued_at, pools }) => {
    const of = (horizon: Horizon): Probabilities => pools[HORIZONS.indexOf(horizon)] as Probabilities;
    return {
      at: Date.parse(issued_at),
      short: directionOf(of('7d')),
      medium: directionOf(of('28d')),
      long: directionOf(of('180d')),
      overall: directionOf(linearPool(pools) as Probabilities),
    };
  });
}
