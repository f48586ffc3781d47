import type { FastifyInstance } from 'fastify';
import { getHistory, getHistoryFile } from '#features/exports/contract/history.ts';
import { resolveBranding } from '#features/exports/server/exports/service/branding.ts';
import { download, route } from '#kernel/route.ts';
import type { HistoryDeps } from './context.ts';
import { historyFile } from './service/file.ts';
import { readHistoryReply } from './service/read.ts';

export function historyRoutes(app: FastifyInstance, deps: HistoryDeps): void {
  route(app, getHistory, ({ params, query, caller }) => readHistoryReply(deps, params.type, query, caller));
  download(app, getHistoryFile, async ({ params, query, caller }) => {
    const look = await resolveBranding(deps.db, caller.userId, caller.plan);
    return historyFile({ ...deps, db: await deps.reads.pages() }, params.type, query, look);
  });
}
