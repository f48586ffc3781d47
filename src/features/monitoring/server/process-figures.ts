import type { Pool } from 'pg';

import type { Phase } from '#server/platform/lifecycle.ts';
import { LATENCY_BOUNDS, type RouteFigures } from '#server/platform/route-figures.ts';
import type { SourceHealth } from '#server/platform/source-set.ts';

import { type Family, gauge, gauges } from './exposition.ts';

export type ProcessDeps = {
  version: string;
  role: string;
  mode: string;
  phase: () => Phase;
  routes: () => readonly RouteFigures[];
  streams: () => number;
  pool: Pick<Pool, 'totalCount' | 'idleCount' | 'waitingCount' | 'options'>;
  isWritable: () => boolean;
  sources: () => readonly Pick<SourceHealth, 'id' | 'state' | 'lastSuccessAt'>[];
};

const secondsOf = (at: string | null) => (at === null ? null : Date.parse(at) / 1000);

function answers(routes: readonly RouteFigures[]): Family {
  const samples = routes.flatMap(({ method, route, byStatus }) =>
    [...byStatus].flatMap((value, digit) =>
      value > 0 ? [{ labels: { method, route, status: `${digit}xx` }, value }] : [],
    ),
  );
  const help = 'Answers by route and class of status.';
  return { name: 'meridian_http_requests_total', help, type: 'counter', samples };
}

function latency(routes: readonly RouteFigures[]): Family {
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
  const help = 'Seconds until an answer was written. What a stream sends is not among them.';
  return { name: 'meridian_http_request_duration_seconds', help, type: 'histogram', samples };
}

/** What this process knows by itself. */
export function processFamilies(deps: ProcessDeps): Family[] {
  const { version, role, mode, pool } = deps;
  const routes = deps.routes();
  const sources = deps.sources();
  const build = { version, node: process.versions.node, role, mode };
  return [
    gauges('meridian_build_info', 'Version, Node.js, role and data mode of the process.', [
      { labels: build, value: 1 },
    ]),
    gauge(
      'meridian_serving',
      '1 while the process is neither starting nor stopping.',
      deps.phase() === 'serving' ? 1 : 0,
    ),
    answers(routes),
    latency(routes),
    gauge('meridian_stream_connections', 'Open streams of server-sent events.', deps.streams()),
    gauges(
      'meridian_source_last_success_timestamp_seconds',
      'When a source last answered, as far as this process has heard.',
      sources.map(({ id, lastSuccessAt }) => ({ labels: { source: id }, value: secondsOf(lastSuccessAt) })),
    ),
    gauges(
      'meridian_source_failing',
      '1 while a source is down, stale or asks to be called less; sources without their key are left out.',
      sources
        .filter(({ state }) => state !== 'key_missing')
        .map(({ id, state }) => ({
          labels: { source: id },
          value: state === 'ok' || state === 'waiting' ? 0 : 1,
        })),
    ),
    gauges('meridian_database_pool_connections', 'Connections of the pool of this process.', [
      { labels: { state: 'used' }, value: pool.totalCount - pool.idleCount },
      { labels: { state: 'idle' }, value: pool.idleCount },
    ]),
    gauge(
      'meridian_database_pool_limit',
      'Most connections that the pool of this process opens.',
      pool.options.max ?? 10,
    ),
    gauge('meridian_database_pool_waiting', 'Queries of this process that wait for a connection.', pool.waitingCount),
    gauge(
      'meridian_database_writable',
      '1 while the last heartbeat of this process could be written.',
      deps.isWritable() ? 1 : 0,
    ),
  ];
}
