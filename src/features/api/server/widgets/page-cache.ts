import type { Prepared } from '#kernel/read-model.ts';

type Entry = { at: number; drawn: Promise<Prepared> };

/**
 * Drawn widgets by their options: the oldest makes room, whatever options are thought up. One that is being drawn serves
 * everyone who asks meanwhile; one that fails is not kept.
 */
export function createPageCache(most: number, forMs: number, now: () => Date) {
  const entries = new Map<string, Entry>();
  return {
    size: () => entries.size,
    get(key: string, draw: () => Promise<Prepared>): Promise<Prepared> {
      const at = now().getTime();
      const known = entries.get(key);
      if (known && at - known.at < forMs && at >= known.at) return known.drawn;
      const drawn = draw();
      entries.delete(key);
      if (entries.size >= most) entries.delete(entries.keys().next().value as string);
      const entry = { at, drawn };
      entries.set(key, entry);
      drawn.catch(() => {
        if (entries.get(key) === entry) entries.delete(key);
      });
      return drawn;
    },
  };
}
