import type { FastifyInstance } from 'fastify';

import type { Phase } from './platform/lifecycle.ts';

const LAST_ANSWERS_MS = 2_000;

/** While the process drains every answer is the last one of its connection, so that nobody asks on one that is about to close. */
export function hangUpWhileStopping(app: FastifyInstance, phase: () => Phase): void {
  app.server.on('request', (_request, response) => {
    if (phase() === 'stopping' && !response.headersSent) response.setHeader('connection', 'close');
  });
}

/** Whoever has stopped reading would never let go of its connection. */
export async function closeWeb(app: FastifyInstance): Promise<void> {
  const cut = setTimeout(() => app.server.closeAllConnections(), LAST_ANSWERS_MS);
  await app.close();
  clearTimeout(cut);
}
