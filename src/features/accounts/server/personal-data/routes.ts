import type { FastifyInstance } from 'fastify';
import { downloadPersonalData } from '#features/accounts/contract/personal-data.ts';
import { type AuthContext, toOrigin } from '#features/accounts/server/auth/service.ts';
import { download } from '#kernel/route.ts';
import { buildPersonalData, type PersonalDataTables } from './service.ts';

export function personalDataRoutes(app: FastifyInstance, ctx: AuthContext, personalData: PersonalDataTables): void {
  download(app, downloadPersonalData, ({ caller, from }) =>
    buildPersonalData(ctx, personalData, caller, toOrigin(from).network),
  );
}
