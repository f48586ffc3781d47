import { predictionSetOf } from '#features/analysis/server/service.ts';
import { fromPast, readMatrix, readRisk, readSummary } from '#features/analytics/server/service.ts';
import {
  readAnalysis,
  readAnalyticsCorrelation,
  readAnalyticsRisk,
  readAnalyticsSummary,
  readPredictions,
  readTrackRecord,
  readTrackRecordCalls,
} from '#features/api/contract.ts';
import { readCalls, summaryOf } from '#features/predictions/server/service.ts';
import { AppError } from '#server/platform/errors.ts';

import { type ApiCall, apiCall, openCall } from '../call.ts';
import type { ApiDeps } from '../context.ts';
import { cursorAt, placeIn } from '../paging.ts';
import { dashboardOf, withAsOf } from './market.ts';

const PREMIUM = 'For Premium+.';

export const analysisCalls = (deps: ApiDeps): ApiCall[] => [
  openCall(readAnalysis, {
    tag: 'Analysis',
    summary: 'The newest analysis, and each opinion in it',
    about:
      'Direction, probabilities and reasons for a day, 7, 28 and 180 days: of all analysts together and of each. Confidence in percent, probabilities 0 to 1. `missing` names who could have spoken and why not.',
    async answer({ query, plan }) {
      const dashboard = await dashboardOf(deps, query.asOf, plan);
      const { timestamp, dataMode, aiAnalysis = null } = dashboard;
      return { timestamp, dataMode, aiAnalysis, ...withAsOf(dashboard) };
    },
  }),
  openCall(readPredictions, {
    tag: 'Analysis',
    summary: 'The newest predictions, in short',
    about:
      'Short, medium and long term (7, 28 and 180 days): direction, confidence in percent, reasoning. Null before the first analysis.',
    answer: () => ({ ...predictionSetOf(deps.analysis.current()), dataMode: deps.mode }),
  }),
  openCall(readTrackRecord, {
    tag: 'Analysis',
    summary: 'How the predictions did',
    about:
      'Every graded call summed up: accuracies in percent, correlations −1 to 1, and per analyst and horizon what makes them honest: n, intervals, Brier score, skill against climatology and one plain word.',
    async answer({ query, plan }) {
      if (query.asOf === undefined) {
        const record = deps.predictions.record();
        return { ...record, dataMode: deps.mode, recent_hits: summaryOf(record).recent_hits };
      }
      const { backtestResults, asOf, dataMode } = await dashboardOf(deps, query.asOf, plan);
      if (!backtestResults) throw new AppError('not_found', 'No record of that moment is kept');
      return { ...backtestResults, dataMode, asOf };
    },
  }),
  apiCall(readTrackRecordCalls, {
    tag: 'Analysis',
    summary: 'Every call as it was frozen, with its outcome',
    about: 'Newest first. Probabilities and price at issue, and what came: `seq` is its entry in the public ledger.',
    list: 'calls',
    async answer({ query }) {
      const { provider, asset, horizon, state, limit, cursor } = query;
      const before = cursor === undefined ? undefined : placeIn('calls', cursor).number;
      if (before === 0) throw new AppError('bad_request', 'The cursor is none of this list');
      const { calls, next } = await readCalls(deps.db, { provider, asset, horizon, state, limit, before });
      const nextCursor = next === null ? null : cursorAt('calls', next);
      return { timestamp: deps.now().toISOString(), dataMode: deps.mode, calls, nextCursor };
    },
  }),
  apiCall(readAnalyticsSummary, {
    tag: 'Analysis',
    summary: 'Volume, volatility and trend of the tracked assets',
    about: `Volume in USD, volatility, change and dominance in percent. ${PREMIUM}`,
    answer: () => ({ timestamp: deps.now().toISOString(), dataMode: deps.mode, summary: readSummary(deps) }),
  }),
  apiCall(readAnalyticsRisk, {
    tag: 'Analysis',
    summary: 'Risk of the tracked assets',
    about: `Volatility in percent a year, Sharpe and Sortino ratios, drawdown in percent, beta to BTC, of 30, 90 or 365 daily closes. ${PREMIUM}`,
    async answer({ query }) {
      const days = Number(query.days);
      return {
        timestamp: deps.now().toISOString(),
        dataMode: deps.mode,
        days,
        risk: await fromPast(deps, (past) => readRisk(past, days)),
      };
    },
  }),
  apiCall(readAnalyticsCorrelation, {
    tag: 'Analysis',
    summary: 'Correlations between assets',
    about: `Of daily log returns, −1 to 1, row by row: \`pairs[i][j]\` is of \`assets[i]\` and \`assets[j]\`. A pair with too little common past is a stated default. ${PREMIUM}`,
    async answer({ query }) {
      const matrix = await fromPast(deps, (past) => readMatrix(past, Number(query.days), Number(query.assets)));
      return { ...matrix, dataMode: deps.mode };
    },
  }),
];
