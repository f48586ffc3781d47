import { type Distance, FORECAST_DAYS, type Forecast, type Odds, type Temper } from '#sandbox/market/forecasts.ts';

type Quote = { what: string; value: string };

const record = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
const figure = (value: unknown): value is number => typeof value === 'number';

/** As a person would say it: 72,911 and 8.3, but 0.0121. */
const worded = (value: number) =>
  value.toLocaleString(
    'en-US',
    Math.abs(value) < 1 ? { maximumSignificantDigits: 3 } : { maximumFractionDigits: Math.abs(value) < 1000 ? 2 : 0 },
  );

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
  if (figure(price)) quotes.push({ what: 'BTC price', value: `${worded(price)} USD` });
  for (const span of ['24h', '7d', '30d']) {
    const move = moves[span];
    if (figure(move))
      quotes.push({ what: `BTC change over ${span}`, value: `${move > 0 ? '+' : ''}${worded(move)} %` });
  }
  const metrics: unknown[] = Array.isArray(data['metrics']) ? data['metrics'] : [];
  for (const { name, value, unit } of metrics.map(record)) {
    if (typeof name === 'string' && figure(value))
      quotes.push({ what: name, value: `${worded(value)} ${typeof unit === 'string' ? unit : ''}`.trim() });
  }
  return quotes.slice(0, 9);
}

const LEAN = { up: 'higher prices', flat: 'prices near where they are', down: 'lower prices' };

function leanOf(odds: Odds): string {
  const [outcome] = Object.entries(odds).toSorted(([, a], [, b]) => b - a)[0] ?? ['flat'];
  return LEAN[outcome as keyof Odds];
}

/** Each temper has its own way to say what it makes of the same figures. */
const TERM: Record<Temper, (lean: string, distance: string, first: string, second: string) => string> = {
  insight: (lean, distance, first, second) =>
    `Weighing ${first} against ${second}, ${lean} are the likelier outcome over ${distance}.`,
  momentum: (lean, distance, first, second) =>
    `The move so far, with ${first} and ${second}, carries on to ${lean} over ${distance}.`,
  bluster: (lean, distance, first, second) =>
    `Everything says ${lean} over ${distance}: ${first}, ${second}, and little stands in the way.`,
};
const WHOLE: Record<Temper, (lean: string, figures: string) => string> = {
  insight: (lean, figures) =>
    `${figures}. Taken together the balance leans to ${lean} over the coming week, by a narrow margin.`,
  momentum: (lean, figures) => `Trend first: ${figures}. That favours ${lean} over the coming week until it breaks.`,
  bluster: (lean, figures) => `The picture is clear. Expect ${lean} over the coming week: ${figures}.`,
};

function termOf(odds: Odds, distance: Distance, quotes: readonly Quote[], temper: Temper) {
  const told = quotes.map(({ what, value }) => `${what} at ${value}`);
  const [first = 'no figure to go by', second = 'nothing else that speaks'] = told;
  return {
    reasoning: TERM[temper](leanOf(odds), distance, first, second),
    factors_analyzed: quotes.map(({ what }) => what).slice(0, 6),
    key_factors: told.slice(0, 4),
    risk_factors: [`A move against ${leanOf(odds)} within ${distance}`, 'Thin order books at the weekend'],
    ...odds,
  };
}

/** A forecast as a language model puts it, quoting the figures it was given. */
export function spoken({ market, assets }: Forecast, prompt: string, temper: Temper): Record<string, unknown> {
  const quotes = quotesIn(prompt);
  const terms = Object.keys(FORECAST_DAYS) as Distance[];
  const figures = quotes.slice(0, 3).map(({ what, value }) => `${what} ${value}`);
  return {
    overall_reasoning: WHOLE[temper](leanOf(market['7d']), figures.join(', ') || 'No figures were given'),
    market: Object.fromEntries(terms.map((distance) => [distance, termOf(market[distance], distance, quotes, temper)])),
    assets,
  };
}
