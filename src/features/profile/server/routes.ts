import type { FastifyInstance } from 'fastify';

import type { AuthContext } from '#features/auth/server/service.ts';
import { cancelEmailChange, getSubscription, updateProfile } from '#features/subscriptions/contract.ts';
import { route } from '#server/platform/route.ts';

import * as profile from './service.ts';

export function profileRoutes(app: FastifyInstance, ctx: AuthContext): void {
  route(app, getSubscription, ({ caller }) => profile.readSubscription(ctx, caller));
  route(app, updateProfile, ({ caller, body }) => profile.updateProfile(ctx, caller, body));
  route(app, cancelEmailChange, ({ caller }) => profile.cancelPendingEmail(ctx, caller));
}
