import type { FastifyInstance } from 'fastify';
import { collectSource, listAdminSources, listSources } from '#features/operations/contract/sources.ts';
import { route } from '#kernel/route.ts';
import type { DataMode } from '#shared/provenance.ts';
import { collect, listForAdmins, type SourcesDeps } from './service.ts';

type Deps = SourcesDeps & { mode: DataMode };

export function sourcesRoutes(app: FastifyInstance, deps: Deps): void {
  const { sources, mode, now } = deps;
  route(app, listSources, async () => ({
    timestamp: now().toISOString(),
    dataMode: mode,
    sources: await sources.records(),
  }));
  route(app, listAdminSources, () => listForAdmins(deps));
  route(app, collectSource, ({ caller, params }) => collect(deps, caller, params.id));
}
