/** Positions are bytes of WAL, moments are milliseconds of one clock: that of this process, so that no two clocks are compared. */
export type Lag = {
  /** The primary had written up to there at that moment. */
  written: (atMs: number, position: number) => void;
  /** How old the newest moment is of which everything is there; null until there is one. */
  of: (nowMs: number, position: number) => number | null;
};

const MOST = 4000;

/** How far a replica is behind, by what it has replayed of what the primary had written when. */
export function createLag(): Lag {
  const samples: { atMs: number; position: number }[] = [];
  return {
    written(atMs, position) {
      samples.push({ atMs, position });
      // The oldest stays: it is what an age may be reckoned from.
      if (samples.length > MOST) samples.splice(1, 1);
    },
    of(nowMs, position) {
      const reached = samples.findLastIndex((sample) => sample.position <= position);
      if (reached < 0) return null;
      samples.splice(0, reached);
      return nowMs - (samples[0] as (typeof samples)[number]).atMs;
    },
  };
}
