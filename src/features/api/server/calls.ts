import type { ApiCall } from './call.ts';
import { accountCalls } from './calls/account.ts';
import { alertCalls } from './calls/alerts.ts';
import { analysisCalls } from './calls/analysis.ts';
import { calendarCalls } from './calls/calendar.ts';
import { marketCalls } from './calls/market.ts';
import { pastCalls } from './calls/past.ts';
import type { ApiDeps } from './context.ts';

/** Every call of the public API, in the order of its documentation. */
export const apiCalls = (deps: ApiDeps): ApiCall[] => [
  ...marketCalls(deps),
  ...analysisCalls(deps),
  ...calendarCalls(deps),
  ...alertCalls(deps),
  ...pastCalls(deps),
  ...accountCalls(),
];
