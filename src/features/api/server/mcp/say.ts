import type { z } from 'zod/mini';

import type { Replay } from '#features/analysis/contract/replay.ts';
import type { Endpoint } from '#shared/contract.ts';
import { figureMeta, hasOrigin } from '#shared/figures.ts';
import { price } from '#shared/format.ts';
import { GLOSSARY } from '#shared/glossary.ts';
import type { Provenance } from '#shared/provenance.ts';

/** Says figures with what they come from. */
export type Teller = {
  nameOf: (source: string) => string;
  now: () => Date;
  /** The newest replay on past prices; null without one. */
  replay: () => Replay | null;
};

export type Say = (answer: never, teller: Teller) => string;

/** What an endpoint of the public API answers. */
export type ReplyOf<E extends Endpoint> = z.output<E['reply']>;

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
  if (!meta) return ' (unknown source)';
  const marks = [
    ...(Date.parse(meta.staleAfter) < now().getTime() ? ['stale'] : []),
    ...(meta.method === 'measured' ? [] : [meta.method]),
  ];
  return ` (${[nameOf(meta.source), agoOf(meta.observedAt, now()), ...marks].join(', ')})`;
}

/** '63,120.00 USD' */
export const usd = (value: number): string => `${price(value)} USD`;

/** At most so many lines, and how many more there are. */
export function lines(all: readonly string[], most: number, more: string): string {
  const rest = all.length - most;
  return [...all.slice(0, most), ...(rest > 0 ? [`… and ${rest} more ${more}`] : [])].join('\n');
}

const number = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 8 });

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function figureLine(name: string, value: unknown, given: unknown, teller: Teller): string[] {
  const parsed = figureMeta.safeParse(given);
  if (!parsed.success) return [];
  const meta = parsed.data;
  const term = GLOSSARY[meta.metric];
  const called = term?.name ?? name;
  if (!hasOrigin(meta)) return [`${called}: not available. ${meta.reason}`];
  return typeof value === 'number'
    ? [`${called}: ${number.format(value)} ${term?.unit ?? ''}`.trimEnd() + cited(meta, teller)]
    : [];
}

/** Every figure in an answer that lies beside its birth certificate, named and measured as the glossary does. */
export function figureLines(value: unknown, teller: Teller): string[] {
  if (Array.isArray(value)) return value.flatMap((each) => figureLines(each, teller));
  if (!isObject(value)) return [];
  const { meta, ...rest } = value;
  const own = isObject(meta)
    ? Object.entries(meta).flatMap(([name, given]) => figureLine(name, rest[name], given, teller))
    : [];
  return [...own, ...Object.values(rest).flatMap((each) => figureLines(each, teller))];
}
