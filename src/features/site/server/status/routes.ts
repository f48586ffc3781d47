import type { FastifyInstance } from 'fastify';
import {
  createIncident,
  getStatus,
  listIncidents,
  retractIncident,
  type Status,
  updateIncident,
} from '#features/site/contract/status.ts';
import { AppError } from '#kernel/errors.ts';
import { type ReadModel, writePrepared } from '#kernel/read-model.ts';
import { route } from '#kernel/route.ts';
import { serve } from '#kernel/serve.ts';
import { create, type IncidentContext, retract, update } from './incidents.ts';
import { incidentsPage } from './store/incidents.ts';

const PAGE = 30;

type Models = { status: ReadModel<Status>; statusFeed: ReadModel<string> };

export function statusRoutes(app: FastifyInstance, ctx: IncidentContext, models: Models): void {
  serve(app, getStatus, models.status);
  app.get('/status.atom', async (request, reply) => {
    const prepared = await models.statusFeed.ready();
    if (!prepared) throw new AppError('unavailable', 'The feed is being prepared. Please try again in a moment.');
    reply.hijack();
    writePrepared(request.raw, reply.raw, prepared);
  });
  route(app, listIncidents, async ({ query: { before } }) => {
    const incidents = await incidentsPage(ctx.db, { before, count: PAGE + 1 });
    return { incidents: incidents.slice(0, PAGE), more: incidents.length > PAGE };
  });
  route(app, createIncident, async ({ caller, body }) => ({ id: await create(ctx, caller, body) }));
  route(app, updateIncident, async ({ caller, params, body }) => {
    await update(ctx, caller, params.id, body);
    return { success: true as const };
  });
  route(app, retractIncident, async ({ caller, params }) => {
    await retract(ctx, caller, params.id);
    return { success: true as const };
  });
}
