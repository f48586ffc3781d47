import type { AddressInfo } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import type { Pool } from 'pg';
import { createReadiness, type Readiness } from '#features/operations/server/health/readiness.ts';
import { probeRoutes } from '#features/operations/server/health/routes.ts';
import { monitoringRoutes } from '#features/operations/server/monitoring/routes.ts';
import { createMonitoring, type Monitoring } from '#features/operations/server/monitoring/service.ts';
import type { Config } from '#kernel/config.ts';
import type { Db } from '#kernel/db.ts';
import { earlyErrors, handleErrors } from '#kernel/error-handler.ts';
import type { ReportError } from '#kernel/error-reports.ts';
import { AppError } from '#kernel/errors.ts';
import type { WriteState } from '#kernel/heartbeat.ts';
import { createLifecycle, type Lifecycle, type Phase } from '#kernel/lifecycle.ts';
import type { Live } from '#kernel/live/live.ts';
import type { Log } from '#kernel/log.ts';
import { createRequestMetrics, type RequestMetrics } from '#kernel/request-watch.ts';
import type { SourceSet } from '#kernel/source-set.ts';
import type { DataMode } from '#shared/provenance.ts';

const DRAIN_MS = 2_000;

/** While draining, every response closes its connection, so that no request arrives on one about to close. */
export function closeConnectionsOnStop(app: FastifyInstance, phase: () => Phase): void {
  app.server.on('request', (_request, response) => {
    if (phase() === 'stopping' && !response.headersSent) response.setHeader('connection', 'close');
  });
}

/** A client that has stopped reading would hold its connection forever. */
export async function closeWeb(app: FastifyInstance): Promise<void> {
  const cut = setTimeout(() => app.server.closeAllConnections(), DRAIN_MS);
  await app.close();
  clearTimeout(cut);
}

type Deps = {
  db: Db;
  pool: Pool;
  config: Config;
  mode: DataMode;
  version: string;
  now: () => Date;
  log: Log;
  report: ReportError;
  live: Live;
  sources: SourceSet;
  writes: () => WriteState;
  /** False only in benchmarks. */
  watchRequests?: boolean;
};

export type Watch = {
  lifecycle: Lifecycle;
  readiness: Readiness;
  monitoring: Monitoring;
  /** null where requests are not watched. */
  requests: RequestMetrics | null;
  listenAside: () => Promise<AddressInfo | null>;
  closeAside: () => Promise<void>;
};

/** Observability of a process: its phase, its metrics, its requests. */
export function openWatch(deps: Deps): Watch {
  const { db, pool, config, mode, version, now, log, report, live, sources, writes } = deps;
  const lifecycle = createLifecycle();
  const { phase } = lifecycle;
  const requests = (deps.watchRequests ?? true) ? createRequestMetrics(config, log) : null;
  const readiness = createReadiness({ db, role: config.ROLE, phase });
  const monitoring = createMonitoring({
    db,
    now,
    token: config.METRICS_TOKEN,
    version,
    role: config.ROLE,
    mode,
    phase,
    routes: () => requests?.all() ?? [],
    streams: live.hub.clients,
    pool,
    isWritable: () => writes().writable,
    sources: sources.health,
  });
  let metricsServer: FastifyInstance | null = null;

  return {
    lifecycle,
    readiness,
    monitoring,
    requests,
    async listenAside() {
      if (config.METRICS_PORT === 0) return null;
      metricsServer = Fastify({ forceCloseConnections: 'idle', ...earlyErrors });
      handleErrors(metricsServer, report);
      metricsServer.decorateRequest('caller', null);
      metricsServer.addHook('onSend', (_request, reply, payload, done) => {
        reply.headers({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' });
        done(null, payload);
      });
      metricsServer.setNotFoundHandler((_request, reply) =>
        reply.code(404).send(new AppError('not_found', 'Unknown API endpoint').toWire()),
      );
      probeRoutes(metricsServer, readiness);
      monitoringRoutes(metricsServer, monitoring);
      await metricsServer.listen({ host: config.METRICS_HOST, port: config.METRICS_PORT });
      return metricsServer.server.address() as AddressInfo;
    },
    async closeAside() {
      if (metricsServer) await closeWeb(metricsServer);
    },
  };
}
