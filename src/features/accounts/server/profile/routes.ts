import type { FastifyInstance } from 'fastify';

import { cancelEmailChange, getSubscription, updateProfile } from '#features/accounts/contract/subscriptions.ts';
import { route } from '#kernel/route.ts';

import * as profile from './service.ts';

export function profileRoutes(app: FastifyInstance, ctx: profile.ProfileContext): void {
  route(app, getSubscription, ({ caller }) => profile.readSubscription(ctx, caller));
  route(app, updateProfile, ({ caller, body }) => profile.updateProfile(ctx, caller, body));
  route(app, cancelEmailChange, ({ caller }) => profile.cancelPendingEmail(ctx, caller));
}
