import type { FastifyInstance } from 'fastify';
import { originOf } from '#features/accounts/server/auth/service.ts';
import {
  countUsers,
  deleteUser,
  disableUser,
  enableUser,
  endUserSessions,
  getUserDetail,
  getUserReceipt,
  listUsers,
  resendUserConfirmation,
  setUserPlan,
} from '#features/operations/contract/admin.ts';
import { type Caller, downloadWhole, type From, route } from '#kernel/route.ts';
import { BRAND } from '#shared/brand.ts';

import type { AdminContext } from '../context.ts';
import * as accounts from '../service/accounts.ts';
import { drawUserReceipt, readDetail } from '../service/detail.ts';
import * as users from '../service/users.ts';

type Asked = { caller: Caller; from: From; params: { id: string } };
const actOf = ({ caller, from, params }: Asked): accounts.Act => ({
  caller,
  origin: originOf(from),
  userId: Number(params.id),
});

export function userRoutes(app: FastifyInstance, ctx: AdminContext): void {
  route(app, listUsers, ({ query }) => users.listUsers(ctx, query.q));
  route(app, countUsers, async ({ query }) => ({ total: await users.countUsers(ctx, query.q) }));
  route(app, getUserDetail, ({ params }) => readDetail(ctx, Number(params.id)));
  route(app, setUserPlan, ({ caller, params, body, from }) =>
    users.setPlan(ctx, caller, originOf(from), Number(params.id), body),
  );
  route(app, deleteUser, (asked) => accounts.remove(ctx, actOf(asked)));
  route(app, disableUser, (asked) => accounts.disable(ctx, actOf(asked), asked.body.reason));
  route(app, enableUser, (asked) => accounts.enable(ctx, actOf(asked)));
  route(app, resendUserConfirmation, (asked) => accounts.resendConfirmation(ctx, actOf(asked)));
  route(app, endUserSessions, (asked) => accounts.signOut(ctx, actOf(asked), asked.body.session));
  downloadWhole(app, getUserReceipt, async ({ caller, params, from }) => {
    const wanted = { userId: Number(params.id), receipt: params.receipt };
    const { number, bytes } = await drawUserReceipt(ctx, caller, originOf(from), wanted);
    const fileName = `${BRAND.name.toLowerCase()}-receipt-${number.replaceAll(/[^\w-]/g, '-')}.pdf`;
    return { type: 'application/pdf', fileName, bytes };
  });
}
