import type { FastifyInstance } from 'fastify';

import type { Gate } from '#features/api-keys/server/service.ts';

import type { ApiCall } from './calls.ts';

/** Mounts the public API: each call is paid for before it is answered, and given back when it fails by our fault. */
export function apiRoutes(app: FastifyInstance, gate: Gate, calls: readonly ApiCall[]): void {
  for (const { endpoint, answer } of calls)
    app.route({
      method: endpoint.method,
      url: endpoint.path,
      handler: async (request, reply) => {
        const { caller, headers, giveBack } = await gate.admit(request.headers, endpoint.scope);
        reply.headers(headers);
        try {
          return endpoint.reply.parse(await answer({ params: undefined, query: undefined, body: undefined, caller }));
        } catch (error) {
          giveBack();
          throw error;
        }
      },
    });
}
