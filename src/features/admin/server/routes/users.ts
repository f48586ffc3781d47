import type { FastifyInstance } from 'fastify';

import { countUsers, listUsers, setUserPlan } from '#features/admin/contract.ts';
import { route } from '#server/platform/route.ts';

import * as admin from '../service.ts';

export function userRoutes(app: FastifyInstance, ctx: admin.AdminContext): void {
  route(app, listUsers, ({ query }) => admin.listUsers(ctx, query.q));
  route(app, countUsers, async ({ query }) => ({ total: await admin.countUsers(ctx, query.q) }));
  route(app, setUserPlan, ({ caller, params, body }) => admin.setPlan(ctx, caller, Number(params.id), body));
}
