import { join, resolve } from 'node:path';
import { z } from 'zod';

import { BRAND } from '#shared/brand.ts';
import { customProviders } from './further-providers.ts';
import { PAYMENT_SETTINGS } from './payment-settings.ts';
import {
  API_SETTINGS,
  areNameServers,
  BOUND_SETTINGS,
  boolean,
  cronList,
  DATABASE_SETTINGS,
  DEMO_SETTINGS,
  EXPORT_SETTINGS,
  integer,
  key,
  OBSERVABILITY_SETTINGS,
  RUN_SETTINGS,
  SECRET_SETTINGS,
  SITE_SETTINGS,
  url,
} from './settings.ts';

const model = (who: string) => key(`Model of ${who}, by its id. Default: chosen from its list of models.`);

const MAILBOX = /^(?:[^<>\p{Cc}]+ <[^\s<>@,;]+@[^\s<>@,;]+>|[^\s<>@,;]+@[^\s<>@,;]+)$/u;
export const settings = z.object({
  PORT: integer(0, 65_535, 3000, 'Port of the web server; 0 selects a free one.'),
  HOST: z
    .string()
    .default('127.0.0.1')
    .describe('Address to listen on. Demo mode allows only loopback unless DEMO_PUBLIC=1.'),
  ...BOUND_SETTINGS,
  ...SITE_SETTINGS,
  DATA_DIR: z.string().default('./data').describe('Data folder of the bundled database.'),
  ...DATABASE_SETTINGS,
  ROLE: z
    .enum(['all', 'web', 'worker'])
    .default('all')
    .describe('Role of this process: serve pages, collect data and run jobs, or both.'),
  DATA_MODE: z
    .enum(['auto', 'live', 'demo'])
    .default('auto')
    .describe('auto: live if a source responds or live data exists, otherwise demo (never in production).'),
  DEMO_SEED: integer(0, 2_147_483_647, 7, 'Seed of the demo market; the same seed produces the same market.'),
  DEMO_RECORD_DAYS: integer(
    0,
    365,
    240,
    'Days of past analyses that the demo writes to its ledger on first start: daily for 90 days, weekly before.',
  ),
  ...DEMO_SETTINGS,
  DEMO_PUBLIC: boolean('1 allows demo mode to listen on addresses other than loopback.'),
  NODE_ENV: z.string().default('').describe('"production" disables automatic demo mode.'),
  ADMIN_EMAIL: z.email().optional().describe('Email of the first administrator, created at startup.'),
  ADMIN_PASSWORD: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Password of the first administrator. Outside demo mode it must be hard to guess, such as several words.',
    ),
  ...SECRET_SETTINGS,
  TRUST_PROXY: integer(0, 10, 0, 'Number of trusted proxies that set X-Forwarded-For.'),
  SMTP_URL: z
    .string()
    .refine((value) => /^smtps?:\/\/[^/]/.test(value) && URL.canParse(value), 'must be an smtp:// or smtps:// URL')
    .optional()
    .describe(
      'Mail server, such as smtps://user:password@smtp.example.com. Default: emails stay in the outbox on the admin pages. Demo mode never sends email.',
    ),
  MAIL_FROM: z
    .string()
    .regex(MAILBOX, 'must be an address, or a name and an <address>')
    .default(`${BRAND.name} <${BRAND.supportEmail}>`)
    .describe('Sender of all email. Set it together with SMTP_URL.'),
  EMAIL_CONFIRMATION: z
    .enum(['auto', 'on', 'off'])
    .default('auto')
    .describe(
      'Whether addresses must be confirmed before the first sign-in. auto: if SMTP_URL is set, and in demo mode.',
    ),
  TELEGRAM_BOT_TOKEN: z
    .string()
    .regex(/^\d+:[\w-]+$/, 'must be a token of @BotFather, such as 123456:ABC-def')
    .optional()
    .describe('Telegram bot that delivers alerts. Without it, Telegram is unavailable.'),
  TELEGRAM_API_BASE_URL: url('https://api.telegram.org', 'Telegram Bot API. Demo mode uses a simulated one.'),
  TELEGRAM_WEBHOOK_URL: z
    .string()
    .regex(/^https?:\/\/[^/]+\/api\/telegram\/webhook$/, 'must end with /api/telegram/webhook')
    .optional()
    .describe(
      'URL at which Telegram calls this installation, https://your.site/api/telegram/webhook. Default: long polling.',
    ),
  PUSH_TEST_ORIGIN: z
    .string()
    .regex(/^$|^http:\/\/(127\.0\.0\.1|localhost|\[::1\]):\d{1,5}$/, 'must be http://, a loopback address and a port')
    .default('')
    .describe('Push service on this machine for tests. Demo mode always uses its own.'),
  WEBHOOK_TIMEOUT_SECONDS: integer(1, 30, 10, 'Timeout for a webhook call, in seconds.'),
  WEBHOOK_DNS: z
    .string()
    .refine(areNameServers, 'must be addresses of DNS servers separated by ","')
    .optional()
    .describe('DNS servers for resolving webhook hosts, such as 9.9.9.9,1.1.1.1. Default: those of this machine.'),
  WEBHOOK_ALLOW_LOOPBACK: boolean(
    '1 allows webhooks to this machine, over http and on any port. For testing only, never where others have accounts.',
  ),
  ...PAYMENT_SETTINGS,
  ...EXPORT_SETTINGS,
  ...API_SETTINGS,
  ...RUN_SETTINGS,
  ...OBSERVABILITY_SETTINGS,
  RECORD_DIR: z
    .string()
    .optional()
    .describe('Folder for storing one response body per provider endpoint, to check schemas. Off by default.'),
  LIVE_PROBE_MS: integer(100, 10_000, 1500, 'Time limit for finding a live source in auto mode, in milliseconds.'),

  FAST_LANE_SECONDS: integer(
    60,
    600,
    60,
    'Interval of the fast lane (exchange tickers), in whole minutes that divide an hour: 60, 120, … 600. Websockets update every second in between.',
  ).refine((seconds) => 3600 % seconds === 0 && seconds % 60 === 0, 'must be 60, 120, 180, 240, 300, 360 or 600'),
  LISTING_MINUTES: integer(
    1,
    60,
    5,
    'Interval of the full price list, in minutes. Default with a paid CoinGecko key: 1.',
  ),
  FULL_COLLECTION_CRON: cronList(
    '0 9-17 * * 1-5; 0 0,3,6,18,21 * * 1-5; 0 */4 * * 0,6',
    'Schedule of full collections with analysis: UTC cron expressions separated by ";".',
  ),
  SLOW_LANE_MINUTES: integer(5, 1440, 30, 'Interval of slow series (macro, on-chain), in minutes.'),
  METRIC_PAST_DAYS: integer(1, 2000, 400, 'Days of metric history fetched in the background after the first start.'),
  OBSERVATION_DAYS: integer(2, 3650, 35, 'Retention of raw price observations, in days.'),
  MINUTE_CANDLE_DAYS: integer(
    2,
    3650,
    30,
    'Retention of one-minute candles, in days; hourly and daily candles are kept indefinitely.',
  ),
  COIN_LIMIT: integer(10, 1000, 250, 'Number of coins in the price list, by market cap.'),
  ALERT_SHARDS: integer(
    1,
    16,
    1,
    'Number of shards for custom alert rules, divided by metric and each evaluated by one process. Must be the same in every process.',
  ),

  COINGECKO_BASE_URL: url('https://api.coingecko.com/api/v3', 'CoinGecko: prices, caps, volumes, history.'),
  COINGECKO_API_KEY: key('CoinGecko key. Optional; without it, rate limits are lower.'),
  COINGECKO_PLAN: z
    .enum(['demo', 'paid'])
    .default('demo')
    .describe(
      'Type of the key: demo keys allow 30 calls per minute and 10,000 per month, paid keys at least 250 and 100,000.',
    ),
  COINPAPRIKA_BASE_URL: url('https://api.coinpaprika.com/v1', 'CoinPaprika: price list when CoinGecko fails.'),
  OKX_BASE_URL: url('https://www.okx.com', 'OKX: tickers and candles.'),
  OKX_WS_URL: url('wss://ws.okx.com:8443/ws/v5', 'OKX: live ticks.'),
  COINBASE_BASE_URL: url('https://api.exchange.coinbase.com', 'Coinbase Exchange: products and tickers.'),
  COINBASE_WS_URL: url('wss://ws-feed.exchange.coinbase.com', 'Coinbase Exchange: live ticks.'),
  BYBIT_BASE_URL: url('https://api.bybit.com', 'Bybit: open interest and funding.'),
  BYBIT_WS_URL: url('wss://stream.bybit.com', 'Bybit: liquidations.'),
  BINANCE_FUTURES_BASE_URL: url('https://fapi.binance.com', 'Binance futures: open interest and funding.'),
  BINANCE_FUTURES_WS_URL: url('wss://fstream.binance.com', 'Binance futures: liquidations.'),
  DERIBIT_BASE_URL: url('https://www.deribit.com', 'Deribit: open interest and funding.'),
  KRAKEN_FUTURES_BASE_URL: url('https://futures.kraken.com', 'Kraken Futures: open interest and funding.'),
  HYPERLIQUID_BASE_URL: url('https://api.hyperliquid.xyz', 'Hyperliquid: open interest and funding.'),
  STABLECOINS_LLAMA_BASE_URL: url('https://stablecoins.llama.fi', 'DefiLlama: stablecoin supply.'),
  LLAMA_BASE_URL: url('https://api.llama.fi', 'DefiLlama: exchange reserves, from which net flows are computed.'),
  COINMETRICS_BASE_URL: url('https://community-api.coinmetrics.io', 'Coin Metrics: gross exchange flows.'),
  COINMETRICS_API_KEY: key('Coin Metrics key, for license holders.'),
  COINMETRICS_LICENSED: boolean(
    '1 confirms that you hold a license for Coin Metrics data (its free data is non-commercial).',
  ),
  MEMPOOL_BASE_URL: url('https://mempool.space', 'mempool.space: hash rate, difficulty, blocks.'),
  BLOCKCHAIN_CHARTS_BASE_URL: url('https://api.blockchain.info', 'Blockchain.com charts: active addresses.'),
  BLOCKCHAIN_INFO_BASE_URL: url('https://blockchain.info', 'Blockchain.com: blocks, for large transfers.'),
  ALTERNATIVE_ME_BASE_URL: url('https://api.alternative.me', 'Alternative.me: fear and greed index.'),
  FRED_BASE_URL: url('https://fred.stlouisfed.org', 'FRED: price indexes, yields, rates, the dollar, oil.'),
  FRED_COPYRIGHTED: boolean(
    '1 confirms that you may display the copyrighted FRED series S&P 500 (S&P Dow Jones) and VIX (Cboe). Otherwise they are not collected.',
  ),
  FRED_API_BASE_URL: url('https://api.stlouisfed.org', 'FRED API: price indexes as first released and revised.'),
  FRED_API_KEY: key(
    'FRED API key (free). Without it, only latest values are collected, and first releases are known from installation on.',
  ),
  BLS_BASE_URL: url('https://api.bls.gov', 'Bureau of Labor Statistics: consumer and producer prices, when FRED lags.'),
  BLS_API_KEY: key('BLS registration key (free). Without it, version 1 of the API is used, with 25 requests per day.'),
  BEA_BASE_URL: url('https://apps.bea.gov', 'Bureau of Economic Analysis: PCE price index, when FRED lags.'),
  BEA_API_KEY: key('BEA key (free). Without it, the BEA is not queried.'),
  CLEVELAND_FED_BASE_URL: url('https://www.clevelandfed.org', 'Federal Reserve Bank of Cleveland: inflation nowcast.'),
  CONSENSUS_CALENDAR_BASE_URL: url('https://nfs.faireconomy.media', 'This week’s calendar with consensus forecasts.'),
  CONSENSUS_CALENDAR: boolean(
    '1 reads consensus forecasts from an unofficial calendar; clear its terms before commercial use.',
  ),
  ETHEREUM_RPC_BASE_URL: url('https://ethereum-rpc.publicnode.com', 'Ethereum JSON-RPC.'),
  SOLANA_RPC_BASE_URL: url('https://api.mainnet.solana.com', 'Solana JSON-RPC.'),
  SUI_GRAPHQL_BASE_URL: url('https://graphql.mainnet.sui.io/graphql', 'Sui GraphQL RPC.'),
  SUI_GRAPHQL_FALLBACK_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Fallback Sui GraphQL RPC of another provider, including its key.'),
  XRPL_WS_URL: url('wss://xrplcluster.com', 'XRP Ledger websocket.'),

  SOURCE_CONTACT: z
    .string()
    .regex(/^[\x20-\x27\x2a-\x7e]{3,200}$/, 'must be a plain ASCII address')
    .default(BRAND.supportEmail)
    .describe(
      'Operator’s email or web page, sent in the User-Agent to SEC, BLS, BEA, CFTC and Federal Reserve, which require a contact.',
    ),
  FEDERAL_RESERVE_BASE_URL: url('https://www.federalreserve.gov', 'Federal Reserve: FOMC calendar, press releases.'),
  BLS_SCHEDULE_BASE_URL: url('https://www.bls.gov', 'BLS: release calendar.'),
  BEA_SCHEDULE_BASE_URL: url('https://apps.bea.gov', 'BEA: release dates.'),
  SEC_BASE_URL: url('https://www.sec.gov', 'SEC: press releases.'),
  CFTC_BASE_URL: url('https://www.cftc.gov', 'CFTC: press releases.'),
  FINNHUB_BASE_URL: url('https://finnhub.io/api/v1', 'Finnhub: earnings dates.'),
  FINNHUB_API_KEY: key('Finnhub key. Without it, no earnings are shown.'),
  COINMARKETCAL_BASE_URL: url('https://api.coinmarketcal.com', 'CoinMarketCal: coin events.'),
  COINMARKETCAL_API_KEY: key('CoinMarketCal key. Without it, no coin events are shown.'),

  VENICE_BASE_URL: url('https://api.venice.ai/api/v1', 'Venice: market analysis by a language model.'),
  VENICE_API_KEY: key('Venice key. Without it, Venice is not queried.'),
  VENICE_MODEL: model('Venice'),
  GROQ_BASE_URL: url('https://api.groq.com/openai/v1', 'Groq: market analysis by a language model.'),
  GROQ_API_KEY: key('Groq key. Without it, Groq is not queried.'),
  GROQ_MODEL: model('Groq'),
  HUGGINGFACE_BASE_URL: url('https://router.huggingface.co/v1', 'Hugging Face: market analysis by a language model.'),
  HUGGINGFACE_API_KEY: key('Hugging Face token. Without it, Hugging Face is not queried.'),
  HUGGINGFACE_MODEL: model('Hugging Face'),
  AI_PROVIDERS: customProviders.describe(
    'Additional analysts at OpenAI-compatible endpoints: "id=URL|model|key" separated by ";", such as "ollama=http://127.0.0.1:11434/v1|llama3.3". Model and key are optional.',
  ),
  AI_TIMEOUT_SECONDS: integer(5, 600, 60, 'Timeout for one language model response, in seconds.'),
});

export type Settings = z.output<typeof settings>;
export type Config = Settings & { dataDir: string; exportsDir: string; production: boolean };

const PAID_COINGECKO_URL = 'https://pro-api.coingecko.com/api/v3';
const DEMO_CALLS_PER_MONTH = 10_000;
const MINUTES_PER_MONTH = 31 * 1440;

/** A paid key has its own base URL and can read the list every minute. */
const paidDefaults = ({ COINGECKO_API_KEY: key, COINGECKO_PLAN: plan }: Record<string, string | undefined>) =>
  key && plan === 'paid' ? { COINGECKO_BASE_URL: PAID_COINGECKO_URL, LISTING_MINUTES: '1' } : {};

/** The price list alone must not use up the monthly quota of a demo key. */
function assertWithinQuota({ COINGECKO_API_KEY, COINGECKO_PLAN, COIN_LIMIT, LISTING_MINUTES }: Settings): void {
  if (!COINGECKO_API_KEY || COINGECKO_PLAN === 'paid') return;
  const pages = Math.ceil(COIN_LIMIT / 250);
  const least = Math.ceil((pages * MINUTES_PER_MONTH) / (0.9 * DEMO_CALLS_PER_MONTH));
  if (LISTING_MINUTES >= least) return;
  throw new ConfigError(
    `Configuration: LISTING_MINUTES: a CoinGecko demo key (10,000 calls per month) can read ${COIN_LIMIT} coins every ${least} minutes at most`,
  );
}

export class ConfigError extends Error {}

/** Reads the settings once. Empty strings count as absent. Throws one sentence per bad key. */
export function loadConfig(env: Record<string, string | undefined> = process.env): Config {
  const known = Object.fromEntries(
    Object.keys(settings.shape).flatMap((name) => (env[name] ? [[name, env[name]]] : [])),
  );
  const parsed = settings.safeParse({ ...paidDefaults(known), ...known });
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
    throw new ConfigError(`Configuration: ${lines.join('; ')}`);
  }
  assertWithinQuota(parsed.data);
  const dataDir = resolve(parsed.data.DATA_DIR);
  const exportsDir = resolve(parsed.data.EXPORTS_DIR ?? join(dataDir, 'exports'));
  return { ...parsed.data, dataDir, exportsDir, production: parsed.data.NODE_ENV === 'production' };
}

/** True when the operator set the key: demo mode fills in only provider addresses that are not set. */
export function isSet(name: keyof Settings, env: Record<string, string | undefined> = process.env): boolean {
  return Boolean(env[name]);
}
