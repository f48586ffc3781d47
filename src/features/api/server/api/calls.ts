import { PLAN_NAMES } from '#features/accounts/contract/subscriptions.ts';
import { readAlerts as alertsOf } from '#features/alerts/server/alerts/service.ts';
import { addRule, listRules } from '#features/alerts/server/thresholds/service.ts';
import { predictionSetOf } from '#features/analysis/server/analysis/service.ts';
import {
  readForecaster as forecasterOf,
  readCalls,
  readLeague as standingsOf,
  summaryOf,
} from '#features/analysis/server/predictions/service.ts';
import { fromPast, readMatrix, readRisk, readSummary } from '#features/analytics/server/service.ts';
import {
  createRule,
  previewRule,
  readAccount,
  readAlerts,
  readAnalysis,
  readAnalyticsCorrelation,
  readAnalyticsRisk,
  readAnalyticsSummary,
  readHistory,
  readPredictions,
  readThresholds,
} from '#features/api/contract/api.ts';
import {
  readCoinRanges,
  readForecaster,
  readLeague,
  readRangesRecord,
  readTrackRecord,
  readTrackRecordCalls,
  readTrackRecordReplay,
  submitForecasts,
} from '#features/api/contract/api-record.ts';
import { answerHistory } from '#features/exports/server/history/service.ts';
import { AppError } from '#kernel/errors.ts';
import { type ApiCall, apiCall, openCall } from './call.ts';
import { calendarCalls } from './calls/calendar.ts';
import { dashboardOf, marketCalls, withAsOf } from './calls/market.ts';
import type { ApiDeps } from './context.ts';
import { cursorAt, pageOf, placeIn } from './paging.ts';

const PREMIUM = 'For Premium+.';

const analysisCalls = (deps: ApiDeps): ApiCall[] => [
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
      'Short, medium and long term (7, 28 and 180 days): direction, confidence in percent, reasoning. Null before the first analysis; `preparing` says how much of its history a fresh demo has written.',
    answer: () => ({ ...predictionSetOf(deps.analysis.current(), deps.analysis.preparing()), dataMode: deps.mode }),
  }),
  openCall(readTrackRecord, {
    tag: 'Analysis',
    summary: 'How the predictions did',
    about:
      'Every graded call summed up: accuracies in percent, correlations −1 to 1, and per analyst and horizon what makes them honest: n, intervals, Brier score, skill against the best baseline and one plain word.',
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
  openCall(readTrackRecordReplay, {
    tag: 'Analysis',
    summary: 'The replay of the built-in analyst on past prices',
    about:
      'What the built-in analyst would have forecast for past days, graded at daily closes by the scoring code of the live record. Never part of the live record. Null until the price history has loaded, and in demo mode, whose prices are simulated.',
    answer: () => ({ dataMode: deps.mode, replay: deps.analysis.currentReplay() }),
  }),
  openCall(readRangesRecord, {
    tag: 'Analysis',
    summary: 'How often the daily price ranges of all coins held',
    about:
      'All coins but BTC, ETH, SOL, SUI and XRP, whose ranges are graded with their calls. `coins` have a range now. `record` counts ranges issued within the first hour, `replay` what the same method would have given on past days.',
    answer: () => ({ ...deps.analysis.coinRangesRecord(), dataMode: deps.mode }),
  }),
  apiCall(readCoinRanges, {
    tag: 'Analysis',
    summary: 'Price ranges of a coin, and how often earlier ones held',
    about:
      'Where the built-in analyst expects the price after a day, 7 and 28 days, 80 and 95 times in 100, in USD. A new range each day at 00:00 UTC; BTC, ETH, SOL, SUI and XRP have one with each analysis. `record` counts ranges issued within the first hour, `replay` what the same method would have given on past days. Empty for coins with too little history and for stablecoins. `id` is that of the list, such as `bitcoin`.',
    async answer({ params: { id } }) {
      if (!deps.market.ctx.board.has(id)) throw new AppError('not_found', 'Unknown coin');
      const ranges = await deps.analysis.coinRanges(id);
      return { timestamp: deps.now().toISOString(), dataMode: deps.mode, id, ranges };
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

const leagueCalls = ({ db, now, mode, predictions }: ApiDeps): ApiCall[] => [
  apiCall(readLeague, {
    tag: 'Analysis',
    summary: 'The open league: everyone who forecasts, best first',
    about:
      'Scores at one `horizon` (24h unless chosen), the first 100: ahead of every baseline first, then by skill from 60 independent dates on, then by dates. `cell` is null before the first graded forecast. `contribution` is what the forecaster adds to the mean of all, in Brier score.',
    list: 'forecasters',
    answer: async ({ query }) => ({ ...(await standingsOf(db, query.horizon, now())), dataMode: mode }),
  }),
  apiCall(readForecaster, {
    tag: 'Analysis',
    summary: 'One forecaster of the open league',
    about: 'Scores at every horizon. `track` is the `provider` under which each forecast stands among the calls.',
    answer: async ({ params }) => ({ ...(await forecasterOf(db, params.name, now())), dataMode: mode }),
  }),
  apiCall(submitForecasts, {
    tag: 'Analysis',
    summary: 'Submit forecasts to the open league',
    about:
      'Up to 20 forecasts of BTC, ETH, SOL, SUI and XRP at 24h, 7d, 28d or 180d: three probabilities that sum to 1 and, if given, the 80% and 95% ranges in USD. `flat` is a log return within ±0.43 of the past 30 days’ volatility scaled to the horizon. Frozen at the price of their arrival in the public ledger, all or none, one for each asset, horizon and UTC day; nothing can be changed or withdrawn. `forecaster` is the public name, which the first submission takes for the account.',
    answer: async ({ body, caller }) => ({ ...(await predictions.submit(caller.userId, body)), dataMode: mode }),
  }),
];

const alertCalls = (deps: ApiDeps): ApiCall[] => {
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

const pastCalls = (deps: ApiDeps): ApiCall[] => [
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

const accountCalls = (): ApiCall[] => [
  apiCall(readAccount, {
    tag: 'Account',
    summary: 'The plan behind the key, and what the key may do',
    about:
      'The plan of the owner and the scopes of the key. How many calls are left stands in the RateLimit header of every answer.',
    answer: ({ caller: { plan, scopes } }) => ({
      subscriptionStatus: { plan, planName: PLAN_NAMES[plan] },
      scopes: [...scopes],
    }),
  }),
];

/** Every call of the public API, in the order of its documentation. */
export const apiCalls = (deps: ApiDeps): ApiCall[] => [
  ...marketCalls(deps),
  ...analysisCalls(deps),
  ...leagueCalls(deps),
  ...calendarCalls(deps),
  ...alertCalls(deps),
  ...pastCalls(deps),
  ...accountCalls(),
];
