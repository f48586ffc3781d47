import { checkMoment } from '#features/accounts/server/subscriptions/service.ts';
import {
  readEvents,
  readInflation,
  readInflationExpectations,
  readInflationForecasts,
  readInflationReleases,
  readInflationSentiment,
} from '#features/api/contract/api.ts';
import type { InflationEarlier } from '#features/inflation/contract.ts';
import type { Plan } from '#shared/contract.ts';

import { type ApiCall, openCall } from '../call.ts';
import type { ApiDeps } from '../context.ts';
import { pageOf } from '../paging.ts';

const DAYS = 7;

async function inflationAt(deps: ApiDeps, asOf: string, plan: Plan | null): Promise<InflationEarlier> {
  const moment = new Date(asOf);
  checkMoment(moment, deps.now(), plan);
  return deps.inflation.at(moment);
}

export const calendarCalls = (deps: ApiDeps): ApiCall[] => {
  const { inflation, mode: dataMode } = deps;
  return [
    openCall(readEvents, {
      tag: 'Calendar',
      summary: 'Events ahead, and those of the last 7 days',
      about:
        'Releases, meetings, expiries and crypto events with their impact, source and the reason for it. Future ones first, soonest first; times in UTC. `upcomingCounts` is how many are ahead by impact.',
      list: 'events',
      answer({ query }) {
        const { rows, nextCursor } = pageOf('events', deps.events.list(), ({ id }) => id, query);
        return {
          timestamp: deps.now().toISOString(),
          dataMode,
          events: rows,
          upcomingCounts: deps.events.counts(),
          nextCursor,
        };
      },
    }),
    openCall(readInflation, {
      tag: 'Calendar',
      summary: 'CPI, PCE and PPI',
      about:
        'The newest official figures: index levels, changes in percent by month and year, what was expected, 24 months of past, and the releases that come.',
      async answer({ query: { asOf }, plan }) {
        if (asOf === undefined) return { ...inflation.latest(), dataMode };
        return { ...(await inflationAt(deps, asOf, plan)).latest, dataMode, asOf };
      },
    }),
    openCall(readInflationReleases, {
      tag: 'Calendar',
      summary: 'Releases of official prices',
      about: 'Those of the last `days` days, newest first, and the next ones.',
      list: 'releases',
      async answer({ query, plan }) {
        const { asOf, days } = query;
        const page = <T extends { type: string; period: string }>(releases: T[]) =>
          pageOf('releases', releases, ({ type, period }) => `${type}-${period}`, query);
        if (asOf === undefined) {
          const all = inflation.releases(Number(days ?? DAYS));
          const { rows, nextCursor } = page(all.releases);
          return { ...all, releases: rows, dataMode, nextCursor };
        }
        const { releases, latest } = await inflationAt(deps, asOf, plan);
        const { rows, nextCursor } = page(releases);
        return { timestamp: latest.timestamp, releases: rows, next: latest.next, dataMode, nextCursor, asOf };
      },
    }),
    openCall(readInflationForecasts, {
      tag: 'Calendar',
      summary: 'Forecasts of the coming CPI and PCE',
      about:
        'Percent a month by each forecaster, frozen before the release, with how they did before against consensus, nowcast and last value.',
      async answer({ query: { asOf }, plan }) {
        if (asOf === undefined) return { ...inflation.forecasts(), dataMode };
        const { forecasts, latest } = await inflationAt(deps, asOf, plan);
        return { timestamp: latest.timestamp, forecasts, dataMode, asOf };
      },
    }),
    openCall(readInflationExpectations, {
      tag: 'Calendar',
      summary: 'What was expected of the newest releases',
      about:
        'Consensus and nowcast against what came, percent a month (a year for `yoy`); `surprise` in percentage points.',
      async answer({ query: { asOf }, plan }) {
        if (asOf === undefined) return { ...inflation.expectations(), dataMode };
        const { expectations, latest } = await inflationAt(deps, asOf, plan);
        return { timestamp: latest.timestamp, expectations, dataMode, asOf };
      },
    }),
    openCall(readInflationSentiment, {
      tag: 'Calendar',
      summary: 'What the newest inflation figures mean for markets',
      about: 'The sentiment in seven steps with its score and the terms it is made of.',
      async answer({ query: { asOf }, plan }) {
        if (asOf === undefined) return { ...inflation.sentiment(), dataMode };
        const { reading, latest } = await inflationAt(deps, asOf, plan);
        return { timestamp: latest.timestamp, data: reading, dataMode, asOf };
      },
    }),
  ];
};
