import type { FastifyInstance } from 'fastify';

import { listAudit } from '#features/admin/contract.ts';
import type { Db } from '#server/platform/db.ts';
import { route } from '#server/platform/route.ts';

import { readAudit } from '../service/audit-log.ts';

export function auditRoutes(app: FastifyInstance, deps: { db: Db }): void {
  route(app, listAudit, ({ query }) => readAudit(deps, query));
}
