const waiting = new Set<() => void>();

/** Called whenever the server may be reachable again; the function it returns unsubscribes. */
export function onReconnect(listener: () => void): () => void {
  waiting.add(listener);
  return () => void waiting.delete(listener);
}

export function notifyReconnect(): void {
  for (const listener of waiting) listener();
}
