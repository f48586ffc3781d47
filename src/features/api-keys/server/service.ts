import { ACCOUNTS_CHANNEL, readNews } from '#features/auth/server/service.ts';

import { createBurst } from './burst.ts';
import type { ApiKeysContext } from './context.ts';
import { createGate, type Gate } from './gate.ts';
import { createKeyCallers, type KeyCallers } from './key-callers.ts';
import { createQuota, type Quota } from './quota.ts';
import type { Settled } from './store/days.ts';
import { newsOf, tellLimit } from './tell-limit.ts';

export { type Admission, type Gate, type KeyCaller, keyIn } from './gate.ts';

export type ApiKeys = {
  ctx: ApiKeysContext;
  gate: Gate;
  keys: Pick<KeyCallers, 'forget' | 'read'>;
  /** Writes what was counted here. */
  settle: Quota['settle'];
  /** Hears what other processes end and spend. */
  start: () => Promise<void>;
  /** Writes what was counted and gives back what was not spent. */
  stop: () => Promise<void>;
};

/** API keys of one process. */
export function createApiKeys(ctx: ApiKeysContext): ApiKeys {
  const keys = createKeyCallers(ctx);
  const burst = createBurst(ctx.config.API_BURST_PER_SECOND);
  const onSettled = (settled: Settled, limit: number | null) => {
    const percent = newsOf(settled, limit);
    if (percent !== null && limit !== null)
      ctx.afterwards('Telling of a limit', () => tellLimit(ctx, settled, percent, limit));
  };
  const quota = createQuota(ctx, { onSettled, onTick: () => burst.tidy(ctx.now().getTime()) });
  return {
    ctx,
    gate: createGate(ctx, keys, quota, burst),
    keys,
    settle: quota.settle,
    async start() {
      await ctx.listener.listen(
        ACCOUNTS_CHANNEL,
        (payload) => keys.forget(readNews(payload).user),
        () => keys.forgetAll(),
      );
      await quota.start();
    },
    stop: quota.stop,
  };
}
