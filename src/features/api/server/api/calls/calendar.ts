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

import { type ApiCall, openCall, pageOf } from '../call.ts';
import type { ApiDeps } from '../context.ts';

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
      summary: 'Upcoming events and those of the last 7 days',
      about:
        'Data releases, central bank meetings, option expiries and crypto events with source, impact and the reason for the impact rating. Upcoming events come first, soonest first. Times are in UTC. `upcomingCounts` is the number of upcoming events by impact.',
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
        'Latest official data: index levels, month-over-month and year-over-year changes in percent, expectations, 24 months of history and upcoming releases.',
      async answer({ query: { asOf }, plan }) {
        if (asOf === undefined) return { ...inflation.latest(), dataMode };
        return { ...(await inflationAt(deps, asOf, plan)).latest, dataMode, asOf };
      },
    }),
    openCall(readInflationReleases, {
      tag: 'Calendar',
      summary: 'Inflation releases',
      about: 'Releases of the last `days` days, newest first, and the next scheduled releases.',
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
      summary: 'Forecasts of the next CPI and PCE releases',
      about:
        'Month-over-month forecasts in percent by forecaster, frozen before the release, with past accuracy compared with consensus, nowcast and last value.',
      async answer({ query: { asOf }, plan }) {
        if (asOf === undefined) return { ...inflation.forecasts(), dataMode };
        const { forecasts, latest } = await inflationAt(deps, asOf, plan);
        return { timestamp: latest.timestamp, forecasts, dataMode, asOf };
      },
    }),
    openCall(readInflationExpectations, {
      tag: 'Calendar',
      summary: 'Expectations for the latest releases',
      about:
        'Consensus, nowcast and actual in percent per month (year over year for `yoy`), and `surprise` in percentage points.',
      async answer({ query: { asOf }, plan }) {
        if (asOf === undefined) return { ...inflation.expectations(), dataMode };
        const { expectations, latest } = await inflationAt(deps, asOf, plan);
        return { timestamp: latest.timestamp, expectations, dataMode, asOf };
      },
    }),
    openCall(readInflationSentiment, {
      tag: 'Calendar',
      summary: 'Inflation sentiment',
      about:
        'Market implications of the latest inflation data on a seven-step scale, with the score and its components.',
      async answer({ query: { asOf }, plan }) {
        if (asOf === undefined) return { ...inflation.sentiment(), dataMode };
        const { reading, latest } = await inflationAt(deps, asOf, plan);
        return { timestamp: latest.timestamp, data: reading, dataMode, asOf };
      },
    }),
  ];
};
