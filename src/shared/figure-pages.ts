import { compact, grouped, percent, price } from './format.ts';
import type { Term } from './glossary/term.ts';
import { GLOSSARY } from './glossary.ts';

/** A figure with its own page. Names of coins and narratives come from collected data. */
export type PagedFigure = { name: string; term: Term } & (
  | { kind: 'metric' }
  | { kind: 'inflation'; indicator: 'cpi' | 'pce' | 'ppi'; isCore: boolean; rate: 'mom' | 'yoy' }
);

const METRICS = [
  'dominance.btc',
  'market.cap',
  'market.volume',
  'stablecoins.supply',
  'ssr',
  'fear_greed',
  'altcoin_season',
  ...['btc', 'eth'].flatMap((coin) => ['net', 'in', 'out'].map((way) => `flow.${coin}.${way}`)),
  ...['total', 'btc', 'eth'].map((part) => `oi.${part}`),
  ...['market', 'btc', 'eth'].map((part) => `funding.${part}`),
  ...['total', 'long', 'short'].map((part) => `liquidations.${part}`),
  ...['count', 'large', 'deposits'].map((part) => `whales.${part}`),
  'hash_rate',
  'difficulty',
  ...['active', 'new', 'returning'].map((part) => `addresses.btc.${part}`),
  ...['us2y', 'us10y', 'us30y', 'fed_funds', 'dollar_broad', 'oil_wti', 'sp500', 'vix'].map((name) => `macro.${name}`),
];

/** Chains with on-chain metrics. */
const CHAINS = { bitcoin: 'Bitcoin', ethereum: 'Ethereum', solana: 'Solana', sui: 'Sui', ripple: 'XRP Ledger' };

const INFLATION = (['cpi', 'pce', 'ppi'] as const).flatMap((indicator) =>
  [false, true].flatMap((isCore) => (['mom', 'yoy'] as const).map((rate) => ({ indicator, isCore, rate }))),
);

type Rate = (typeof INFLATION)[number];

export const inflationFigure = ({ indicator, isCore, rate }: Rate): string =>
  `inflation.${isCore ? 'core_' : ''}${indicator}_${rate}`;

/** Where the glossary name does not include the chain. */
const NAMES: Readonly<Record<string, string>> = {
  hash_rate: 'Bitcoin hash rate',
  difficulty: 'Bitcoin difficulty',
  'addresses.btc.active': 'Bitcoin, active addresses',
  'addresses.btc.new': 'Bitcoin, new addresses',
  'addresses.btc.returning': 'Bitcoin, returning addresses',
};

const getTerm = (metric: string): Term => GLOSSARY[metric] as Term;

const metric = (key: string, term = getTerm(key), name = NAMES[key] ?? term.name): [string, PagedFigure] => [
  key,
  { kind: 'metric', name, term },
];

const ratePage = (of: Rate): [string, PagedFigure] => {
  const term = getTerm(`inflation.${of.rate}`);
  const name = `${of.isCore ? 'Core ' : ''}${of.indicator.toUpperCase()}, ${term.name.toLowerCase()}`;
  return [inflationFigure(of), { kind: 'inflation', name, term, ...of }];
};

/** By key. */
export const PAGED_FIGURES: ReadonlyMap<string, PagedFigure> = new Map([
  ...METRICS.map((key) => metric(key)),
  ...Object.entries(CHAINS).map(([id, name]) =>
    metric(`l1.${id}.tps`, getTerm('l1.tps'), `${name}, transactions per second`),
  ),
  metric('l1.ethereum.addresses', getTerm('l1.addresses'), 'Ethereum, active addresses'),
  ...INFLATION.map(ratePage),
]);

const OF_COIN = /^(price|cap|volume):(.+)$/;
const OF_NARRATIVE = /^narrative\.([a-z0-9_-]+)\.(volume|change|relevance|opportunity)$/;

export type CoinFigure = 'price' | 'cap' | 'volume';
export type NarrativeFigure = 'volume' | 'change' | 'relevance' | 'opportunity';

/** `price:bitcoin` is the price of Bitcoin. */
export function parseCoinFigure(key: string): { figure: CoinFigure; id: string } | undefined {
  const [, figure, id] = OF_COIN.exec(key) ?? [];
  return id === undefined ? undefined : { figure: figure as CoinFigure, id };
}

/** `narrative.defi.volume` is the volume of DeFi. */
export function parseNarrativeFigure(key: string): { figure: NarrativeFigure; id: string } | undefined {
  const [, id, figure] = OF_NARRATIVE.exec(key) ?? [];
  return id === undefined ? undefined : { figure: figure as NarrativeFigure, id };
}

/** Address of the page of a figure; undefined for one without a page. */
export const figurePath = (key: string): string | undefined =>
  PAGED_FIGURES.has(key) || OF_COIN.test(key) || OF_NARRATIVE.test(key) ? `/app/figures/${key}` : undefined;

const dollars = (value: number) => `$${value >= 1e6 ? compact(value) : price(value)}`;

const TEXTS: Readonly<Record<string, (value: number) => string>> = {
  USD: dollars,
  percent: (value) => `${grouped(value, 2)}%`,
  'percent per 8h': (value) => `${value.toFixed(4)}% per 8h`,
  BTC: (value) => `${grouped(value, 0)} BTC`,
  ETH: (value) => `${grouped(value, 0)} ETH`,
  'USD per barrel': (value) => `$${price(value)} per barrel`,
  '0–1, shown as percent': (value) => `${grouped(100 * value, 0)}%`,
  '0–100': (value) => `${grouped(value, 0)} of 100`,
  'H/s': hashes,
  transfers: (value) => `${grouped(value, 0)} transfers`,
  'addresses per day': (value) => `${grouped(value, 0)} per day`,
  'per second': (value) => `${grouped(value, value >= 100 ? 0 : 1)} tx/s`,
};

/** A value of a figure's page with its unit, which is one of the glossary. */
export function figureText(key: string, unit: string, value: number): string {
  const plain = (number: number) => (number >= 1e6 ? compact(number) : grouped(number, 2));
  // Agencies publish rates in tenths of a percent.
  const tenths = (rate: number) => (key.endsWith('mom') ? percent(rate, 1) : `${rate.toFixed(1)}%`);
  const text = key.startsWith('inflation.') ? tenths : (TEXTS[unit] ?? plain);
  return text(value).replace('-', '\u2212');
}

/** Without the "per …" part, for long lists. */
export const bareText = (...figure: Parameters<typeof figureText>): string =>
  figureText(...figure).replace(/ per (8h|barrel)$/, '');

/** 1.14e21 H/s is 1.14 ZH/s. */
export function hashes(perSecond: number): string {
  if (perSecond >= 1e21) return `${(perSecond / 1e21).toFixed(2)} ZH/s`;
  return `${(perSecond / 1e18).toFixed(perSecond >= 1e20 ? 0 : 1)} EH/s`;
}
