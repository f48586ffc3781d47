import { subscribe, unsubscribe } from 'node:diagnostics_channel';

import type { FastifyInstance } from 'fastify';

import { type Started, start } from './start.ts';

const MADE = 'fastify.initialization';

/** Every route that a product mounts, as 'GET /api/dashboard'; without the HEAD of each GET. */
export async function startWithRoutes(
  options: Parameters<typeof start>[0],
): Promise<{ s: Started; routes: ReadonlySet<string> }> {
  const routes = new Set<string>();
  const watch = (message: unknown) => {
    (message as { fastify: FastifyInstance }).fastify.addHook('onRoute', ({ method, url }) => {
      for (const each of [method].flat()) if (each !== 'HEAD' && each !== 'OPTIONS') routes.add(`${each} ${url}`);
    });
  };
  subscribe(MADE, watch);
  const s = await start(options);
  await s.product.app.ready();
  unsubscribe(MADE, watch);
  return { s, routes };
}
