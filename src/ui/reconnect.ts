const waiting = new Set<() => void>();

/** Called whenever the server may be there again after it was away; the function it returns ends that. */
export function onReconnect(listener: () => void): () => void {
  waiting.add(listener);
  return () => void waiting.delete(listener);
}

export function notifyReconnect(): void {
  for (const listener of waiting) listener();
}
