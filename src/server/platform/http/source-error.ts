export type FailureKind =
  | 'rate_limited'
  | 'timeout'
  | 'network'
  | 'status'
  | 'body'
  | 'resting'
  | 'spent'
  | 'cancelled';

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
