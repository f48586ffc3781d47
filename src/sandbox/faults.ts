/** Faults to inject. Websocket faults are `drop` and `silent`; `stale` freezes responses and feed alike. */
export type Fault =
  /** 429; `retryAfter` in seconds, 30 by default; null omits the header. */
  | { kind: 'rate_limit'; retryAfter?: number | null }
  /** The provider's rate-limit body under HTTP 200. */
  | { kind: 'rate_limit_200' }
  | { kind: 'server_error'; status?: number }
  /** The provider's error body under HTTP 200, such as Bybit's retCode 10001. */
  | { kind: 'error_200' }
  /** Accepts the request and never responds. */
  | { kind: 'timeout' }
  | { kind: 'slow'; delayMs?: number }
  /** Half the body; `cut` closes the connection midway instead of ending it properly. */
  | { kind: 'truncated'; cut?: boolean }
  /** Not JSON; `html` is a page that says "Request Denied" under 200. */
  | { kind: 'malformed'; html?: boolean }
  | { kind: 'nulls' }
  | { kind: 'stale' }
  /** Closes every connection and refuses new ones; `once` allows reconnects. */
  | { kind: 'drop'; once?: boolean }
  | { kind: 'silent' }
  /** A chain node does not know the newest blocks. */
  | { kind: 'lag'; blocks: number }
  /** Only this node is on another branch from this block on. */
  | { kind: 'fork'; from: number }
  /** The newest blocks are replaced, once per rule; their transactions are gone, or mined again. */
  | { kind: 'reorg'; depth: number; again?: boolean }
  /** A language model refuses, in its provider's own format. */
  | { kind: 'refusal' }
  /** The response is not JSON. */
  | { kind: 'invalid_json' }
  /** JSON of the right shape, with absurd figures. */
  | { kind: 'schema_violation' }
  /** It ran out of tokens midway. */
  | { kind: 'truncated_answer' }
  /** It does not support JSON schemas; `orObject`: nor JSON mode. */
  | { kind: 'no_json_schema'; orObject?: boolean };

/**
 * `path` is below the provider's base, `*` matches anything, 'ws' is the feed. `count` limits it to the next n
 * responses.
 */
export type FaultRule = Fault & { provider: string; path?: string; count?: number };

export const FAULT_KINDS: readonly Fault['kind'][] = [
  'rate_limit',
  'rate_limit_200',
  'server_error',
  'error_200',
  'timeout',
  'slow',
  'truncated',
  'malformed',
  'nulls',
  'stale',
  'drop',
  'silent',
  'lag',
  'fork',
  'reorg',
  'refusal',
  'invalid_json',
  'schema_violation',
  'truncated_answer',
  'no_json_schema',
];

const FEED_KINDS: ReadonlySet<Fault['kind']> = new Set(['drop', 'silent']);

export type ActiveFault = { readonly rule: FaultRule; readonly since: number; left: number };

export function matchesPath(pattern: string, path: string): boolean {
  const literal = pattern.split('*').map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${literal.join('.*')}$`).test(path);
}

function appliesTo({ rule }: ActiveFault, provider: string, path: string): boolean {
  if (rule.provider !== provider && rule.provider !== '*') return false;
  if (rule.path !== undefined) return matchesPath(rule.path, path);
  if (FEED_KINDS.has(rule.kind)) return path === 'ws';
  return path !== 'ws' || rule.kind === 'stale';
}

/** Fault control: which faults are active, and how many requests each endpoint received. */
export class Faults {
  readonly #now: () => number;
  readonly #onFaultSet: (rule: FaultRule) => void;
  readonly #counts = new Map<string, Map<string, number>>();
  #active: ActiveFault[] = [];

  constructor(now: () => number, onFaultSet: (rule: FaultRule) => void) {
    this.#now = now;
    this.#onFaultSet = onFaultSet;
  }

  set(rule: FaultRule): void {
    const once = rule.kind === 'drop' && rule.once === true;
    if (!once) this.#active.push({ rule, since: this.#now(), left: rule.count ?? Number.POSITIVE_INFINITY });
    this.#onFaultSet(rule);
  }

  clear(provider?: string): void {
    this.#active = provider === undefined ? [] : this.#active.filter(({ rule }) => rule.provider !== provider);
  }

  list(): readonly FaultRule[] {
    return this.#active.map(({ rule }) => rule);
  }

  /** Faults for one response, newest first; consumes one of each counted rule. */
  take(provider: string, path: string): FaultRule[] {
    const hits = this.#active.filter((fault) => appliesTo(fault, provider, path)).toReversed();
    for (const fault of hits) fault.left -= 1;
    this.#active = this.#active.filter(({ left }) => left > 0);
    return hits.map(({ rule }) => rule);
  }

  isOn(kind: Fault['kind'], provider: string, path: string): boolean {
    return this.#active.some((fault) => fault.rule.kind === kind && appliesTo(fault, provider, path));
  }

  /** Time as this endpoint sees it: frozen since its content became stale. */
  timeFor(provider: string, path: string): number {
    const stale = this.#active.find((fault) => fault.rule.kind === 'stale' && appliesTo(fault, provider, path));
    return stale?.since ?? this.#now();
  }

  count(provider: string, path: string): void {
    const counts = this.#counts.get(provider) ?? new Map<string, number>();
    this.#counts.set(provider, counts.set(path, (counts.get(path) ?? 0) + 1));
  }

  /** Number of requests (or websocket connections, path 'ws') received. */
  requests(provider: string, pattern = '*'): number {
    let sum = 0;
    for (const [path, count] of this.#counts.get(provider) ?? []) if (matchesPath(pattern, path)) sum += count;
    return sum;
  }

  allRequests(): Record<string, Record<string, number>> {
    return Object.fromEntries([...this.#counts].map(([id, counts]) => [id, Object.fromEntries(counts)]));
  }
}
