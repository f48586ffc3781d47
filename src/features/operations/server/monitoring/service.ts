import type { Pool } from 'pg';
import { collectDefaultMetrics } from 'prom-client';
import type { Db } from '#kernel/db.ts';
import type { Phase } from '#kernel/lifecycle.ts';
import { LATENCY_BOUNDS, processMetrics, type RouteMetrics } from '#kernel/route-figures.ts';
import type { SourceHealth } from '#kernel/source-set.ts';
import { readStored } from './store.ts';
import { createStoredFamilies, type Family, formatExposition, gauge, gauges, type Read } from './stored-figures.ts';

type ProcessDeps = {
  version: string;
  role: string;
  mode: string;
  phase: () => Phase;
  routes: () => readonly RouteMetrics[];
  streams: () => number;
  pool: Pick<Pool, 'totalCount' | 'idleCount' | 'waitingCount' | 'options'>;
  isWritable: () => boolean;
  sources: () => readonly Pick<SourceHealth, 'id' | 'state' | 'lastSuccessAt'>[];
};

const toSeconds = (at: string | null) => (at === null ? null : Date.parse(at) / 1000);

function answers(routes: readonly RouteMetrics[]): Family {
  const samples = routes.flatMap(({ method, route, byStatus }) =>
    [...byStatus].flatMap((value, digit) =>
      value > 0 ? [{ labels: { method, route, status: `${digit}xx` }, value }] : [],
    ),
  );
  const help = 'Responses by route and status class.';
  return { name: 'meridian_http_requests_total', help, type: 'counter', samples };
}

function latency(routes: readonly RouteMetrics[]): Family {
  const samples = routes.flatMap(({ method, route, byLatency, seconds }) => {
    let count = 0;
    const buckets = [...byLatency].map((value, at) => {
      count += value;
      const labels = { method, route, le: `${LATENCY_BOUNDS[at] ?? '+Inf'}` };
      return { suffix: '_bucket' as const, labels, value: count };
    });
    if (count === 0) return [];
    const labels = { method, route };
    return [
      ...buckets,
      { suffix: '_sum' as const, labels, value: seconds },
      { suffix: '_count' as const, labels, value: count },
    ];
  });
  const help = 'Seconds until a response was written, excluding streams.';
  return { name: 'meridian_http_request_duration_seconds', help, type: 'histogram', samples };
}

/** Metrics of this process. */
function processFamilies(deps: ProcessDeps): Family[] {
  const { version, role, mode, pool } = deps;
  const routes = deps.routes();
  const sources = deps.sources();
  const build = { version, node: process.versions.node, role, mode };
  return [
    gauges('meridian_build_info', 'Process version, Node.js version, role and data mode.', [
      { labels: build, value: 1 },
    ]),
    gauge(
      'meridian_serving',
      '1 while the process is ready, neither starting nor stopping.',
      deps.phase() === 'serving' ? 1 : 0,
    ),
    answers(routes),
    latency(routes),
    gauge('meridian_stream_connections', 'Open server-sent event streams.', deps.streams()),
    gauges(
      'meridian_source_last_success_timestamp_seconds',
      'Time of the last successful response from a source, as seen by this process.',
      sources.map(({ id, lastSuccessAt }) => ({ labels: { source: id }, value: toSeconds(lastSuccessAt) })),
    ),
    gauges(
      'meridian_source_failing',
      '1 while a source is down, stale or rate-limited. Excludes sources without a key or blocked in this region.',
      sources
        .filter(({ state }) => state !== 'key_missing' && state !== 'refused_region')
        .map(({ id, state }) => ({
          labels: { source: id },
          value: state === 'ok' || state === 'waiting' ? 0 : 1,
        })),
    ),
    gauges('meridian_database_pool_connections', 'Pool connections of this process.', [
      { labels: { state: 'used' }, value: pool.totalCount - pool.idleCount },
      { labels: { state: 'idle' }, value: pool.idleCount },
    ]),
    gauge('meridian_database_pool_limit', 'Maximum pool connections of this process.', pool.options.max ?? 10),
    gauge('meridian_database_pool_waiting', 'Queries in this process waiting for a connection.', pool.waitingCount),
    gauge(
      'meridian_database_writable',
      '1 while the last heartbeat of this process was written.',
      deps.isWritable() ? 1 : 0,
    ),
  ];
}

export type Monitoring = {
  /** Token required by /metrics; undefined when only this machine may read it. */
  token: string | undefined;
  /** Every metric in Prometheus' text format. Never fails: without a database the stored metrics are omitted. */
  scrape: () => Promise<string>;
};

type Deps = ProcessDeps & { db: Db; now: () => Date; token: string | undefined };

/** Stored metrics are read at most this often, however many clients there are. */
const CACHE_MS = 15_000;
/** Maximum read time, including the wait for a connection. */
const READ_TIMEOUT_MS = 3_000;

const collectProcess = () => {
  if (!processMetrics.getSingleMetric('process_cpu_user_seconds_total'))
    collectDefaultMetrics({ register: processMetrics, eventLoopMonitoringPrecision: 20 });
};

/** Null on timeout; the work itself runs to its end. */
async function withTimeout<T>(work: Promise<T>): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, READ_TIMEOUT_MS, null);
  });
  try {
    return await Promise.race([work.catch(() => null), late]);
  } finally {
    clearTimeout(timer);
  }
}

export function createMonitoring(deps: Deps): Monitoring {
  const { db, now, token } = deps;
  collectProcess();
  let reading: Promise<Read | null> | null = null;
  let known: { at: number; read: Read | null } | null = null;

  async function read(): Promise<Read | null> {
    const at = now().getTime();
    if (known && Math.abs(at - known.at) < CACHE_MS) return known.read;
    // A read that hangs is awaited rather than joined by a second one.
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
    return withTimeout(reading);
  }

  return {
    token,
    async scrape() {
      const [stored, counted] = await Promise.all([read(), processMetrics.metrics()]);
      const families: Family[] = [
        ...processFamilies(deps),
        gauge('meridian_up_database', '1 when the database was readable for this response.', stored ? 1 : 0),
        ...(stored ? createStoredFamilies(stored) : []),
      ];
      // prom-client serialises an empty mean differently from the exposition format.
      return `${formatExposition(families)}${counted.replaceAll(/ Nan$/gm, ' NaN')}`;
    },
  };
}
