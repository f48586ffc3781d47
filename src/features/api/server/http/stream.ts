import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { readStream } from '#features/api/contract.ts';
import type { Gate } from '#features/api-keys/server/service.ts';
import { AppError } from '#server/platform/errors.ts';
import type { Live } from '#server/platform/live/live.ts';
import { checkAccess } from '#server/platform/route.ts';
import type { Topic } from '#shared/contract.ts';

import { CORS } from './headers.ts';
import { apiInput } from './input.ts';

/** A stream ends after so long, and its reader comes back where it was: a key that has ended meanwhile is refused then. */
const RECHECK_MS = 15 * 60_000;

/** Topics of the alerts ask for their scope. */
const ALERTS = 'alerts';

export function apiStream(
  app: FastifyInstance,
  gate: Gate,
  live: Live,
  topics: readonly Topic[],
  onRequest: (request: FastifyRequest, reply: FastifyReply, done: () => void) => void,
): void {
  const open = topics.filter(({ access }) => access === 'public').map(({ name }) => name);

  app.get(readStream.path, { exposeHeadRoute: false, onRequest }, async (request, reply) => {
    const admission = await gate.admit(request.headers, readStream.scope);
    const { caller, headers } = admission;
    reply.headers(headers);
    const { query } = apiInput({ endpoint: readStream }, request);
    const names = query['topics'] === undefined ? open : String(query['topics']).split(',');
    for (const name of names) {
      const topic = topics.find((each) => each.name === name);
      if (!topic) throw new AppError('bad_request', `There is no topic "${name.slice(0, 100)}"`);
      checkAccess(topic.access, caller);
      if (name === ALERTS && !caller.scopes.includes('alerts'))
        throw new AppError('forbidden', 'This API key may not do this: it needs alerts');
    }
    reply.hijack();
    for (const [name, value] of Object.entries({ ...CORS, ...headers })) reply.raw.setHeader(name, value);
    await live.hub.connect(request.raw, reply.raw, { topics: new Set(names), owner: caller, endsInMs: RECHECK_MS });
  });
}
