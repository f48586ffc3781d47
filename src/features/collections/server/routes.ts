import type { FastifyInstance } from 'fastify';

import { download, route } from '#server/platform/route.ts';

import { exportCollection, getOverview, listAnalyses, listCollections } from '../contract.ts';
import type { CollectionsContext } from './context.ts';
import { openExport } from './service/export.ts';
import * as collections from './service.ts';

export function collectionsRoutes(app: FastifyInstance, ctx: CollectionsContext): void {
  const from = <T>(make: (given: CollectionsContext) => Promise<T>) =>
    ctx.reads.answer((db) => make({ ...ctx, db }), { fresh: true });
  route(app, listCollections, ({ query }) => from((given) => collections.listCollections(given, query)));
  route(app, listAnalyses, ({ query }) => collections.listAnalyses(ctx, query));
  route(app, getOverview, () => from(collections.readOverview));
  download(app, exportCollection, ({ params, caller }) => openExport(ctx, caller, params.collection));
}
