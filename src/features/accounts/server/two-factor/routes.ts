import type { FastifyInstance } from 'fastify';
import {
  completeTwoFactor,
  disableTwoFactor,
  enableTwoFactor,
  getTwoFactor,
  proveByCode,
  renewBackupCodes,
  setUpTwoFactor,
} from '#features/accounts/contract/two-factor.ts';
import { type AuthContext, originOf } from '#features/accounts/server/auth/service.ts';
import { route } from '#kernel/route.ts';
import * as twoFactor from './service.ts';

export function twoFactorRoutes(app: FastifyInstance, ctx: AuthContext): void {
  route(app, completeTwoFactor, ({ body, from }) => twoFactor.completeSignIn(ctx, body, originOf(from)));
  route(app, getTwoFactor, ({ caller }) => twoFactor.readState(ctx, caller));
  route(app, proveByCode, ({ caller, body, from }) => twoFactor.proveByCode(ctx, caller, body.code, originOf(from)));
  route(app, setUpTwoFactor, ({ caller }) => twoFactor.setUp(ctx, caller));
  route(app, enableTwoFactor, ({ caller, body, from }) => twoFactor.enable(ctx, caller, body.code, originOf(from)));
  route(app, disableTwoFactor, async ({ caller, from }) => {
    await twoFactor.disable(ctx, caller, originOf(from));
    return { success: true as const };
  });
  route(app, renewBackupCodes, ({ caller, from }) => twoFactor.renewBackupCodes(ctx, caller, originOf(from)));
}
