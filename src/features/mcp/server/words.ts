import { sayAccount, sayAlerts, sayCreated, sayPreview, sayRules } from './say/alerts.ts';
import { sayAnalysis, sayCalls, sayCorrelation, sayFigures, sayPredictions, sayRecord } from './say/analysis.ts';
import { sayEvents, sayForecasts, sayInflation, sayReleases, saySentiment } from './say/calendar.ts';
import { sayCandles, sayCoin, sayHistory, sayMarket, sayPrices, saySources } from './say/market.ts';
import type { Say } from './say.ts';

/** How a call is used as a tool; title and description are those of the call. */
export type ToolWords = {
  name: string;
  /** False for what changes something. */
  isReading?: boolean;
  /** How many rows come when nothing is said: an assistant reads all of them. */
  limit?: number;
  say: Say;
};

/** The tools by the method and path of their calls. The stream is none: a tool answers once. */
export const TOOL_WORDS: Readonly<Record<string, ToolWords>> = {
  'GET /api/v1/market-data': { name: 'get_market_data', say: sayMarket },
  'GET /api/v1/crypto-prices': { name: 'get_crypto_prices', limit: 20, say: sayPrices },
  'GET /api/v1/crypto-prices/:id': { name: 'get_coin', say: sayCoin },
  'GET /api/v1/candles': { name: 'get_candles', limit: 100, say: sayCandles },
  'GET /api/v1/analysis': { name: 'get_analysis', say: sayAnalysis },
  'GET /api/v1/predictions': { name: 'get_predictions', say: sayPredictions },
  'GET /api/v1/track-record': { name: 'get_track_record', say: sayRecord },
  'GET /api/v1/track-record/calls': { name: 'list_prediction_calls', limit: 25, say: sayCalls },
  'GET /api/v1/analytics/summary': { name: 'get_analytics_summary', say: sayFigures },
  'GET /api/v1/analytics/risk': { name: 'get_risk', say: sayFigures },
  'GET /api/v1/analytics/correlation': { name: 'get_correlation', say: sayCorrelation },
  'GET /api/v1/events': { name: 'list_events', limit: 20, say: sayEvents },
  'GET /api/v1/inflation': { name: 'get_inflation', say: sayInflation },
  'GET /api/v1/inflation/releases': { name: 'list_inflation_releases', limit: 20, say: sayReleases },
  'GET /api/v1/inflation/forecasts': { name: 'get_inflation_forecasts', say: sayForecasts },
  'GET /api/v1/inflation/expectations': { name: 'get_inflation_expectations', say: sayFigures },
  'GET /api/v1/inflation/sentiment': { name: 'get_inflation_sentiment', say: saySentiment },
  'GET /api/v1/alerts': { name: 'list_alerts', limit: 20, say: sayAlerts },
  'GET /api/v1/thresholds': { name: 'list_alert_rules', limit: 50, say: sayRules },
  'POST /api/v1/thresholds/preview': { name: 'preview_alert_rule', say: sayPreview },
  'POST /api/v1/thresholds': { name: 'create_alert_rule', isReading: false, say: sayCreated },
  'GET /api/v1/history/:type': { name: 'get_history', limit: 50, say: sayHistory },
  'GET /api/v1/sources': { name: 'list_sources', limit: 60, say: saySources },
  'GET /api/v1/account': { name: 'get_account', say: sayAccount },
};
