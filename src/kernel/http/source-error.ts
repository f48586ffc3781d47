export type FailureKind =
  | 'rate_limited'
  | 'timeout'
  | 'network'
  | 'status'
  | 'body'
  | 'resting'
  | 'spent'
  | 'cancelled'
  /** The source does not have the requested item, which is no failure of the source. */
  | 'absent'
  /** The host blocks this country; `retryAfterMs` is long. */
  | 'refused_region';

/** How often a host that blocks a region is tried again. */
export const REGION_RETRY_MS = 3_600_000;

/** Why an external source gave no usable response. The message can be shown to operators and on the page. */
export class SourceError extends Error {
  readonly kind: FailureKind;
  readonly retryAfterMs: number | undefined;

  constructor(kind: FailureKind, message: string, retryAfterMs?: number, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SourceError';
    this.kind = kind;
    this.retryAfterMs = retryAfterMs;
  }
}
