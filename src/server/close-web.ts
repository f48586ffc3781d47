import type { FastifyInstance } from 'fastify';

const LAST_ANSWERS_MS = 2_000;

/** Whoever has stopped reading would never let go of its connection. */
export async function closeWeb(app: FastifyInstance): Promise<void> {
  const cut = setTimeout(() => app.server.closeAllConnections(), LAST_ANSWERS_MS);
  await app.close();
  clearTimeout(cut);
}
