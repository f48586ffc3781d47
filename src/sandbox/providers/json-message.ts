/** What a client sent over its socket, if it is a JSON object. */
export function parseMessage<T extends object>(text: string): Partial<T> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
