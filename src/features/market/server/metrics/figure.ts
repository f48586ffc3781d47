import type { FigureMeta } from '#shared/figures.ts';

/** A value with its birth certificate, or null with the reason. */
export type Figure = { value: number | null; meta: FigureMeta };

type Named<K extends string> = { [Key in K]: number | null } & { meta: Record<K, FigureMeta> };

/** Lays figures side by side with the meta of each. */
export function group<K extends string>(figures: Record<K, Figure>): Named<K> {
  const entries = Object.entries(figures) as [K, Figure][];
  return {
    ...Object.fromEntries(entries.map(([name, { value }]) => [name, value])),
    meta: Object.fromEntries(entries.map(([name, { meta }]) => [name, meta])),
  } as Named<K>;
}
