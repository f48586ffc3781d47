import type { FastifyInstance } from 'fastify';

import { download, route } from '#server/platform/route.ts';

import { exportCollection, getOverview, listAnalyses, listCollections } from '../contract.ts';
import type { CollectionsContext } from './context.ts';
import { openExport } from './service/export.ts';
import * as collections from './service.ts';

export function collectionsRoutes(app: FastifyInstance, ctx: CollectionsContext): void {
  route(app, listCollections, ({ query }) => collections.listCollections(ctx, query));
  route(app, listAnalyses, ({ query }) => collections.listAnalyses(ctx, query));
  route(app, getOverview, () => collections.readOverview(ctx));
  download(app, exportCollection, ({ params, caller }) => openExport(ctx, caller, params.collection));
}
