import type { Socket } from 'node:net';

import type { FastifyInstance } from 'fastify';

import type { Topic } from '#shared/contract.ts';

import { AppError } from '../errors.ts';
import { type Caller, checkAccess } from '../route.ts';
import type { Live } from './live.ts';

type Query = { topics?: string | string[]; ticket?: string | string[]; lastEventId?: string | string[] };

/** Account of a ticket, and how long the plan it was issued for lasts; null for no end. */
export type TicketHolder = Caller & { endsInMs: number | null };
/** Throws when the network of the client has too many streams. */
type Admit = (ip: string, socket: Socket) => void;
/** A ticket is invalid afterwards. */
type Redeem = (ticket: string) => Promise<TicketHolder | null>;

/**
 * GET /api/stream?topics=a,b: server-sent events. Without `topics`, every public one. EventSource cannot send custom
 * headers, so an account's stream passes its `ticket` and its `lastEventId` in the query.
 */
export function streamRoute(app: FastifyInstance, live: Live, topics: Topic[], redeem: Redeem, admit: Admit): void {
  const byName = new Map(topics.map((topic) => [topic.name, topic]));
  const open = topics.filter((topic) => topic.access === 'public').map((topic) => topic.name);

  // A HEAD answer has no body to stream.
  app.get('/api/stream', { exposeHeadRoute: false }, async (request, reply) => {
    const query = request.query as Query;
    const wanted = String(query.topics ?? '');
    const holder = query.ticket === undefined ? null : await redeem(String(query.ticket));
    const caller = holder ?? request.caller;
    if (query.ticket !== undefined && !holder) throw new AppError('unauthenticated', 'Authentication required');
    const names = wanted === '' ? open : wanted.split(',');
    for (const name of names) {
      const topic = byName.get(name);
      if (!topic) throw new AppError('bad_request', `Unknown topic "${name}"`);
      checkAccess(topic.access, caller);
    }
    admit(request.ip, request.raw.socket);
    reply.hijack();
    await live.hub.connect(request.raw, reply.raw, {
      topics: new Set(names),
      owner: caller,
      endsInMs: holder?.endsInMs ?? null,
      lastEventId: query.lastEventId === undefined ? undefined : String(query.lastEventId),
    });
  });
}
