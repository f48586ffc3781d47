import type { FastifyInstance } from 'fastify';
import {
  createExport,
  deleteExport,
  exportStatistics,
  getExport,
  getExportFile,
  getManifest,
  listExports,
} from '#features/exports/contract/exports.ts';
import { AppError } from '#kernel/errors.ts';
import { accessGuard, parseInput, route } from '#kernel/route.ts';
import { schedulesRoutes } from './schedules-routes.ts';
import { createSemaphore } from './service/branding.ts';
import { addRequested } from './service/create.ts';
import { dismissExport, sendStored } from './service/files.ts';
import * as read from './service/read.ts';
import { runExport } from './service/run-export.ts';
import type { Exports } from './service.ts';
import { FAILED } from './words.ts';

export function exportsRoutes(app: FastifyInstance, exports: Exports): void {
  const { ctx } = exports;
  route(app, listExports, ({ caller }) => read.readHistory(ctx, caller));
  route(app, exportStatistics, ({ caller }) => read.readStatistics(ctx, caller));
  route(app, getExport, async ({ caller, params }) => read.toItem(await read.getExport(ctx, caller, params.id)));
  route(app, getManifest, ({ caller, params }) => read.readManifest(ctx, caller, params.id));
  route(app, deleteExport, ({ caller, params }) => dismissExport(ctx, caller, params.id));
  fileRoutes(app, exports);
  schedulesRoutes(app, exports);
}

/** Routes that return a file. */
function fileRoutes(app: FastifyInstance, { ctx }: Exports): void {
  const places = createSemaphore(ctx.config.EXPORT_THREADS);

  app.route({
    ...accessGuard(getExportFile),
    method: getExportFile.method,
    url: getExportFile.path,
    handler: async (request, reply) => {
      const { caller, params } = parseInput(getExportFile, request);
      return sendStored(ctx, request.headers, reply, await read.getStored(ctx, caller, params.id));
    },
  });

  app.route({
    ...accessGuard(createExport),
    method: createExport.method,
    url: createExport.path,
    handler: async (request, reply) => {
      const { caller, body } = parseInput(createExport, request);
      const { row, claimed } = await addRequested(ctx, caller, body);
      if (!claimed) {
        await ctx.wake();
        const url = getExportFile.path.replace(':id', row.id);
        return reply.code(202).header('x-export-id', row.id).send({ id: row.id, status: row.state, url });
      }
      const made = await runExport(ctx, row, places);
      if (made.state === 'done') return sendStored(ctx, {}, reply, await read.getStored(ctx, caller, row.id));
      if (made.state === 'failed') throw new AppError('unavailable', made.row.error ?? FAILED);
      if (made.state === 'cancelled') throw new AppError('conflict', 'This export was canceled');
      await ctx.wake();
      throw new AppError('unavailable', FAILED);
    },
  });
}
