import { NETWORK_NAMES, type Network } from '#features/usdc/contract.ts';
import { wait } from '#server/platform/clock.ts';
import type { UsdcContext } from '../context.ts';
import type { Known } from '../rail.ts';
import { reconcile } from '../reconcile/reconcile.ts';
import { findCursor, type StoredCursor } from '../store/cursors.ts';
import { depositsFrom } from '../store/deposits.ts';
import { amountsSince, routesOf } from '../store/payments.ts';
import { keptSince } from './amounts.ts';

const SLOWEST_MS = 60_000;

async function knownOf({ db, now }: UsdcContext, network: Network, cursor: StoredCursor | null): Promise<Known> {
  return {
    cursor,
    routes: await routesOf(db, network),
    amounts: await amountsSince(db, network, keptSince(now())),
    deposits: await depositsFrom(db, network, cursor ? cursor.scanned + 1 : 0),
  };
}

/** Looks at a chain once and books what is there; false when another process has done so meanwhile. */
export async function watchOnce(ctx: UsdcContext, network: Network, signal: AbortSignal): Promise<boolean> {
  const rail = ctx.rails[network];
  const cursor = await findCursor(ctx.db, network);
  const window = await rail.look(await knownOf(ctx, network, cursor), signal);
  const { isBooked, warnings, bought } = await reconcile(ctx, rail, window, cursor);
  for (const warning of warnings) ctx.report('usdc', 'system', warning);
  for (const userId of bought) await ctx.bought(userId);
  return isBooked;
}

/** Looks again and again until the signal; a failure is reported once, until a look succeeds, and each next one waits longer. */
export async function watch(ctx: UsdcContext, network: Network, signal: AbortSignal): Promise<void> {
  const pause = ctx.mode === 'demo' ? 1000 : ctx.config.PAY_POLL_SECONDS * 1000;
  let failures = 0;
  while (!signal.aborted) {
    try {
      await watchOnce(ctx, network, signal);
      if (failures > 0) ctx.log.info({ network }, 'payments are watched again');
      failures = 0;
    } catch (error) {
      if (signal.aborted) return;
      failures += 1;
      if (failures === 1)
        ctx.report('usdc', 'api_failure', `${NETWORK_NAMES[network]} could not be watched for payments`, error);
    }
    await wait(Math.min(pause * 2 ** Math.min(failures, 10), Math.max(SLOWEST_MS, pause)), signal);
  }
}
