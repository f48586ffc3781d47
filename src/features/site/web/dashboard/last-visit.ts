import { useEffect, useState } from 'react';

const KEY = 'lastVisit';
const MINUTE_MS = 60_000;
/** A visit ends this long after the dashboard was last in view. */
const VISIT_GAP_MS = 30 * MINUTE_MS;
/** History available on every plan. */
const LONGEST_MS = 29 * 24 * 60 * MINUTE_MS;

/** `seen` is when the dashboard was last in view, `since` when the visit before this one ended; ms since epoch. */
type Visit = { seen: number; since: number | null };

const isTime = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

function stored(): Visit | null {
  try {
    const { seen, since } = JSON.parse(localStorage.getItem(KEY) ?? '') as Partial<Visit>;
    return isTime(seen) ? { seen, since: isTime(since) ? since : null } : null;
  } catch {
    return null;
  }
}

/** Continues the visit, or starts a new one after a long enough absence. */
export function visit(now: number): Visit {
  const last = stored();
  const since = last && (now - last.seen > VISIT_GAP_MS ? last.seen : last.since);
  const next = { seen: now, since: since !== null && since <= now && now - since < LONGEST_MS ? since : null };
  try {
    localStorage.setItem(KEY, JSON.stringify(next));
  } catch {
    // Without storage every visitor counts as new.
  }
  return next;
}

/** When this person's previous visit ended, ms since epoch; null for a newcomer, undefined before it is known. */
export function useLastVisit(): number | null | undefined {
  const [since, setSince] = useState<number | null>();
  useEffect(() => {
    const look = () => {
      if (document.visibilityState === 'visible') setSince(visit(Date.now()).since);
    };
    look();
    const timer = setInterval(look, MINUTE_MS);
    document.addEventListener('visibilitychange', look);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }, []);
  return since;
}
