import { compact, percent, price } from '#shared/format.ts';
import { GLOSSARY } from '#shared/glossary.ts';
import { directionOf, type Watched, watchedOf } from '#shared/watched.ts';

export type Figure = {
  /** What it is, as people read it. */
  name: string;
  text: string;
};

const grouped = (value: number, decimals: number) =>
  new Intl.NumberFormat('en-US', { minimumFractionDigits: decimals, maximumFractionDigits: decimals })
    .format(value)
    .replace('-', '\u2212');
const dollars = (text: string) => (text.startsWith('-') ? `\u2212$${text.slice(1)}` : `$${text}`);
const sized = (value: number) => dollars(Math.abs(value) >= 1e6 ? compact(value) : price(value));

const CHANGES: Readonly<Record<string, { what: string; unit: string }>> = {
  change: { what: '24h change', unit: '%' },
  sigma: { what: '24h change in typical daily moves', unit: ' σ' },
  range: { what: 'beyond its 24h range', unit: '%' },
};

function watchedText({ unit, decimals }: Watched, value: number): string {
  if (unit === 'USD') return sized(value);
  if (unit === 'direction') {
    const word = directionOf(value);
    return word.charAt(0) + word.slice(1).toLowerCase();
  }
  if (unit === 'BTC') return `${grouped(value, decimals)} BTC`;
  return unit === '%' ? `${grouped(value, decimals)}%` : grouped(value, decimals);
}

const SIGNED: ReadonlySet<string> = new Set(['coin.change', 'inflation.mom']);

/** A value of any metric that alerts speak of, with its unit. `metric~change` is the change of one over 24 hours. */
export function figureText(metric: string, value: number): Figure {
  const [base = '', kind] = metric.split('~');
  const watched = watchedOf(base);
  const term = Object.hasOwn(GLOSSARY, base) ? GLOSSARY[base] : undefined;
  const name = watched?.name ?? term?.name ?? base;
  const change = kind === undefined ? undefined : CHANGES[kind];
  if (change) return { name: `${name}, ${change.what}`, text: grouped(value, 2) + change.unit };
  if (watched) return { name, text: watchedText(watched, value) };
  if (SIGNED.has(base)) return { name, text: percent(value) };
  const unit = term?.unit ?? '';
  if (unit === 'USD') return { name, text: sized(value) };
  if (unit.startsWith('percent per') || unit === 'percentage points')
    return { name, text: `${grouped(value, 3)} ${unit}` };
  if (unit.startsWith('percent')) return { name, text: `${grouped(value, 2)}%` };
  if (unit === 'BTC' || unit === 'ETH') return { name, text: `${grouped(value, 0)} ${unit}` };
  return { name, text: Math.abs(value) >= 1e6 ? compact(value) : grouped(value, Number.isInteger(value) ? 0 : 2) };
}
