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
import { type AuthContext, toOrigin } from '#features/accounts/server/auth/service.ts';
import { route } from '#kernel/route.ts';
import * as twoFactor from './service.ts';

export function twoFactorRoutes(app: FastifyInstance, ctx: AuthContext): void {
  route(app, completeTwoFactor, ({ body, from }) => twoFactor.completeSignIn(ctx, body, toOrigin(from)));
  route(app, getTwoFactor, ({ caller }) => twoFactor.readState(ctx, caller));
  route(app, proveByCode, ({ caller, body, from }) => twoFactor.proveByCode(ctx, caller, body.code, toOrigin(from)));
  route(app, setUpTwoFactor, ({ caller }) => twoFactor.setUp(ctx, caller));
  route(app, enableTwoFactor, ({ caller, body, from }) => twoFactor.enable(ctx, caller, body.code, toOrigin(from)));
  route(app, disableTwoFactor, async ({ caller, from }) => {
    await twoFactor.disable(ctx, caller, toOrigin(from));
    return { success: true as const };
  });
  route(app, renewBackupCodes, ({ caller, from }) => twoFactor.renewBackupCodes(ctx, caller, toOrigin(from)));
}
