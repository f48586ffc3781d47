import { z } from 'zod/mini';

import { provenance } from './provenance.ts';

/** Prefix of a coin’s id in the key of its price. */
export const COIN_PREFIX = 'price:';

/** The birth certificate of one figure. `metric` is its key in the glossary. */
export const figureOrigin = z.extend(provenance, {
  metric: z.string(),
  /** The venues or sources summed or averaged in it. */
  venues: z.optional(z.array(z.string())),
  /** The formula it was computed with, including values: `BTC market cap $1.9T ÷ supply $271B`. */
  terms: z.optional(z.string()),
  /** Days of history behind a figure that needs more of them than are available. */
  historyDays: z.optional(z.int()),
  /** Hours collected, for the sum of a rolling window that is not yet full. */
  collectedHours: z.optional(z.number()),
});
export type FigureOrigin = z.infer<typeof figureOrigin>;

/** Why a figure is null, in one user-facing sentence. */
export const figureMissing = z.object({ metric: z.string(), reason: z.string() });
export type FigureMissing = z.infer<typeof figureMissing>;

export const figureMeta = z.union([figureOrigin, figureMissing]);
export type FigureMeta = z.infer<typeof figureMeta>;

export const hasOrigin = (meta: FigureMeta | undefined): meta is FigureOrigin => meta !== undefined && 'source' in meta;

type Words = Record<string, z.ZodMiniType>;
interface NoWords extends Record<never, z.ZodMiniType> {}
type Numbers<K extends string> = { [Key in K]: z.ZodMiniNullable<z.ZodMiniNumber> };

/**
 * An object of numbers, null where unknown, with the `meta` of each. It rejects a number without its birth certificate
 * and a null without its reason. `words` are the non-numeric fields.
 */
export function figures<const K extends string, W extends Words = NoWords>(names: readonly K[], words: W = {} as W) {
  const numbers = Object.fromEntries(names.map((name) => [name, z.nullable(z.number())])) as Numbers<K>;
  return z.object({ ...numbers, ...words, meta: z.record(z.string(), figureMeta) }).check(
    z.check((ctx) => {
      const value = ctx.value as unknown as Record<K, number | null> & { meta: Record<string, FigureMeta> };
      for (const name of names) {
        const meta = value.meta[name];
        const isBorn = hasOrigin(meta);
        if (meta && isBorn === (value[name] !== null)) continue;
        const message = value[name] === null ? 'is null without a reason' : 'has no source and age';
        ctx.issues.push({ code: 'custom', input: value, path: [name], message: `${name} ${message}` });
      }
    }),
  );
}
