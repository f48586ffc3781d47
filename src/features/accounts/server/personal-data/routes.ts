import type { FastifyInstance } from 'fastify';
import { downloadPersonalData } from '#features/accounts/contract/personal-data.ts';
import { type AuthContext, originOf } from '#features/accounts/server/auth/service.ts';
import { download } from '#kernel/route.ts';
import { makePersonalData, type PersonalDataTables } from './service.ts';

export function personalDataRoutes(app: FastifyInstance, ctx: AuthContext, personalData: PersonalDataTables): void {
  download(app, downloadPersonalData, ({ caller, from }) =>
    makePersonalData(ctx, personalData, caller, originOf(from).network),
  );
}
