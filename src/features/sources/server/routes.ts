import type { FastifyInstance } from 'fastify';

import { route } from '#server/platform/route.ts';
import type { SourceSet } from '#server/platform/source-set.ts';
import type { DataMode } from '#shared/provenance.ts';

import { listSources } from '../contract.ts';

type Deps = { sources: SourceSet; mode: DataMode; now: () => Date };

export function sourcesRoutes(app: FastifyInstance, { sources, mode, now }: Deps): void {
  route(app, listSources, async () => ({
    timestamp: now().toISOString(),
    dataMode: mode,
    sources: await sources.records(),
  }));
}
