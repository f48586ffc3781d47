import type { FastifyInstance } from 'fastify';

import { listAudit } from '#features/operations/contract/admin.ts';
import type { Db } from '#kernel/db.ts';
import { route } from '#kernel/route.ts';

import { readAudit } from '../service/audit-log.ts';

export function auditRoutes(app: FastifyInstance, deps: { db: Db }): void {
  route(app, listAudit, ({ query }) => readAudit(deps, query));
}
