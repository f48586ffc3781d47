type Bucket = { tokens: number; at: number };

export type Burst = {
  /** Takes one of a user's calls; false when none is left at this moment. */
  take: (userId: number, nowMs: number) => boolean;
  /** Calls left at this moment, in whole numbers. */
  left: (userId: number, nowMs: number) => number;
  /** Forgets whoever could make all calls again. */
  tidy: (nowMs: number) => void;
};

/** A bucket of tokens for each user, in this process: `perSecond` at once, and as many again each second. */
export function createBurst(perSecond: number): Burst {
  const buckets = new Map<number, Bucket>();

  function filled(userId: number, nowMs: number): Bucket {
    let bucket = buckets.get(userId);
    if (!bucket) {
      bucket = { tokens: perSecond, at: nowMs };
      buckets.set(userId, bucket);
    }
    // A clock that is set back gives nothing and takes nothing.
    const elapsed = Math.max(0, nowMs - bucket.at);
    bucket.tokens = Math.min(perSecond, bucket.tokens + (elapsed * perSecond) / 1000);
    bucket.at = nowMs;
    return bucket;
  }

  return {
    take(userId, nowMs) {
      const bucket = filled(userId, nowMs);
      if (bucket.tokens < 1) return false;
      bucket.tokens -= 1;
      return true;
    },
    left: (userId, nowMs) => Math.floor(filled(userId, nowMs).tokens),
    tidy(nowMs) {
      for (const [userId, { at }] of buckets) if (nowMs - at >= 1000) buckets.delete(userId);
    },
  };
}
