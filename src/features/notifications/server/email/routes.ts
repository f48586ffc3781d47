import type { FastifyInstance } from 'fastify';
import { getEmailStatus, resumeEmail } from '#features/notifications/contract/email.ts';
import { route } from '#kernel/route.ts';
import * as status from './suppressions.ts';
import { type UnsubscribeContext, unsubscribeRoute } from './unsubscribe.ts';

export function emailRoutes(app: FastifyInstance, ctx: UnsubscribeContext): void {
  route(app, getEmailStatus, ({ caller }) => status.readStatus(ctx, caller.userId));
  route(app, resumeEmail, ({ caller }) => status.resume(ctx, caller.userId));
  unsubscribeRoute(app, ctx);
}
