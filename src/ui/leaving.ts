/** Is told how to go on, and decides whether and when. */
type Guard = (go: () => void) => void;

let guard: Guard | null = null;

/** From now on nobody leaves the page without this guard. Returns what sends it away. */
export function guardPage(next: Guard): () => void {
  guard = next;
  return () => {
    if (guard === next) guard = null;
  };
}

/** True when a guard has taken the matter over. */
export function hold(go: () => void): boolean {
  guard?.(go);
  return guard !== null;
}
