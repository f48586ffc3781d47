import { randomUUID } from 'node:crypto';

import Fastify, { type FastifyInstance } from 'fastify';
import { nameCallers } from '#features/accounts/server/auth/hook.ts';
import { redeemTicket } from '#features/accounts/server/auth/service.ts';
import { listForAdmin } from '#features/api/server/api-keys/service/keys.ts';
import { earlyErrors, handleErrors } from '#kernel/error-handler.ts';
import { streamRoute } from '#kernel/live/route.ts';
import { demoMailRoute } from '#kernel/mail/demo-mail.ts';
import { compressTexts } from '#kernel/read-model.ts';
import type { RequestWatch } from '#kernel/request-watch.ts';
import { allowEmptyJson } from '#kernel/route.ts';
import { answerDirectly } from '#kernel/serve.ts';
import { boundConnections, boundStreams, keepToOurselves, REQUEST_TIMEOUT, refuseTwoHosts } from './bounds.ts';
import { cacheAnswers, sharedHeaders } from './cache-answers.ts';
import { FEATURES, PERSONAL_DATA, type RouteParts, TOPICS } from './compose.ts';
import { transportHeaders } from './pages/document.ts';
import type { Pages } from './pages/pages.ts';

/** Added by `buildApp`. */
type Added =
  | 'topics'
  | 'personalData'
  | 'transport'
  | 'documentHeaders'
  | 'nextCollection'
  | 'requestBackfill'
  | 'keysOf';
type Deps = Omit<RouteParts, Added> & { pages: Pages; requests: RequestWatch | null };

const BODY_LIMIT = 256 * 1024;

/** All routes, one error shape. */
export function buildApp(deps: Deps): FastifyInstance {
  const { config, report, mail, live, auth, apiKeys, requests, scheduler, pages } = deps;
  const app = Fastify({
    bodyLimit: BODY_LIMIT,
    ...REQUEST_TIMEOUT,
    forceCloseConnections: 'idle',
    genReqId: () => randomUUID(),
    trustProxy: (_address, hop) => hop < config.TRUST_PROXY,
    routerOptions: { ignoreTrailingSlash: true },
    ...earlyErrors,
  });
  const transport = transportHeaders(config.PUBLIC_URL);
  boundConnections(app, config);
  allowEmptyJson(app);
  answerDirectly(app, auth.callers.known, requests);
  refuseTwoHosts(app);
  requests?.mount(app);
  nameCallers(app, auth.callers);
  cacheAnswers(app, config.CDN_TAGS);
  const always = { 'x-content-type-options': 'nosniff', ...transport };
  // Prepared buffers bring their own headers and pass by this hook.
  app.addHook('onSend', (request, reply, payload, done) => {
    reply.headers({ 'x-request-id': request.id, ...always });
    keepToOurselves(reply);
    done(null, payload);
  });
  compressTexts(app);

  handleErrors(app, report, (path) => (path.startsWith('/api/auth/') ? 'authentication' : 'system'));

  const parts: RouteParts = {
    ...deps,
    topics: TOPICS,
    personalData: PERSONAL_DATA,
    transport,
    documentHeaders: sharedHeaders('/api/openapi.json', config.CDN_TAGS),
    nextCollection: (at) => scheduler.nextRun(config.FULL_COLLECTION_CRON, at),
    requestBackfill: (coinId) => scheduler.send('market.backfill', { coinId }, { key: coinId, priority: 500 }),
    keysOf: (userId) => listForAdmin(apiKeys, userId),
  };
  for (const { routes } of FEATURES) routes?.(app, parts);
  if (deps.mode === 'demo') demoMailRoute(app, mail);
  streamRoute(app, live, TOPICS, (ticket) => redeemTicket(auth.ctx, ticket), boundStreams(config));
  pages.mount(app);
  return app;
}
