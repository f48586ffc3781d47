import type { FastifyInstance } from 'fastify';
import { getHistory, getHistoryFile } from '#features/exports/contract/history.ts';
import { readLook } from '#features/exports/server/exports/service/look.ts';
import { download, route } from '#kernel/route.ts';
import type { HistoryDeps } from './context.ts';
import { historyFile } from './service/file.ts';
import { answerHistory } from './service/read.ts';

export function historyRoutes(app: FastifyInstance, deps: HistoryDeps): void {
  route(app, getHistory, ({ params, query, caller }) => answerHistory(deps, params.type, query, caller));
  download(app, getHistoryFile, async ({ params, query, caller }) => {
    const look = await readLook(deps.db, caller.userId, caller.plan);
    return historyFile({ ...deps, db: await deps.reads.pages() }, params.type, query, look);
  });
}
