import type { FastifyInstance } from 'fastify';

import { type AuthContext, originOf } from '#features/auth/server/service.ts';
import { route } from '#server/platform/route.ts';

import {
  completeTwoFactor,
  disableTwoFactor,
  enableTwoFactor,
  getTwoFactor,
  renewBackupCodes,
  setUpTwoFactor,
} from '../contract.ts';
import * as twoFactor from './service.ts';

export function twoFactorRoutes(app: FastifyInstance, ctx: AuthContext): void {
  route(app, completeTwoFactor, ({ body, from }) => twoFactor.completeSignIn(ctx, body, originOf(from)));
  route(app, getTwoFactor, ({ caller }) => twoFactor.readState(ctx, caller));
  route(app, setUpTwoFactor, ({ caller }) => twoFactor.setUp(ctx, caller));
  route(app, enableTwoFactor, ({ caller, body, from }) => twoFactor.enable(ctx, caller, body.code, originOf(from)));
  route(app, disableTwoFactor, async ({ caller, from }) => {
    await twoFactor.disable(ctx, caller, originOf(from));
    return { success: true as const };
  });
  route(app, renewBackupCodes, ({ caller, from }) => twoFactor.renewBackupCodes(ctx, caller, originOf(from)));
}
