import type { Backtest } from '#features/analysis/contract/predictions.ts';
import type { AnalyticsSummary, Matrix, RiskRow } from '#features/analytics/contract.ts';
import type { Candles } from '#features/market/contract/market.ts';
import type { DerivativeRow, OnchainRow, SentimentReading } from '#features/market/contract/metrics.ts';
import type { Cell, Column } from '#kernel/files/table.ts';
import { type FigureMeta, hasOrigin } from '#shared/figures.ts';
import { GLOSSARY } from '#shared/glossary.ts';

/** A table with all rows in memory: it is passed to another thread unchanged. */
export type WholeTable = { name: string; title: string; columns: Column[]; rows: Cell[][] };

const text = (name: string, title: string): Column => ({ name, title, type: 'text' });
const number = (name: string, title: string, unit?: string): Column =>
  unit ? { name, title, type: 'number', unit } : { name, title, type: 'number' };
const time = (name: string, title: string): Column => ({ name, title, type: 'time' });

/** Source and age of a figure, or the reason for its absence. */
const BIRTH = [
  text('source', 'Source'),
  time('observed_at', 'Observed'),
  time('fetched_at', 'Fetched'),
  text('method', 'Method'),
  text('note', 'Note'),
];

function provenanceCells(meta: FigureMeta | undefined): Cell[] {
  if (!hasOrigin(meta)) return [null, null, null, null, meta ? (meta as { reason: string }).reason : null];
  const source = meta.venues?.length ? `${meta.source}: ${meta.venues.join(', ')}` : meta.source;
  return [source, meta.observedAt, meta.fetchedAt, meta.method, meta.terms ?? null];
}

const glossaryTerm = (meta: FigureMeta | undefined) => GLOSSARY[meta?.metric ?? ''];

/** One row per figure, with the glossary's name and unit. */
function figureRows<K extends string>(
  names: readonly K[],
  of: { [key in K]: number | null } & { meta: Record<string, FigureMeta> },
): Cell[][] {
  return names.map((name) => {
    const meta = of.meta[name];
    return [
      name,
      glossaryTerm(meta)?.name ?? name,
      of[name],
      glossaryTerm(meta)?.unit ?? null,
      ...provenanceCells(meta),
    ];
  });
}

const FIGURE = [
  text('figure', 'Figure'),
  text('name', 'Name'),
  number('value', 'Value'),
  text('unit', 'Unit'),
  ...BIRTH,
];

export function summaryTable(summary: AnalyticsSummary): WholeTable {
  const names = ['totalVolume', 'volatility', 'riskAdjustedReturn', 'avgChange', 'bitcoinDominance'] as const;
  const words: [string, string, string | number | null][] = [
    ['assetCount', 'Tracked assets', summary.assetCount],
    ['trend', 'Trend', summary.trend],
    ['volatilityLevel', 'Volatility level', summary.volatilityLevel],
  ];
  return {
    name: 'summary',
    title: 'Market summary',
    columns: FIGURE,
    rows: [
      ...figureRows(names, summary),
      ...words.map(([figure, name, value]): Cell[] => {
        const isNumber = typeof value === 'number';
        return [figure, name, isNumber ? value : null, null, null, null, null, null, isNumber ? null : value];
      }),
    ],
  };
}

const RISKS = ['annualised_volatility', 'sharpe', 'sortino', 'max_drawdown', 'beta_btc'] as const;

/** Rows of one asset by window. */
export function riskTable(windows: readonly { days: number; row: RiskRow }[]): WholeTable {
  return {
    name: 'risk',
    title: 'Risk of daily returns',
    columns: [number('days', 'Window', 'days'), number('returns', 'Returns'), ...FIGURE],
    rows: windows.flatMap(({ days, row }) => figureRows(RISKS, row).map((each) => [days, row.days, ...each])),
  };
}

export function rollingTable(values: readonly { day: string; value: number }[]): WholeTable {
  return {
    name: 'rolling_volatility',
    title: '30-day volatility, daily',
    columns: [text('day', 'Day'), number('annualised_volatility', 'Annualized volatility', 'percent per year')],
    rows: values.map(({ day, value }) => [day, value]),
  };
}

export function correlationTable({ assets, pairs, days }: Matrix): WholeTable {
  return {
    name: 'correlation',
    title: `Correlation over ${days} days`,
    columns: [
      text('asset', 'Asset'),
      text('with', 'With'),
      number('value', 'Correlation'),
      text('kind', 'Kind'),
      number('days', 'Common days'),
      ...BIRTH,
    ],
    rows: assets.flatMap((asset, i) =>
      assets.slice(i + 1).flatMap((other, k) => {
        const pair = pairs[i]?.[i + 1 + k];
        return pair ? [[asset, other, pair.value, pair.method, pair.days, ...provenanceCells(pair.meta)]] : [];
      }),
    ),
  };
}

export function sentimentTable({ value, classification, source, timestamp, meta }: SentimentReading): WholeTable {
  return {
    name: 'sentiment',
    title: 'Market sentiment',
    columns: [number('value', 'Fear and greed', '0–100'), text('classification', 'Class'), ...BIRTH],
    rows: [
      hasOrigin(meta.value)
        ? [value, classification, ...provenanceCells(meta.value)]
        : [value, classification, source, timestamp, null, null, provenanceCells(meta.value).at(-1) ?? null],
    ],
  };
}

/** Futures of every venue; figures of a row come from one response, missing ones are explained in the note. */
export function derivativesTable(rows: readonly DerivativeRow[]): WholeTable {
  const names = ['open_interest', 'funding_rate', 'volume_24h'] as const;
  return {
    name: 'derivatives',
    title: 'Derivatives',
    columns: [
      text('asset', 'Asset'),
      text('type', 'Type'),
      number('open_interest', 'Open interest', 'USD'),
      number('funding_rate', 'Funding rate', 'percent per 8h'),
      number('volume_24h', '24h volume', 'USD'),
      ...BIRTH,
    ],
    rows: rows.map((row) => {
      const known = names.map((name) => row.meta[name]).find(hasOrigin);
      const missing = names.flatMap((name) => {
        const meta = row.meta[name];
        return meta && !hasOrigin(meta) ? [`${name}: ${meta.reason}`] : [];
      });
      const [, observed = null, fetched = null, method = null] = provenanceCells(known);
      const figures = names.map((name) => row[name]);
      return [
        row.asset,
        row.derivative_type,
        ...figures,
        row.source,
        observed,
        fetched,
        method,
        missing.join('; ') || null,
      ];
    }),
  };
}

export function onchainTable(rows: readonly OnchainRow[]): WholeTable {
  return {
    name: 'onchain',
    title: 'On-chain metrics',
    columns: [
      text('network', 'Network'),
      text('metric', 'Metric'),
      number('value', 'Value'),
      text('unit', 'Unit'),
      text('explanation', 'Explanation'),
      ...BIRTH,
    ],
    rows: rows.map(({ blockchain, metric_type, value, meta }) => {
      const term = glossaryTerm(meta.value);
      return [
        blockchain,
        metric_type,
        value,
        term?.unit ?? null,
        term?.meaning ?? null,
        ...provenanceCells(meta.value),
      ];
    }),
  };
}

/** Accuracies in percent; the source is `Meridian`, which computes the record. */
export function backtestTable(record: Backtest): WholeTable {
  const { timestamp, overall_accuracy, average_correlation, total_predictions, by_symbol } = record;
  const row = (figure: string, symbol: string | null, value: number | null): Cell[] => [
    figure,
    symbol,
    value,
    'Meridian',
    timestamp,
    value === null ? 'No calls graded yet' : null,
  ];
  return {
    name: 'backtest',
    title: 'AI prediction performance',
    columns: [
      text('figure', 'Figure'),
      text('symbol', 'Asset'),
      number('value', 'Value'),
      text('source', 'Source'),
      time('observed_at', 'Scored'),
      text('note', 'Note'),
    ],
    rows: [
      row('overall_accuracy', null, overall_accuracy),
      row('average_correlation', null, average_correlation),
      row('total_predictions', null, total_predictions),
      ...Object.entries(by_symbol).flatMap(([symbol, { accuracy, totalPredictions }]) => [
        row('accuracy', symbol, accuracy),
        row('predictions', symbol, totalPredictions),
      ]),
    ],
  };
}

export function candleTables({ symbol, candles, gaps }: Candles): WholeTable[] {
  const prices = ['open', 'high', 'low', 'close'] as const;
  const titles = { open: 'Open', high: 'High', low: 'Low', close: 'Close' };
  return [
    {
      name: 'candles',
      title: `${symbol} candles`,
      columns: [
        time('at', 'Start'),
        ...prices.map((name) => number(name, titles[name], 'USD')),
        number('volume', 'Volume', 'USD'),
      ],
      rows: candles.map(({ at, open, high, low, close, volume }) => [at, open, high, low, close, volume]),
    },
    {
      name: 'gaps',
      title: 'Missing candles',
      columns: [time('from', 'First missing'), time('to', 'Last missing')],
      rows: gaps.map(({ from, to }) => [from, to]),
    },
  ];
}
