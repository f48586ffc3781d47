import type { FastifyInstance, FastifyRequest } from 'fastify';

import { toOrigin } from '#features/accounts/server/auth/service.ts';
import {
  type ErrorLog,
  listErrors,
  reportClientError,
  resolveError,
} from '#features/operations/contract/error-logs.ts';
import { AppError } from '#kernel/errors.ts';
import { accessGuard, parseInput, route } from '#kernel/route.ts';
import { acceptReport, type ErrorLogsContext, resolveOne } from './service.ts';
import { countErrors, newestErrors } from './store.ts';

const PAGE = 50;
/** In bytes: the texts at their longest, escaped. */
const REPORT_LIMIT = 24 * 1024;

const placeIn = (before: string) => {
  const [ms, id] = before.split('-').map(Number) as [number, number];
  return { lastSeen: new Date(ms).toISOString(), id };
};
const nextAfter = (last: ErrorLog | undefined) => (last ? `${Date.parse(last.timestamp)}-${last.id}` : null);

/** Browsers send the requesting page's origin; a request without one is not from our page. */
function checkOrigin({ headers }: FastifyRequest, publicUrl: string): void {
  const { origin = '', host } = headers;
  const asking = URL.canParse(origin) ? new URL(origin) : null;
  const isOwn = asking !== null && (asking.host === host || asking.origin === new URL(publicUrl).origin);
  if (!isOwn) throw new AppError('forbidden', 'Only pages on this site may report errors');
}

export function errorLogsRoutes(app: FastifyInstance, ctx: ErrorLogsContext): void {
  const { db } = ctx;
  route(app, listErrors, async ({ query: { type, q, before } }) => {
    const wanted = { type, q, before: before === undefined ? undefined : placeIn(before), count: PAGE + 1 };
    const found = await newestErrors(db, wanted);
    const errors = found.slice(0, PAGE);
    return { errors, counts: await countErrors(db, q), next: found.length > PAGE ? nextAfter(errors.at(-1)) : null };
  });
  route(app, resolveError, async ({ caller, params }) => {
    await resolveOne(ctx, caller, params.id);
    return { success: true as const };
  });
  app.route({
    ...accessGuard(reportClientError),
    method: reportClientError.method,
    url: reportClientError.path,
    bodyLimit: REPORT_LIMIT,
    handler: async (request) => {
      checkOrigin(request, ctx.publicUrl());
      const { body, from } = parseInput(reportClientError, request);
      await acceptReport(ctx, body, toOrigin(from));
      return { success: true };
    },
  });
}
