import type { FastifyInstance } from 'fastify';
import {
  exportCollection,
  getOverview,
  listAnalyses,
  listCollections,
} from '#features/operations/contract/collections.ts';
import { download, route } from '#kernel/route.ts';
import type { CollectionsContext } from './context.ts';
import { openExport } from './records.ts';
import * as collections from './service.ts';

export function collectionsRoutes(app: FastifyInstance, ctx: CollectionsContext): void {
  const from = <T>(make: (given: CollectionsContext) => Promise<T>) =>
    ctx.reads.answer((db) => make({ ...ctx, db }), { fresh: true });
  route(app, listCollections, ({ query, isDisconnected }) =>
    from((given) => collections.listCollections({ ...given, hasLeft: isDisconnected }, query)),
  );
  route(app, listAnalyses, ({ query }) => collections.listAnalyses(ctx, query));
  route(app, getOverview, ({ isDisconnected }) =>
    from((given) => collections.readOverview({ ...given, hasLeft: isDisconnected })),
  );
  download(app, exportCollection, ({ params, caller }) => openExport(ctx, caller, params.collection));
}
