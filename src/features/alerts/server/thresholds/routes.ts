import type { FastifyInstance } from 'fastify';
import {
  changeThreshold,
  createThreshold,
  deleteThreshold,
  listThresholds,
  previewThreshold,
  rearmThreshold,
  saveThresholds,
} from '#features/alerts/contract/thresholds.ts';
import { route } from '#kernel/route.ts';
import { addRule, changeRule, listRules, rearmRule, removeRule, saveRules } from './service/lists.ts';
import type { Thresholds } from './service.ts';

/** Fits the longest list, with the longest texts. */
const LIST_BYTES = 2 * 1024 * 1024;

export function thresholdsRoutes(app: FastifyInstance, thresholds: Thresholds): void {
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
  route(app, previewThreshold, ({ caller, body }) => thresholds.preview(caller.userId, body));
}
