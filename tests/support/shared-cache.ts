/** The response of an origin, with header names in lower case. */
export type Answered = { status: number; headers: Record<string, string | undefined>; body: string };
type Origin = (url: string, headers: Record<string, string>) => Promise<Answered>;
type Entry = { answer: Answered; at: number; varied: Record<string, string | undefined> };

const secondsOf = (control: string, name: string): number =>
  Number(new RegExp(`(?:^|[ ,])${name}=(\\d+)`).exec(control)?.[1] ?? 0);

/** A shared cache according to RFC 9111 and 5861: keyed by address and by the headers in `vary`. */
export function sharedCache(origin: Origin, nowSeconds: () => number) {
  const kept = new Map<string, Entry[]>();

  const fits = (entry: Entry, headers: Record<string, string>) =>
    Object.entries(entry.varied).every(([name, value]) => headers[name] === value);

  function store(url: string, headers: Record<string, string>, answer: Answered): void {
    const control = answer.headers['cdn-cache-control'] ?? answer.headers['cache-control'] ?? '';
    const mayKeep = answer.status === 200 && /\bpublic\b/.test(control) && !/\b(private|no-store)\b/.test(control);
    if (!mayKeep) return;
    const names = (answer.headers['vary'] ?? '').split(/, */).filter(Boolean);
    const varied = Object.fromEntries(names.map((name) => [name, headers[name]]));
    const others = (kept.get(url) ?? []).filter((entry) => !fits(entry, headers));
    kept.set(url, [...others, { answer, at: nowSeconds(), varied }]);
  }

  async function fetchAnew(url: string, headers: Record<string, string>): Promise<Answered> {
    const answer = await origin(url, headers);
    store(url, headers, answer);
    return answer;
  }

  return {
    /** The response, its age in seconds, and whether it was stored. */
    async get(url: string, headers: Record<string, string> = {}) {
      const entry = kept.get(url)?.find((each) => fits(each, headers));
      if (!entry) return { ...(await fetchAnew(url, headers)), age: 0, isKept: false };
      const control = entry.answer.headers['cdn-cache-control'] ?? entry.answer.headers['cache-control'] ?? '';
      const age = nowSeconds() - entry.at;
      const fresh = secondsOf(control, 's-maxage') || secondsOf(control, 'max-age');
      if (age <= fresh) return { ...entry.answer, age, isKept: true };
      if (age <= fresh + secondsOf(control, 'stale-while-revalidate')) {
        await fetchAnew(url, headers).catch(() => undefined);
        return { ...entry.answer, age, isKept: true };
      }
      try {
        const answer = await fetchAnew(url, headers);
        if (answer.status < 500) return { ...answer, age: 0, isKept: false };
      } catch {
        // Treated like a 5xx response.
      }
      if (age <= fresh + secondsOf(control, 'stale-if-error')) return { ...entry.answer, age, isKept: true };
      return { status: 504, headers: {}, body: '', age: 0, isKept: false };
    },
  };
}
