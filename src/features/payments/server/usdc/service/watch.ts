import { NETWORK_NAMES, type Network } from '#features/payments/contract/usdc.ts';
import { wait } from '#kernel/clock.ts';
import { errorMessage } from '#kernel/errors.ts';
import type { UsdcContext } from '../context.ts';
import type { Known } from '../rail.ts';
import { reconcile } from '../reconcile/reconcile.ts';
import { depositsFrom, findCursor, listUnreadable, type StoredCursor } from '../store/deposits.ts';
import { listAmountsSince, listRoutes } from '../store/payments.ts';
import { quotedSince } from './quote.ts';

const SLOWEST_MS = 60_000;
const DEMO_PAUSE_MS = 1_000;
/** An expired demo payment is still checked every second for this long. */
const DEMO_CLOSE_MS = 600_000;
/** The database recovers quickly, and users are waiting for their payments. */
const SLOWEST_OF_OURS_MS = 5_000;

/** No node of the network returned anything usable. */
class NetworkUnavailableError extends Error {}

/** Milliseconds until the next look after a number of consecutive failures. */
export function retryDelay(failures: number, pauseMs: number, isNetwork: boolean): number {
  const slowest = Math.max(isNetwork ? SLOWEST_MS : SLOWEST_OF_OURS_MS, pauseMs);
  return Math.min(pauseMs * 2 ** Math.min(failures, 10), slowest);
}

async function readKnown({ db, now }: UsdcContext, network: Network, cursor: StoredCursor | null): Promise<Known> {
  return {
    cursor,
    routes: await listRoutes(db, network),
    amounts: await listAmountsSince(db, network, quotedSince(now())),
    deposits: await depositsFrom(db, network, cursor ? cursor.scanned + 1 : 0),
    unreadable: await listUnreadable(db, network),
  };
}

/** Looks at a chain once and books the result; false when another process did so first. */
export async function watchOnce(ctx: UsdcContext, network: Network, signal: AbortSignal): Promise<boolean> {
  const rail = ctx.rails[network];
  const cursor = await findCursor(ctx.db, network);
  const known = await readKnown(ctx, network, cursor);
  const window = await rail.scan(known, signal).catch((error: unknown) => {
    throw new NetworkUnavailableError(errorMessage(error), { cause: error });
  });
  const { isBooked, warnings, bought } = await reconcile(ctx, rail, window, cursor);
  for (const warning of warnings) ctx.report('usdc', 'system', warning);
  for (const userId of bought) await ctx.bought(userId);
  return isBooked;
}

/** Reading the demo chain is free, so a demo payment is confirmed without delay. */
async function isDemoPaying({ mode, db, now }: UsdcContext, network: Network): Promise<boolean> {
  if (mode !== 'demo') return false;
  return (await listAmountsSince(db, network, new Date(now().getTime() - DEMO_CLOSE_MS))).size > 0;
}

/** Looks repeatedly until aborted; a failure is reported once until a look succeeds, with increasing pauses. */
export async function watch(ctx: UsdcContext, network: Network, signal: AbortSignal): Promise<void> {
  const usual = ctx.config.PAY_POLL_SECONDS * 1000;
  let pause = usual;
  let failures = 0;
  let isNetwork = false;
  while (!signal.aborted) {
    try {
      await watchOnce(ctx, network, signal);
      pause = (await isDemoPaying(ctx, network)) ? DEMO_PAUSE_MS : usual;
      if (failures > 0) ctx.log.info({ network }, 'payment monitoring resumed');
      failures = 0;
    } catch (error) {
      if (signal.aborted) return;
      failures += 1;
      isNetwork = error instanceof NetworkUnavailableError;
      if (failures === 1) ctx.report('usdc', 'api_failure', `Cannot monitor ${NETWORK_NAMES[network]} payments`, error);
    }
    await wait(retryDelay(failures, pause, isNetwork), signal);
  }
}
