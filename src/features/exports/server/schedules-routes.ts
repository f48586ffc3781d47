import type { FastifyInstance } from 'fastify';

import { route } from '#server/platform/route.ts';

import { cancelScheduled, getWhiteLabel, listScheduled, saveWhiteLabel, scheduleExport } from '../contract.ts';
import { saveLook, storedLook } from './service/look.ts';
import { addSchedule, listSchedules, removeSchedule } from './service/schedules.ts';
import type { Exports } from './service.ts';

export function schedulesRoutes(app: FastifyInstance, { ctx }: Exports): void {
  route(app, listScheduled, ({ caller }) => listSchedules(ctx, caller.userId));
  route(app, scheduleExport, async ({ caller, body }) => ({
    success: true as const,
    message: 'Export scheduled successfully!',
    scheduled: await addSchedule(ctx, caller.userId, body),
  }));
  route(app, cancelScheduled, async ({ caller, params }) => {
    await removeSchedule(ctx, caller.userId, params.id);
    return { success: true as const };
  });
  route(app, getWhiteLabel, ({ caller }) => storedLook(ctx, caller.userId));
  route(app, saveWhiteLabel, ({ caller, body }) => saveLook(ctx, caller.userId, body));
}
