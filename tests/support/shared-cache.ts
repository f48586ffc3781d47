/** The response of an origin, with header names in lower case. */
export type CachedResponse = { status: number; headers: Record<string, string | undefined>; body: string };
type Origin = (url: string, headers: Record<string, string>) => Promise<CachedResponse>;
type Entry = { response: CachedResponse; at: number; varied: Record<string, string | undefined> };

const secondsOf = (control: string, name: string): number =>
  Number(new RegExp(`(?:^|[ ,])${name}=(\\d+)`).exec(control)?.[1] ?? 0);

/** A shared cache according to RFC 9111 and 5861: keyed by address and by the headers in `vary`. */
export function sharedCache(origin: Origin, nowSeconds: () => number) {
  const entries = new Map<string, Entry[]>();

  const matchesVary = (entry: Entry, headers: Record<string, string>) =>
    Object.entries(entry.varied).every(([name, value]) => headers[name] === value);

  function storeResponse(url: string, headers: Record<string, string>, response: CachedResponse): void {
    const control = response.headers['cdn-cache-control'] ?? response.headers['cache-control'] ?? '';
    const isCacheable =
      response.status === 200 && /\bpublic\b/.test(control) && !/\b(private|no-store)\b/.test(control);
    if (!isCacheable) return;
    const names = (response.headers['vary'] ?? '').split(/, */).filter(Boolean);
    const varied = Object.fromEntries(names.map((name) => [name, headers[name]]));
    const otherVariants = (entries.get(url) ?? []).filter((entry) => !matchesVary(entry, headers));
    entries.set(url, [...otherVariants, { response, at: nowSeconds(), varied }]);
  }

  async function fetchFromOrigin(url: string, headers: Record<string, string>): Promise<CachedResponse> {
    const response = await origin(url, headers);
    storeResponse(url, headers, response);
    return response;
  }

  return {
    /** The response, its age in seconds, and whether it was stored. */
    async get(url: string, headers: Record<string, string> = {}) {
      const entry = entries.get(url)?.find((each) => matchesVary(each, headers));
      if (!entry) return { ...(await fetchFromOrigin(url, headers)), age: 0, isKept: false };
      const control = entry.response.headers['cdn-cache-control'] ?? entry.response.headers['cache-control'] ?? '';
      const age = nowSeconds() - entry.at;
      const fresh = secondsOf(control, 's-maxage') || secondsOf(control, 'max-age');
      if (age <= fresh) return { ...entry.response, age, isKept: true };
      if (age <= fresh + secondsOf(control, 'stale-while-revalidate')) {
        await fetchFromOrigin(url, headers).catch(() => undefined);
        return { ...entry.response, age, isKept: true };
      }
      try {
        const response = await fetchFromOrigin(url, headers);
        if (response.status < 500) return { ...response, age: 0, isKept: false };
      } catch {
        // Treated like a 5xx response.
      }
      if (age <= fresh + secondsOf(control, 'stale-if-error')) return { ...entry.response, age, isKept: true };
      return { status: 504, headers: {}, body: '', age: 0, isKept: false };
    },
  };
}
