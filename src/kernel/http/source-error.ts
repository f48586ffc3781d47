export type FailureKind =
  | 'rate_limited'
  | 'timeout'
  | 'network'
  | 'status'
  | 'body'
  | 'resting'
  | 'spent'
  | 'cancelled'
  /** The source has no such thing as was asked for: nothing is wrong with the source. */
  | 'absent'
  /** The host serves nothing to this country; `retryAfterMs` is long. */
  | 'refused_region';

/** A host that refuses a region is tried again this seldom. */
export const REGION_RETRY_MS = 3_600_000;

/** Why an outside source gave no usable answer. The message is fit for operators and for the page. */
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
