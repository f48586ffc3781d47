import { type FigureMeta, hasOrigin } from '#shared/figures.ts';
import { price } from '#shared/format.ts';
import type { Provenance } from '#shared/provenance.ts';

/** Says figures with what they come from. */
export type Teller = {
  nameOf: (source: string) => string;
  now: () => Date;
};

// oxlint-disable-next-line typescript/no-explicit-any -- each tool reads the reply of its own contract
export type Say = (answer: any, teller: Teller) => string;

const UNITS = [
  [86_400, 'd'],
  [3600, 'h'],
  [60, 'min'],
] as const;

/** '4 s ago', '12 min ago', '3 h ago'. */
export function agoOf(at: string, now: Date): string {
  const seconds = Math.max(0, Math.floor((now.getTime() - Date.parse(at)) / 1000));
  const [size, unit] = UNITS.find(([length]) => seconds >= length) ?? [1, 's'];
  return `${Math.floor(seconds / size)} ${unit} ago`;
}

/** ' (Binance, 4 s ago)', with what else a reader has to know of it. */
export function cited(meta: Provenance | null | undefined, { nameOf, now }: Teller): string {
  if (!meta) return ' (source not known)';
  const marks = [
    ...(Date.parse(meta.staleAfter) < now().getTime() ? ['stale'] : []),
    ...(meta.method === 'measured' ? [] : [meta.method]),
  ];
  return ` (${[nameOf(meta.source), agoOf(meta.observedAt, now()), ...marks].join(', ')})`;
}

/** A figure, or why there is none. */
export function figureWith(
  text: (value: number) => string,
  value: number | null,
  meta: FigureMeta | undefined,
  teller: Teller,
): string {
  if (value !== null && hasOrigin(meta)) return text(value) + cited(meta, teller);
  return `not known${meta && !hasOrigin(meta) ? `: ${meta.reason}` : ''}`;
}

/** '63,120.00 USD' */
export const usd = (value: number): string => `${price(value)} USD`;

/** At most so many lines, and how many more there are. */
export function lines(all: readonly string[], most: number, more: string): string {
  const rest = all.length - most;
  return [...all.slice(0, most), ...(rest > 0 ? [`… and ${rest} more ${more}`] : [])].join('\n');
}
