import { type Distance, FORECAST_DAYS, type Forecast, type Odds } from '#sandbox/market/forecasts.ts';

type Quote = { what: string; value: string };

const record = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
const figure = (value: unknown): value is number => typeof value === 'number';

/** Figures of the prompt, in the words that it has for them. */
function quotesIn(prompt: string): Quote[] {
  let data: Record<string, unknown>;
  try {
    data = record(JSON.parse(prompt.slice(prompt.indexOf('{'), prompt.lastIndexOf('}') + 1)));
  } catch {
    return [];
  }
  const bitcoin = record(record(data['assets'])['BTC']);
  const moves = record(bitcoin['change_percent']);
  const price = bitcoin['price_usd'];
  const quotes: Quote[] = [];
  if (figure(price)) quotes.push({ what: 'BTC price', value: `${price} USD` });
  for (const span of ['24h', '7d', '30d']) {
    const move = moves[span];
    if (figure(move)) quotes.push({ what: `BTC change over ${span}`, value: `${move} %` });
  }
  const metrics: unknown[] = Array.isArray(data['metrics']) ? data['metrics'] : [];
  for (const { name, value, unit } of metrics.map(record)) {
    if (typeof name === 'string' && figure(value))
      quotes.push({ what: name, value: `${value} ${typeof unit === 'string' ? unit : ''}`.trim() });
  }
  return quotes.slice(0, 9);
}

const LEAN = { up: 'higher prices', flat: 'prices near where they are', down: 'lower prices' };

function leanOf(odds: Odds): string {
  const [outcome] = Object.entries(odds).toSorted(([, a], [, b]) => b - a)[0] ?? ['flat'];
  return LEAN[outcome as keyof Odds];
}

function termOf(odds: Odds, distance: Distance, quotes: readonly Quote[]) {
  const told = quotes.map(({ what, value }) => `${what} at ${value}`);
  const [first = 'no figure to go by', second = 'nothing else that speaks'] = told;
  return {
    reasoning: `Over ${distance} the figures point to ${leanOf(odds)}: ${first}, and ${second}.`,
    factors_analyzed: quotes.map(({ what }) => what).slice(0, 6),
    key_factors: told.slice(0, 4),
    risk_factors: [`A move against ${leanOf(odds)} within ${distance}`, 'Thin order books at the weekend'],
    ...odds,
  };
}

/** A forecast as a language model puts it, quoting the figures it was given. */
export function spoken({ market, assets }: Forecast, prompt: string): Record<string, unknown> {
  const quotes = quotesIn(prompt);
  const terms = Object.keys(FORECAST_DAYS) as Distance[];
  const [first, ...more] = quotes.map(({ what, value }) => `${what} ${value}`);
  return {
    overall_reasoning: `${first ?? 'No figures were given'}; ${more.slice(0, 3).join(', ')}. Taken together they speak for ${leanOf(market['7d'])} over the coming week.`,
    market: Object.fromEntries(terms.map((distance) => [distance, termOf(market[distance], distance, quotes)])),
    assets,
  };
}
