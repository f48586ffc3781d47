import { readHistory } from '#features/api/contract.ts';
import { answerHistory } from '#features/history/server/service.ts';

import { type ApiCall, apiCall } from '../call.ts';
import type { ApiDeps } from '../context.ts';

export const pastCalls = (deps: ApiDeps): ApiCall[] => [
  apiCall(readHistory, {
    tag: 'Market',
    summary: 'Stored values of the past',
    about:
      'Newest first: value with its unit, source and method, and the change against the next older value of the same symbol. `from` and `to` are included. `limitedToDays` is what the plan shows; null is everything.',
    list: 'records',
    async answer({ params, query, caller }) {
      return { ...(await answerHistory(deps, params.type, query, caller)), dataMode: deps.mode };
    },
  }),
];
