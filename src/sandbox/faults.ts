/** What can go wrong. Websocket faults are `drop` and `silent`; `stale` freezes answers and feed alike. */
export type Fault =
  /** 429; `retryAfter` in seconds, 30 unless told, null leaves the header out. */
  | { kind: 'rate_limit'; retryAfter?: number | null }
  /** The provider's rate-limit body under HTTP 200. */
  | { kind: 'rate_limit_200' }
  | { kind: 'server_error'; status?: number }
  /** The provider's error body under HTTP 200, as Bybit's retCode 10001. */
  | { kind: 'error_200' }
  /** Accepts the request and never answers. */
  | { kind: 'timeout' }
  | { kind: 'slow'; delayMs?: number }
  /** Half the body; `cut` closes the connection in the middle instead of ending it properly. */
  | { kind: 'truncated'; cut?: boolean }
  /** Not JSON; `html` is a page that says "Request Denied" under 200. */
  | { kind: 'malformed'; html?: boolean }
  | { kind: 'nulls' }
  | { kind: 'stale' }
  /** Closes every connection and refuses new ones; `once` lets them come back. */
  | { kind: 'drop'; once?: boolean }
  | { kind: 'silent' }
  /** A node of a chain does not know of the newest blocks. */
  | { kind: 'lag'; blocks: number }
  /** This node alone is on another branch from this block on. */
  | { kind: 'fork'; from: number }
  /** The newest blocks are replaced, once for each rule; what was sent in them is gone, or mined again. */
  | { kind: 'reorg'; depth: number; again?: boolean }
  /** A language model will not say, in its provider's own way. */
  | { kind: 'refusal' }
  /** It says something that is not JSON. */
  | { kind: 'invalid_json' }
  /** JSON of the right shape, with figures that cannot be meant. */
  | { kind: 'schema_violation' }
  /** It ran out of tokens in the middle. */
  | { kind: 'truncated_answer' }
  /** It cannot be held to a schema; `orObject`: to JSON neither. */
  | { kind: 'no_json_schema'; orObject?: boolean };

/** `path` is below the provider's base, `*` stands for anything, 'ws' is the feed. `count` limits it to the next n answers. */
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
  const literal = pattern.split('*').map((piece) => piece.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${literal.join('.*')}$`).test(path);
}

function concerns({ rule }: ActiveFault, provider: string, path: string): boolean {
  if (rule.provider !== provider && rule.provider !== '*') return false;
  if (rule.path !== undefined) return matchesPath(rule.path, path);
  if (FEED_KINDS.has(rule.kind)) return path === 'ws';
  return path !== 'ws' || rule.kind === 'stale';
}

/** The switchboard: which faults are on, and how often each endpoint was asked. */
export class Faults {
  readonly #now: () => number;
  readonly #onSet: (rule: FaultRule) => void;
  readonly #counts = new Map<string, Map<string, number>>();
  #active: ActiveFault[] = [];

  constructor(now: () => number, onSet: (rule: FaultRule) => void) {
    this.#now = now;
    this.#onSet = onSet;
  }

  set(rule: FaultRule): void {
    const once = rule.kind === 'drop' && rule.once === true;
    if (!once) this.#active.push({ rule, since: this.#now(), left: rule.count ?? Number.POSITIVE_INFINITY });
    this.#onSet(rule);
  }

  clear(provider?: string): void {
    this.#active = provider === undefined ? [] : this.#active.filter(({ rule }) => rule.provider !== provider);
  }

  list(): readonly FaultRule[] {
    return this.#active.map(({ rule }) => rule);
  }

  /** Faults for one answer, newest first; uses up one of each counted rule. */
  take(provider: string, path: string): FaultRule[] {
    const hits = this.#active.filter((fault) => concerns(fault, provider, path)).toReversed();
    for (const fault of hits) fault.left -= 1;
    this.#active = this.#active.filter(({ left }) => left > 0);
    return hits.map(({ rule }) => rule);
  }

  isOn(kind: Fault['kind'], provider: string, path: string): boolean {
    return this.#active.some((fault) => fault.rule.kind === kind && concerns(fault, provider, path));
  }

  /** Time as this endpoint sees it: it stopped when the content went stale. */
  timeFor(provider: string, path: string): number {
    const stale = this.#active.find((fault) => fault.rule.kind === 'stale' && concerns(fault, provider, path));
    return stale?.since ?? this.#now();
  }

  count(provider: string, path: string): void {
    const counts = this.#counts.get(provider) ?? new Map<string, number>();
    this.#counts.set(provider, counts.set(path, (counts.get(path) ?? 0) + 1));
  }

  /** How many requests (or websocket connections, path 'ws') came in. */
  requests(provider: string, pattern = '*'): number {
    let sum = 0;
    for (const [path, count] of this.#counts.get(provider) ?? []) if (matchesPath(pattern, path)) sum += count;
    return sum;
  }

  allRequests(): Record<string, Record<string, number>> {
    return Object.fromEntries([...this.#counts].map(([id, counts]) => [id, Object.fromEntries(counts)]));
  }
}
