import type { Auth, AuthContext } from '#features/accounts/server/auth/service.ts';
import { type FeatureContext, feature } from '#kernel/feature.ts';
import { HASH, ownedBy, QUEUE } from '#kernel/personal-data.ts';
import type { Topic } from '#shared/contract.ts';

import type { ApiDeps } from './api/context.ts';
import { apiRoutes } from './api/routes.ts';
import { type ApiReads, apiCalls, createApiReads } from './api/service.ts';
import { apiKeysRoutes } from './api-keys/routes.ts';
import { type ApiKeys, createApiKeys } from './api-keys/service.ts';
import { mcpRoutes } from './mcp/routes.ts';
import { widgetsRoutes } from './widgets/routes.ts';

type Routes = Omit<ApiDeps, keyof AuthContext | 'latest' | 'nextCollection'> & {
  auth: Auth;
  apiKeys: ApiKeys;
  models: { api: ApiReads };
  topics: readonly Topic[];
  nextCollection: (at: Date) => Date | null;
  documentHeaders: Parameters<typeof apiRoutes>[2]['documentHeaders'];
  transport: Record<string, string>;
};

export const api = feature({
  name: 'api',
  create: ({ auth, listener }: FeatureContext & { auth: Auth }) => ({
    apiKeys: createApiKeys({ ...auth.ctx, listener }),
  }),
  readModels: ({ errorHandler }) => ({ api: createApiReads(errorHandler('A public API response')) }),
  routes(app, parts: Routes) {
    const { auth, apiKeys, live, models, topics, documentHeaders } = parts;
    const { now, publicUrl } = auth.ctx;
    const nextCollection = (at: Date = now()) => parts.nextCollection(at);
    const deps = { ...parts, ...auth.ctx, nextCollection, latest: models.api.latest };
    const calls = apiCalls(deps);
    apiKeysRoutes(app, apiKeys);
    apiRoutes(app, calls, { ...models.api, apiKeys, live, topics, publicUrl, documentHeaders });
    mcpRoutes(app, apiKeys.gate, calls, deps);
    widgetsRoutes(app, deps, parts.transport);
  },
  personalData: [
    ownedBy('api_keys', 'created_at name hint scopes last_used usage_count ended_at', {
      id: QUEUE,
      hash: HASH,
      old_hash: HASH,
      old_until: QUEUE,
    }),
    ownedBy('api_days', 'day spent refused', { leased: QUEUE, told: QUEUE }),
  ],
});
