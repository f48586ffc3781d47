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
import { entrance, inputOf, route } from '#kernel/route.ts';
import { schedulesRoutes } from './schedules-routes.ts';
import { addAsked } from './service/create.ts';
import { dismissExport, sendStored } from './service/files.ts';
import { openPlaces } from './service/look.ts';
import { makeExport } from './service/make.ts';
import * as read from './service/read.ts';
import type { Exports } from './service.ts';
import { FAILED } from './words.ts';

export function exportsRoutes(app: FastifyInstance, exports: Exports): void {
  const { ctx } = exports;
  route(app, listExports, ({ caller }) => read.readHistory(ctx, caller));
  route(app, exportStatistics, ({ caller }) => read.readStatistics(ctx, caller));
  route(app, getExport, async ({ caller, params }) => read.itemOf(await read.getExport(ctx, caller, params.id)));
  route(app, getManifest, ({ caller, params }) => read.readManifest(ctx, caller, params.id));
  route(app, deleteExport, ({ caller, params }) => dismissExport(ctx, caller, params.id));
  fileRoutes(app, exports);
  schedulesRoutes(app, exports);
}

/** Routes that return a file. */
function fileRoutes(app: FastifyInstance, { ctx }: Exports): void {
  const places = openPlaces(ctx.config.EXPORT_THREADS);

  app.route({
    ...entrance(getExportFile),
    method: getExportFile.method,
    url: getExportFile.path,
    handler: async (request, reply) => {
      const { caller, params } = inputOf(getExportFile, request);
      return sendStored(ctx, request.headers, reply, await read.getStored(ctx, caller, params.id));
    },
  });

  app.route({
    ...entrance(createExport),
    method: createExport.method,
    url: createExport.path,
    handler: async (request, reply) => {
      const { caller, body } = inputOf(createExport, request);
      const { row, claimed } = await addAsked(ctx, caller, body);
      if (!claimed) {
        await ctx.wake();
        const url = getExportFile.path.replace(':id', row.id);
        return reply.code(202).header('x-export-id', row.id).send({ id: row.id, status: row.state, url });
      }
      const made = await makeExport(ctx, row, places);
      if (made.state === 'done') return sendStored(ctx, {}, reply, await read.getStored(ctx, caller, row.id));
      if (made.state === 'failed') throw new AppError('unavailable', made.row.error ?? FAILED);
      if (made.state === 'cancelled') throw new AppError('conflict', 'This export was canceled');
      await ctx.wake();
      throw new AppError('unavailable', FAILED);
    },
  });
}
