import type { FastifyInstance } from 'fastify';
import {
  addPasskey,
  listPasskeys,
  passkeyLogin,
  removePasskey,
  startPasskey,
  startPasskeyLogin,
} from '#features/accounts/contract/passkeys.ts';
import { type AuthContext, readBearer, toOrigin } from '#features/accounts/server/auth/service.ts';
import { route } from '#kernel/route.ts';
import * as own from './service.ts';
import * as signingIn from './service.ts';
import * as store from './store.ts';

export function passkeysRoutes(app: FastifyInstance, ctx: AuthContext): void {
  route(app, listPasskeys, async ({ caller }) => ({ passkeys: await store.listPasskeys(ctx.db, caller.userId) }));
  route(app, startPasskey, ({ caller }) => own.startPasskey(ctx, caller));
  route(app, addPasskey, ({ caller, body, from }) => own.addPasskey(ctx, caller, body, toOrigin(from)));
  route(app, removePasskey, async ({ caller, params, from }) => {
    await own.removePasskey(ctx, caller, Number(params.id), toOrigin(from));
    return { success: true as const };
  });
  route(app, startPasskeyLogin, ({ caller, from }) => signingIn.startSignIn(ctx, caller, toOrigin(from)));
  route(app, passkeyLogin, ({ caller, body, from }) => {
    const bearer = readBearer(from.authorization ?? '');
    return signingIn.signIn(ctx, body, { caller, bearer, origin: toOrigin(from) });
  });
}
