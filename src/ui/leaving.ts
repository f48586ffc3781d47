/** Receives the function that continues, and decides whether and when to call it. */
type LeaveGuard = (go: () => void) => void;

let guard: LeaveGuard | null = null;

/** From now on, leaving the page calls this guard. Returns the function that removes it. */
export function guardPage(next: LeaveGuard): () => void {
  guard = next;
  return () => {
    if (guard === next) guard = null;
  };
}

/** True when a guard handles the navigation. */
export function hold(go: () => void): boolean {
  guard?.(go);
  return guard !== null;
}
