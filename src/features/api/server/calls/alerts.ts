import { readAlerts as alertsOf } from '#features/alerts/server/service.ts';
import { createRule, previewRule, readAlerts, readThresholds } from '#features/api/contract.ts';
import { addRule, listRules } from '#features/thresholds/server/service.ts';
import { AppError } from '#server/platform/errors.ts';

import { type ApiCall, apiCall } from '../call.ts';
import type { ApiDeps } from '../context.ts';
import { cursorAt, pageOf, placeIn } from '../paging.ts';

export const alertCalls = (deps: ApiDeps): ApiCall[] => {
  const { thresholds } = deps;
  const head = () => ({ timestamp: deps.now().toISOString(), dataMode: deps.mode });
  return [
    apiCall(readAlerts, {
      tag: 'Alerts',
      summary: 'Alerts that were raised',
      about:
        'What was raised for everyone and by the rules of the owner of the key, newest first. `value` is in the unit of the metric; `receipt` is the way from the source to the reader.',
      list: 'alerts',
      async answer({ query: { limit, cursor }, caller }) {
        const before = cursor === undefined ? undefined : placeIn('alerts', cursor).number;
        if (before === 0) throw new AppError('bad_request', 'The cursor is none of this list');
        const found = await alertsOf(deps.alerts.ctx, caller.userId, { limit: limit + 1, before });
        const alerts = found.slice(0, limit);
        const last = alerts.at(-1);
        return { ...head(), alerts, nextCursor: last && found.length > limit ? cursorAt('alerts', last.id) : null };
      },
    }),
    apiCall(readThresholds, {
      tag: 'Alerts',
      summary: 'The rules of the owner of the key',
      about: 'Each with its state, the watched value now, and why it is paused where it is.',
      list: 'thresholds',
      async answer({ query, caller }) {
        const { value } = await listRules(thresholds, caller);
        const { rows, nextCursor } = pageOf('thresholds', value, ({ id }) => id, query);
        return { ...head(), thresholds: rows, nextCursor };
      },
    }),
    apiCall(createRule, {
      tag: 'Alerts',
      summary: 'Create an alert rule',
      about:
        'The rule watches from now on and tells by the ways that are switched on in the profile. The same checks as on the alerts page.',
      async answer({ body, caller }) {
        return (await addRule(thresholds, caller, body)).value;
      },
    }),
    apiCall(previewRule, {
      tag: 'Alerts',
      summary: 'Try an alert rule on the past',
      about:
        'What the rule would have done on up to 90 days of stored values: when it would have fired, how often a week, and what the price did afterwards. Nothing is saved.',
      async answer({ body, caller }) {
        return { ...(await thresholds.preview(caller.userId, body)), dataMode: deps.mode };
      },
    }),
  ];
};
