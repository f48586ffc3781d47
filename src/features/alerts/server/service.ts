import { type Fence, unfenced, unlessLost } from '#server/platform/leader.ts';
import { createThrottle, type Throttle } from '#server/platform/throttle.ts';

import type { RaisedAlert } from '../contract.ts';
import type { AlertsContext } from './context.ts';
import { judge } from './service/judge.ts';
import { writePast } from './service/past.ts';
import { createPresent } from './service/present.ts';

export type { AlertsContext } from './context.ts';
export { findMarketAlert, readAlerts } from './service/list.ts';

/** Prices come every second; the market is looked at no more often than this. */
const LOOK_MS = 10_000;

export type Alerts = {
  ctx: AlertsContext;
  start: () => Promise<void>;
  /** Holds what is known now against every rule, and raises what is new. */
  judge: () => Promise<RaisedAlert[]>;
  /** Judges at every news, until stopped. Of all processes the one that collects does it. */
  watch: (fence?: Fence) => { stop: () => Promise<void> };
};

/** What the market says for everyone, and the one list of alerts. */
export function createAlerts(ctx: AlertsContext): Alerts {
  const present = createPresent(ctx);
  let throttle: Throttle | null = null;
  const poke = () => throttle?.poke();

  return {
    ctx,
    async start() {
      for (const { onChange } of [ctx.market, ctx.metrics, ctx.analysis, ctx.inflation, ctx.events]) onChange(poke);
    },
    judge: async () => judge(ctx, await present()),
    watch(fence = unfenced) {
      const own = { ...ctx, fence };
      const stopping = new AbortController();
      let looking = Promise.resolve();
      async function look(): Promise<void> {
        if (stopping.signal.aborted || !(await writePast(own, stopping.signal))) return;
        await judge(own, await present());
      }
      const looks = createThrottle(
        LOOK_MS,
        () => (looking = look()),
        unlessLost((error) => ctx.report('alerts', 'system', 'Judging the market failed', error)),
      );
      throttle = looks;
      looks.poke();
      return {
        async stop() {
          if (throttle === looks) throttle = null;
          stopping.abort();
          looks.stop();
          await looking.catch(() => undefined);
        },
      };
    },
  };
}
