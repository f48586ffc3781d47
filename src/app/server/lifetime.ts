import type { Alerts } from '#features/alerts/server/alerts/service.ts';
import { type Market, startCollector, type TickIntake } from '#features/market/server/market/service.ts';
import { type Metrics, startLiquidations } from '#features/market/server/metrics/service.ts';
import { wait } from '#kernel/clock.ts';
import type { Config } from '#kernel/config.ts';
import type { Connection, Db } from '#kernel/db.ts';
import type { ReportError } from '#kernel/error-reports.ts';
import { errorMessage } from '#kernel/errors.ts';
import { claimInstallation, readInstallationKeys } from '#kernel/installation.ts';
import type { Fence } from '#kernel/leader.ts';
import { type Listener, openListener } from '#kernel/listener.ts';
import type { Log } from '#kernel/log.ts';
import type { Scheduler } from '#kernel/scheduler.ts';
import { KEYS_CHANGED } from '#kernel/secrets-rotation/store.ts';

import type { ProductOptions } from './product-options.ts';

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
const STOP_TIMEOUT_MS = 20_000;
/** Work in progress may finish its current step within this time, then it is aborted. */
const DRAIN_TIMEOUT_MS = 4_000;
/** Ctrl-C arrives up to three times: from the terminal, and forwarded by npm and the bootstrap. */
const SAME_SIGNAL_MS = 1_000;

export type Lifetime = {
  /** Aborts when the operator asks this process to stop, at any time from its start. */
  signal: AbortSignal;
  interrupted: Promise<void>;
  /** From now on a signal first calls `tell`; the process stops `ms` later or at a second signal. */
  drainFor: (ms: number, tell: () => void) => void;
  /** Registers a shutdown step; the last one added runs first. */
  onEnd: (step: () => Promise<void>) => void;
};

/**
 * Runs `work` until it is done or the operator stops the process; the shutdown steps run in any case. False when
 * interrupted.
 */
export async function live(log: Log, work: (lifetime: Lifetime) => Promise<void>): Promise<boolean> {
  const ending = new AbortController();
  const { signal } = ending;
  const steps: (() => Promise<void>)[] = [];
  let drain: { ms: number; tell: () => void } | null = null;
  const interrupted = new Promise<void>((resolve) => {
    function end(): void {
      if (signal.aborted) return;
      ending.abort();
      setTimeout(() => process.exit(1), STOP_TIMEOUT_MS).unref();
      resolve();
    }
    let drainingSince = -Infinity;
    function onSignal(): void {
      if (performance.now() - drainingSince < SAME_SIGNAL_MS) return;
      const first = drain;
      drain = null;
      if (!first) return end();
      drainingSince = performance.now();
      first.tell();
      if (first.ms > 0) setTimeout(end, first.ms);
      else end();
    }
    for (const name of SIGNALS) process.on(name, onSignal);
  });

  let ended = false;
  const run = (step: () => Promise<void>) =>
    step().catch((error: unknown) => log.error({ error: errorMessage(error) }, 'shutdown'));
  const lifetime: Lifetime = {
    signal,
    interrupted,
    drainFor(ms, tell) {
      drain = { ms, tell };
    },
    onEnd(step) {
      if (ended) void run(step);
      else steps.push(step);
    },
  };
  try {
    const outOfPatience = interrupted.then(() => wait(DRAIN_TIMEOUT_MS));
    return await Promise.race([work(lifetime).then(() => true), outOfPatience.then(() => false)]);
  } catch (error) {
    if (!signal.aborted) throw error;
    return false;
  } finally {
    ended = true;
    for (const step of steps.toReversed()) await run(step);
  }
}

/** The first task of a new leader is to collect the market. */
export async function startLeading(
  market: Market,
  metrics: Metrics,
  alerts: Alerts,
  scheduler: Scheduler,
  intake: TickIntake,
  fence: Fence,
): Promise<() => Promise<void>> {
  const liquidations = await startLiquidations(metrics.ctx, { fence });
  const collector = startCollector(market.ctx, intake, fence);
  const watch = alerts.watch(fence);
  await scheduler.send('market.listing', {}, { key: 'start', priority: 1000 });
  for (const [i, name] of ['metrics.slow', 'metrics.listing', 'metrics.backfill'].entries())
    await scheduler.send(name, {}, { key: 'start', priority: 900 - i, afterSeconds: 2 });
  await scheduler.send('events.collect', {}, { key: 'start', priority: 800, afterSeconds: 3 });
  await scheduler.send('inflation.check', {}, { key: 'start', priority: 790, afterSeconds: 4 });
  // It needs figures first.
  await scheduler.send('inflation.forecast', {}, { key: 'start', afterSeconds: 45 });
  // Uses what the streams and the first candles have delivered by then.
  await scheduler.send('metrics.listing', {}, { key: 'settled', afterSeconds: 60 });
  // It converts to dollars, so it needs a price first.
  await scheduler.send('metrics.blocks', {}, { key: 'start', afterSeconds: 30 });
  return async () => {
    // All settle independently: a failed final write of one must not prevent the others from stopping.
    const ends = await Promise.allSettled([collector.stop(), liquidations.stop(), watch.stop()]);
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  };
}

type Deps = Pick<ProductOptions, 'mode' | 'secrets' | 'clock'> & {
  db: Db;
  connection: Connection;
  seed: number;
  report: ReportError;
  onError: (error: Error) => void;
};

/** Joins the processes of a database: the same data mode and the key that they all seal with. */
export async function joinInstallation(deps: Deps): Promise<Listener> {
  const { db, connection, mode, seed, secrets, clock, report, onError } = deps;
  await claimInstallation(db, { mode, seed, secrets }, clock.now());
  const listener = await openListener(connection, onError);

  async function follow(): Promise<void> {
    if (secrets.useKeysOf(await readInstallationKeys(db))) return;
    report(
      'server',
      'system',
      'The secret key was changed and this process does not have the new one. Restart it with both keys',
    );
  }
  const again = () =>
    void follow().catch((error: unknown) => report('server', 'system', 'Failed to load the new secret key', error));
  await listener.listen(KEYS_CHANGED, again, again);
  return listener;
}

/** IPv6 addresses are written in brackets. */
const urlHost = (host: string) => (host.includes(':') ? `[${host}]` : host);

/** The public URL of this process: as configured, else where it listens. */
export const createPublicUrl = (config: Config, port: () => number | undefined) => (): string =>
  config.PUBLIC_URL?.replace(/\/$/, '') ?? `http://${urlHost(config.HOST)}:${port() ?? config.PORT}`;
