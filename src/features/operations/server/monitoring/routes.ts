import type { FastifyInstance } from 'fastify';

import { admit } from './access.ts';
import type { Monitoring } from './service.ts';

const TEXT = 'text/plain; version=0.0.4; charset=utf-8';

/** GET /metrics for Prometheus. Not part of the API: it has another format and no accounts. */
export function monitoringRoutes(app: FastifyInstance, { token, scrape }: Monitoring): void {
  app.get('/metrics', { config: { ownToken: true }, exposeHeadRoute: false }, async (request, reply) => {
    admit(request.raw, token);
    return reply.type(TEXT).send(await scrape());
  });
}
