import type { FastifyInstance } from 'fastify';

import { AppError } from '#server/platform/errors.ts';
import { route } from '#server/platform/route.ts';

import {
  changeThreshold,
  createThreshold,
  deleteThreshold,
  listThresholds,
  previewThreshold,
  rearmThreshold,
  saveThresholds,
} from '../contract.ts';
import { createAllowance } from './preview/allowance.ts';
import { previewRule } from './preview/preview.ts';
import { addRule, changeRule, listRules, rearmRule, removeRule, saveRules } from './service/lists.ts';
import type { Thresholds } from './service.ts';

/** The longest list, each alert with the longest texts. */
const LIST_BYTES = 2 * 1024 * 1024;

export function thresholdsRoutes(app: FastifyInstance, thresholds: Thresholds): void {
  const { ctx, histories } = thresholds;
  const allowance = createAllowance(ctx.now);
  route(app, listThresholds, ({ caller }) => listRules(thresholds, caller));
  route(app, saveThresholds, ({ caller, body, ifMatch }) => saveRules(thresholds, caller, body.thresholds, ifMatch), {
    bodyLimit: LIST_BYTES,
  });
  route(app, createThreshold, ({ caller, body, ifMatch }) => addRule(thresholds, caller, body, ifMatch));
  route(app, changeThreshold, ({ caller, params, body, ifMatch }) =>
    changeRule(thresholds, caller, params.id, body, ifMatch),
  );
  route(app, deleteThreshold, async ({ caller, params, ifMatch }) =>
    (await removeRule(thresholds, caller, params.id, ifMatch)).of({ ok: true as const }),
  );
  route(app, rearmThreshold, ({ caller, params }) => rearmRule(thresholds, caller, params.id));
  route(app, previewThreshold, ({ caller, body }) => {
    const seconds = allowance.take(caller.userId);
    if (seconds > 0)
      throw new AppError('rate_limited', 'That was quick. The preview goes on in a moment.', {
        retryAfterSeconds: seconds,
      });
    return previewRule(ctx, body, { histories });
  });
}
