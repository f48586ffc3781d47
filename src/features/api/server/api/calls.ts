import { PLAN_NAMES } from '#features/accounts/contract/subscriptions.ts';
import { readAlerts as alertsOf } from '#features/alerts/server/alerts/service.ts';
import { addRule, listRules } from '#features/alerts/server/thresholds/service.ts';
import { toPredictionSet } from '#features/analysis/server/analysis/service.ts';
import {
  readForecaster as forecasterOf,
  readCalls,
  readLeague as standingsOf,
  toSummary,
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
import { readHistoryReply } from '#features/exports/server/history/service.ts';
import { AppError } from '#kernel/errors.ts';
import { type ApiCall, apiCall, cursorAt, openCall, pageOf, placeIn } from './call.ts';
import { calendarCalls } from './calls/calendar.ts';
import { marketCalls, readDashboardReply, withAsOf } from './calls/market.ts';
import type { ApiDeps } from './context.ts';

const PREMIUM = 'Requires Premium+.';

const analysisCalls = (deps: ApiDeps): ApiCall[] => [
  openCall(readAnalysis, {
    tag: 'Analysis',
    summary: 'Latest AI analysis with each analyst’s opinion',
    about:
      'Direction, probabilities and reasoning for 1, 7, 28 and 180 days, for the consensus and for each analyst. Confidence is in percent, probabilities are 0 to 1. `missing` lists analysts without an opinion and the reason.',
    async answer({ query, plan }) {
      const dashboard = await readDashboardReply(deps, query.asOf, plan);
      const { timestamp, dataMode, aiAnalysis = null } = dashboard;
      return { timestamp, dataMode, aiAnalysis, ...withAsOf(dashboard) };
    },
  }),
  openCall(readPredictions, {
    tag: 'Analysis',
    summary: 'Latest predictions in brief',
    about:
      'Direction, confidence in percent and reasoning for the short, medium and long term (7, 28 and 180 days). Null before the first analysis. `preparing` is the progress of generating the demo history.',
    answer: () => ({ ...toPredictionSet(deps.analysis.current(), deps.analysis.preparing()), dataMode: deps.mode }),
  }),
  openCall(readTrackRecord, {
    tag: 'Analysis',
    summary: 'Track record of predictions',
    about:
      'Summary of all graded calls: accuracy in percent and rank correlations from −1 to 1. For each analyst and horizon: sample size, confidence intervals, Brier score, skill against the best baseline and a verdict.',
    async answer({ query, plan }) {
      if (query.asOf === undefined) {
        const record = deps.predictions.record();
        return { ...record, dataMode: deps.mode, recent_hits: toSummary(record).recent_hits };
      }
      const { backtestResults, asOf, dataMode } = await readDashboardReply(deps, query.asOf, plan);
      if (!backtestResults) throw new AppError('not_found', 'No track record is available for that time');
      return { ...backtestResults, dataMode, asOf };
    },
  }),
  apiCall(readTrackRecordCalls, {
    tag: 'Analysis',
    summary: 'Prediction calls as issued, with outcomes',
    about:
      'Newest first, with probabilities and price at issue and the outcome. `seq` is the entry number in the public ledger.',
    list: 'calls',
    async answer({ query }) {
      const { provider, asset, horizon, state, limit, cursor } = query;
      const before = cursor === undefined ? undefined : placeIn('calls', cursor).number;
      if (before === 0) throw new AppError('bad_request', 'Invalid cursor for this list');
      const { calls, next } = await readCalls(deps.db, { provider, asset, horizon, state, limit, before });
      const nextCursor = next === null ? null : cursorAt('calls', next);
      return { timestamp: deps.now().toISOString(), dataMode: deps.mode, calls, nextCursor };
    },
  }),
  openCall(readTrackRecordReplay, {
    tag: 'Analysis',
    summary: 'Replay of the built-in analyst on past prices',
    about:
      'Forecasts that the built-in analyst would have issued on past days, graded at daily closes with the same scoring as the live record. Never part of the live record. Null until the price history has loaded, and in demo mode, where prices are simulated.',
    answer: () => ({ dataMode: deps.mode, replay: deps.analysis.currentReplay() }),
  }),
  openCall(readRangesRecord, {
    tag: 'Analysis',
    summary: 'Coverage of daily price ranges across all coins',
    about:
      'Covers all coins except BTC, ETH, SOL, SUI and XRP, whose ranges are graded with their calls. `coins` is the number of coins with a current range. `record` covers live ranges issued within one hour of the start of their horizon; `replay` covers the same method applied to past days.',
    answer: () => ({ ...deps.analysis.coinRangesRecord(), dataMode: deps.mode }),
  }),
  apiCall(readCoinRanges, {
    tag: 'Analysis',
    summary: 'Price ranges of a coin, with historical coverage',
    about:
      'The built-in analyst’s 80% and 95% ranges, in USD, for the price after 1, 7 and 28 days. Ranges are updated daily at 00:00 UTC; for BTC, ETH, SOL, SUI and XRP, with each analysis. `record` covers live ranges issued within one hour of the start of their horizon; `replay` covers the same method applied to past days. Empty for stablecoins and coins with too little history. `id` is the coin ID from the price list, such as `bitcoin`.',
    async answer({ params: { id } }) {
      if (!deps.market.ctx.board.has(id)) throw new AppError('not_found', 'Unknown coin');
      const ranges = await deps.analysis.coinRanges(id);
      return { timestamp: deps.now().toISOString(), dataMode: deps.mode, id, ranges };
    },
  }),
  apiCall(readAnalyticsSummary, {
    tag: 'Analysis',
    summary: 'Volume, volatility and trend of the tracked assets',
    about: `Volume is in USD; volatility, change and dominance are in percent. ${PREMIUM}`,
    answer: () => ({ timestamp: deps.now().toISOString(), dataMode: deps.mode, summary: readSummary(deps) }),
  }),
  apiCall(readAnalyticsRisk, {
    tag: 'Analysis',
    summary: 'Risk metrics of the tracked assets',
    about: `Annualized volatility and maximum drawdown in percent, Sharpe and Sortino ratios, and beta to BTC, from 30, 90 or 365 daily closes. ${PREMIUM}`,
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
    summary: 'Correlation matrix of assets',
    about: `Pearson correlations of daily log returns, −1 to 1, by row: \`pairs[i][j]\` refers to \`assets[i]\` and \`assets[j]\`. Pairs with too little shared history use a stated default. ${PREMIUM}`,
    async answer({ query }) {
      const matrix = await fromPast(deps, (past) => readMatrix(past, Number(query.days), Number(query.assets)));
      return { ...matrix, dataMode: deps.mode };
    },
  }),
];

const leagueCalls = ({ db, now, mode, predictions }: ApiDeps): ApiCall[] => [
  apiCall(readLeague, {
    tag: 'Analysis',
    summary: 'Open league standings',
    about:
      'The top 100 forecasters at one `horizon` (default 24h). Forecasters ahead of every baseline rank first, then by skill (with at least 60 independent dates), then by number of dates. `cell` is null before the first graded forecast. `contribution` is the forecaster’s effect on the Brier score of the equal-weighted pool.',
    list: 'forecasters',
    answer: async ({ query }) => ({ ...(await standingsOf(db, query.horizon, now())), dataMode: mode }),
  }),
  apiCall(readForecaster, {
    tag: 'Analysis',
    summary: 'Forecaster in the open league',
    about: 'Scores at every horizon. `track` is the `provider` of the forecaster’s calls in the track record.',
    answer: async ({ params }) => ({ ...(await forecasterOf(db, params.name, now())), dataMode: mode }),
  }),
  apiCall(submitForecasts, {
    tag: 'Analysis',
    summary: 'Submit forecasts to the open league',
    about:
      'Up to 20 forecasts for BTC, ETH, SOL, SUI and XRP at 24h, 7d, 28d or 180d: three probabilities that sum to 1, and optionally the 80% and 95% ranges in USD. `flat` is a log return within ±0.43 times the 30-day volatility scaled to the horizon. All forecasts of a request are accepted or none. They are recorded in the public ledger at the price on receipt, one per asset, horizon and UTC day, and cannot be changed or withdrawn. `forecaster` is your public name; the first submission claims it for your account.',
    answer: async ({ body, caller }) => ({ ...(await predictions.submit(caller.userId, body)), dataMode: mode }),
  }),
];

const alertCalls = (deps: ApiDeps): ApiCall[] => {
  const { thresholds } = deps;
  const head = () => ({ timestamp: deps.now().toISOString(), dataMode: deps.mode });
  return [
    apiCall(readAlerts, {
      tag: 'Alerts',
      summary: 'Raised alerts',
      about:
        'Market alerts and alerts from your own rules, newest first. `value` is in the unit of the metric. `receipt` has the timestamps from source to delivery.',
      list: 'alerts',
      async answer({ query: { limit, cursor }, caller }) {
        const before = cursor === undefined ? undefined : placeIn('alerts', cursor).number;
        if (before === 0) throw new AppError('bad_request', 'Invalid cursor for this list');
        const found = await alertsOf(deps.alerts.ctx, caller.userId, { limit: limit + 1, before });
        const alerts = found.slice(0, limit);
        const last = alerts.at(-1);
        return { ...head(), alerts, nextCursor: last && found.length > limit ? cursorAt('alerts', last.id) : null };
      },
    }),
    apiCall(readThresholds, {
      tag: 'Alerts',
      summary: 'Your alert rules',
      about: 'Each rule with its state, the current value of its metric and, if paused, the reason.',
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
        'The rule is active at once and notifies you through the channels enabled in your profile. Validation is the same as on the alerts page.',
      async answer({ body, caller }) {
        return (await addRule(thresholds, caller, body)).value;
      },
    }),
    apiCall(previewRule, {
      tag: 'Alerts',
      summary: 'Backtest an alert rule',
      about:
        'Backtests the rule on up to 90 days of stored values: when it would have fired, how many times per week and how the price moved afterwards. Nothing is saved.',
      async answer({ body, caller }) {
        return { ...(await thresholds.preview(caller.userId, body)), dataMode: deps.mode };
      },
    }),
  ];
};

const pastCalls = (deps: ApiDeps): ApiCall[] => [
  apiCall(readHistory, {
    tag: 'Market',
    summary: 'Historical values',
    about:
      'Newest first: value with unit, source and method, and the change from the previous value of the same symbol. `from` and `to` are inclusive. `limitedToDays` is the history available on the plan; null if unlimited.',
    list: 'records',
    async answer({ params, query, caller }) {
      return { ...(await readHistoryReply(deps, params.type, query, caller)), dataMode: deps.mode };
    },
  }),
];

const accountCalls = (): ApiCall[] => [
  apiCall(readAccount, {
    tag: 'Account',
    summary: 'Plan and scopes of the API key',
    about:
      'The account’s plan and the scopes of the key. The RateLimit header of every response gives the calls remaining.',
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
