import type { FastifyInstance } from 'fastify';

import type { Topic } from '#shared/contract.ts';

import { AppError } from '../errors.ts';
import { checkAccess } from '../route.ts';
import type { Live } from './live.ts';

/** GET /api/stream?topics=a,b: server-sent events. Without `topics` every public one. */
export function streamRoute(app: FastifyInstance, live: Live, topics: Topic[]): void {
  const byName = new Map(topics.map((topic) => [topic.name, topic]));
  const open = topics.filter((topic) => topic.access === 'public').map((topic) => topic.name);

  // A HEAD answer has no body to stream.
  app.get('/api/stream', { exposeHeadRoute: false }, async (request, reply) => {
    const wanted = String((request.query as { topics?: string | string[] }).topics ?? '');
    const names = wanted === '' ? open : wanted.split(',');
    for (const name of names) {
      const topic = byName.get(name);
      if (!topic) throw new AppError('bad_request', `There is no topic "${name}"`);
      checkAccess(topic.access, request.caller);
    }
    reply.hijack();
    await live.hub.connect(request.raw, reply.raw, new Set(names));
  });
}
