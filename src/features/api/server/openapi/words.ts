import type { Shape } from '../http/shape.ts';
import { FIELDS } from './fields.ts';

export const TAGS = [
  ['Market', 'Prices, metrics, candles, sources and their past'],
  ['Analysis', 'What the analysts say, how they did, and the figures of Premium+'],
  ['Calendar', 'Events and official inflation figures'],
  ['Alerts', 'What was raised, and rules of one’s own'],
  ['Account', 'Whose key it is'],
] as const;

export const PARAMETERS: Readonly<Record<string, string>> = {
  asOf: 'An earlier moment, as 2026-11-20T12:00:00Z: the answer is rebuilt from what was stored by then',
  asset: 'One of the five tracked assets, by symbol',
  assets: 'How many assets: 5 or 20',
  cursor: '`nextCursor` of the page before',
  days: 'Days of past',
  fields:
    'Names of fields with dots between them and commas between the names, such as `prices.symbol,prices.price`. Source and age of what is chosen always come with it.',
  format: '`csv` is what Accept: text/csv asks for',
  from: 'The first moment, included',
  horizon: 'How far ahead the calls look',
  id: 'The coin, such as `bitcoin`',
  interval: 'Minutes of a candle, or D, W, M for days, weeks from Monday and months',
  limit: 'Rows of a page',
  provider: 'An analyst, by id',
  state: 'Calls that wait, that have an outcome, or that can have none',
  symbol: 'A symbol such as BTC, or the id of a coin',
  to: 'The last moment, included',
  topics: 'Names with commas between them: prices, market, record, inflation, events, alerts',
  type: 'What is read the past of',
};

/** Says of every field what it is, by the name of its schema and its own, or by its own alone. */
export function describeAll(schemas: Record<string, Shape>): Record<string, Shape> {
  return Object.fromEntries(Object.entries(schemas).map(([name, shape]) => [name, described(shape, name)]));
}

function described(value: unknown, of: string): Shape {
  if (Array.isArray(value)) return value.map((each) => described(each, of)) as unknown as Shape;
  if (typeof value !== 'object' || value === null) return value as Shape;
  const shape = Object.fromEntries(Object.entries(value).map(([name, each]) => [name, described(each, of)])) as Shape;
  if (!shape.properties || shape.type !== 'object') return shape;
  const properties = Object.entries(shape.properties).map(([name, each]) => {
    const description = FIELDS[`${of}.${name}`] ?? FIELDS[name];
    return [
      name,
      description === undefined || each.description !== undefined ? each : { description, ...each },
    ] as const;
  });
  return { ...shape, properties: Object.fromEntries(properties) };
}
