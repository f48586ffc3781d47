import type { FastifyInstance } from 'fastify';

import type { Callers } from './callers.ts';

/** Resolves the caller of every request with a token. An unknown token is anonymous. */
export function nameCallers(app: FastifyInstance, callers: Callers): void {
  app.decorateRequest('caller', null);
  app.addHook('onRequest', (request, _reply, done) => {
    const { authorization } = request.headers;
    if (authorization === undefined || request.routeOptions.config.ownToken) return done();
    const known = callers.known(authorization);
    if (known) {
      request.caller = known;
      return done();
    }
    callers.read(authorization).then((caller) => {
      request.caller = caller;
      done();
    }, done);
    return undefined;
  });
  // A write may end the caller's session or change the plan: this process must not wait for the notification of it.
  app.addHook('onSend', (request, _reply, _payload, done) => {
    if (request.caller && request.method !== 'GET' && request.method !== 'HEAD') callers.forget(request.caller.userId);
    done();
  });
}
