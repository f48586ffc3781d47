import type { FastifyInstance } from 'fastify';

import type { Endpoint } from '#shared/contract.ts';

import { AppError } from './errors.ts';
import { type Prepared, type ReadModel, writePrepared } from './read-model.ts';
import { type Caller, checkAccess } from './route.ts';

/** For a request that wants something else than the prepared buffer; undefined when it does not. */
type Instead = (query: unknown, caller: Caller | null) => Promise<Prepared> | undefined;

/** Mounts a public read: a request picks a prepared buffer and writes it, whatever its query string says unless `instead` knows it. */
export function serve(
  app: FastifyInstance,
  endpoint: Endpoint,
  // biome-ignore lint/suspicious/noExplicitAny: the buffer hides the type
  modelFor: ReadModel<any> | ((caller: Caller | null) => ReadModel<any>),
  instead?: Instead,
): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: endpoint.path,
    handler: (request, reply) => {
      checkAccess(endpoint.access, request.caller);
      const other = instead?.(request.query, request.caller);
      if (other)
        return other.then((prepared) => {
          reply.hijack();
          writePrepared(request.raw, reply.raw, prepared);
        });
      const model = typeof modelFor === 'function' ? modelFor(request.caller) : modelFor;
      const prepared = model.current();
      if (!prepared)
        throw new AppError('unavailable', 'The first data are being collected. Please try again in a moment.');
      reply.hijack();
      writePrepared(request.raw, reply.raw, prepared);
      return undefined;
    },
  });
}
