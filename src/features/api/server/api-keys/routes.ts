import type { FastifyInstance } from 'fastify';

import { toOrigin } from '#features/accounts/server/auth/service.ts';
import { createKey, deactivateKey, getUsage, listKeys, regenerateKey } from '#features/api/contract/api-keys.ts';
import { route } from '#kernel/route.ts';
import * as own from './service/keys.ts';
import type { ApiKeys } from './service.ts';

export function apiKeysRoutes(app: FastifyInstance, keys: ApiKeys): void {
  route(app, listKeys, ({ caller }) => own.list(keys, caller));
  route(app, createKey, ({ caller, body, from }) => own.create(keys, caller, body, toOrigin(from)));
  route(app, getUsage, ({ caller }) => own.readUsage(keys, caller));
  route(app, regenerateKey, ({ caller, params, body, from }) =>
    own.regenerate(keys, caller, params.id, body, toOrigin(from)),
  );
  route(app, deactivateKey, async ({ caller, params, from }) => {
    await own.deactivate(keys, caller, params.id, toOrigin(from));
    return { success: true as const };
  });
}
