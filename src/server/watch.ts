import type { AddressInfo } from 'node:net';

import Fastify, { type FastifyInstance } from 'fastify';
import type { Pool } from 'pg';

import { createReadiness, type Readiness } from '#features/health/server/readiness.ts';
import { probeRoutes } from '#features/health/server/routes.ts';
import { monitoringRoutes } from '#features/monitoring/server/routes.ts';
import { createMonitoring, type Monitoring } from '#features/monitoring/server/service.ts';
import type { DataMode } from '#shared/provenance.ts';

import { closeWeb } from './close-web.ts';
import type { Config } from './platform/config.ts';
import type { Db } from './platform/db.ts';
import { earlyErrors, handleErrors } from './platform/error-handler.ts';
import type { ReportError } from './platform/error-reports.ts';
import { AppError } from './platform/errors.ts';
import type { WriteState } from './platform/heartbeat.ts';
import { createLifecycle, type Lifecycle } from './platform/lifecycle.ts';
import type { Live } from './platform/live/live.ts';
import type { Log } from './platform/log.ts';
import { createRequestWatch, type RequestWatch } from './platform/request-watch.ts';
import type { SourceSet } from './platform/source-set.ts';

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
  requests: RequestWatch | null;
  listenAside: () => Promise<AddressInfo | null>;
  closeAside: () => Promise<void>;
};

/** What those who run a process see of it: how far it is, its figures, its requests. */
export function openWatch(deps: Deps): Watch {
  const { db, pool, config, mode, version, now, log, report, live, sources, writes } = deps;
  const lifecycle = createLifecycle();
  const { phase } = lifecycle;
  const requests = (deps.watchRequests ?? true) ? createRequestWatch(config, log) : null;
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
  let aside: FastifyInstance | null = null;

  return {
    lifecycle,
    readiness,
    monitoring,
    requests,
    async listenAside() {
      if (config.METRICS_PORT === 0) return null;
      aside = Fastify({ forceCloseConnections: 'idle', ...earlyErrors });
      handleErrors(aside, report);
      aside.decorateRequest('caller', null);
      aside.addHook('onSend', (_request, reply, payload, done) => {
        reply.headers({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' });
        done(null, payload);
      });
      aside.setNotFoundHandler((_request, reply) =>
        reply.code(404).send(new AppError('not_found', 'There is no such call').toWire()),
      );
      probeRoutes(aside, readiness);
      monitoringRoutes(aside, monitoring);
      await aside.listen({ host: config.METRICS_HOST, port: config.METRICS_PORT });
      return aside.server.address() as AddressInfo;
    },
    async closeAside() {
      if (aside) await closeWeb(aside);
    },
  };
}
