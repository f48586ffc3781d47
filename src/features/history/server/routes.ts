import type { FastifyInstance } from 'fastify';

import { readLook } from '#features/exports/server/service/look.ts';
import { download, route } from '#server/platform/route.ts';

import { getHistory, getHistoryFile } from '../contract.ts';
import type { HistoryContext } from './context.ts';
import { historyFile } from './service/file.ts';
import { readHistory } from './service/read.ts';

export function historyRoutes(app: FastifyInstance, ctx: HistoryContext): void {
  route(app, getHistory, ({ params, query, caller }) => readHistory(ctx, params.type, query, caller));
  download(app, getHistoryFile, async ({ params, query, caller }) =>
    historyFile(ctx, params.type, query, await readLook(ctx.db, caller.userId, caller.plan)),
  );
}
