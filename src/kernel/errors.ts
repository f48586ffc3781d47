import type { ApiError, ErrorCode } from '#shared/contract.ts';

const STATUS: Record<ErrorCode, number> = {
  bad_request: 400,
  unauthenticated: 401,
  upgrade_required: 403,
  forbidden: 403,
  reauthentication_required: 403,
  not_found: 404,
  conflict: 409,
  precondition_failed: 412,
  payload_too_large: 413,
  rate_limited: 429,
  internal: 500,
  unavailable: 503,
};

export const INTERNAL_MESSAGE = 'Something went wrong on our side';

/** An expected failure: its message reaches the user. Anything else thrown is a bug and answers 500. */
export class AppError extends Error {
  readonly code: ErrorCode;
  /** Sent as Retry-After. */
  readonly retryAfterSeconds: number | undefined;
  /** Sent with the refusal. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ErrorCode,
    message: string,
    options: ErrorOptions & { retryAfterSeconds?: number; headers?: Readonly<Record<string, string>> } = {},
  ) {
    super(message, options);
    this.name = 'AppError';
    this.code = code;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.headers = options.headers ?? {};
  }

  get status(): number {
    return STATUS[this.code];
  }

  toWire(): ApiError {
    return { error: this.message, code: this.code };
  }
}

export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
