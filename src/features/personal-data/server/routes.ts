import type { FastifyInstance } from 'fastify';

import { type AuthContext, originOf } from '#features/auth/server/service.ts';
import { download } from '#server/platform/route.ts';

import { downloadPersonalData } from '../contract.ts';
import { makePersonalData } from './service.ts';

export function personalDataRoutes(app: FastifyInstance, ctx: AuthContext): void {
  download(app, downloadPersonalData, ({ caller, from }) => makePersonalData(ctx, caller, originOf(from).network));
}
