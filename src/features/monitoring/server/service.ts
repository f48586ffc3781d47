import { collectDefaultMetrics } from 'prom-client';

import type { Db } from '#server/platform/db.ts';
import { processFigures } from '#server/platform/figures.ts';

import { expositionOf, type Family, gauge } from './exposition.ts';
import { type ProcessDeps, processFamilies } from './process-figures.ts';
import { readStored } from './store.ts';
import { type Read, storedFamilies } from './stored-figures.ts';

export type Monitoring = {
  /** What /metrics wants to be shown; undefined when this machine alone may read it. */
  token: string | undefined;
  /** Every figure, in Prometheus' text format. Never fails: without a database what is stored is left out. */
  scrape: () => Promise<string>;
};

type Deps = ProcessDeps & { db: Db; now: () => Date; token: string | undefined };

/** What is stored is read at most this often, however many ask. */
const KEPT_MS = 15_000;
/** As long as reading takes at most, waiting for a connection included. */
const PATIENCE_MS = 3_000;

const collectOfProcess = () => {
  if (!processFigures.getSingleMetric('process_cpu_user_seconds_total'))
    collectDefaultMetrics({ register: processFigures, eventLoopMonitoringPrecision: 20 });
};

/** Gives null when there is no answer in time; what it has begun ends by itself. */
async function inTime<T>(work: Promise<T>): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MS, null);
  });
  try {
    return await Promise.race([work.catch(() => null), late]);
  } finally {
    clearTimeout(timer);
  }
}

export function createMonitoring(deps: Deps): Monitoring {
  const { db, now, token } = deps;
  collectOfProcess();
  let reading: Promise<Read | null> | null = null;
  let known: { at: number; read: Read | null } | null = null;

  async function read(): Promise<Read | null> {
    const at = now().getTime();
    if (known && Math.abs(at - known.at) < KEPT_MS) return known.read;
    // One that hangs is waited for, not joined by a second one.
    reading ??= readStored(db, now())
      .then(
        (stored): Read => ({ at: now(), stored }),
        () => null,
      )
      .then((found) => {
        known = { at, read: found };
        reading = null;
        return found;
      });
    return inTime(reading);
  }

  return {
    token,
    async scrape() {
      const [stored, counted] = await Promise.all([read(), processFigures.metrics()]);
      const families: Family[] = [
        ...processFamilies(deps),
        gauge('meridian_up_database', '1 when the database could be read for this answer.', stored ? 1 : 0),
        ...(stored ? storedFamilies(stored) : []),
      ];
      // A mean of nothing is spelt otherwise by the library than by the format.
      return `${expositionOf(families)}${counted.replaceAll(/ Nan$/gm, ' NaN')}`;
    },
  };
}
