import { z } from 'zod/mini';

import { endpoint } from '#shared/contract.ts';

export const ERROR_TYPES = ['api_failure', 'data_collection', 'authentication', 'system', 'other'] as const;
export const errorType = z.enum(ERROR_TYPES);
export type ErrorType = z.infer<typeof errorType>;

/** One error, however often it occurred: message, details and request are from the latest occurrence. */
export const errorLog = z.object({
  id: z.int(),
  source: z.string(),
  type: errorType,
  message: z.string(),
  /** When it was last seen. */
  timestamp: z.iso.datetime(),
  /** JSON, or any other text. */
  details: z.nullable(z.string()),
  fingerprint: z.string(),
  firstSeen: z.iso.datetime(),
  count: z.int(),
  requestId: z.nullable(z.string()),
});
export type ErrorLog = z.infer<typeof errorLog>;

const tally = z.object({
  /** Distinct errors, each an entry of the list. */
  errors: z.int(),
  /** Total occurrences. */
  times: z.int(),
});
export type Tally = z.infer<typeof tally>;

export const LONGEST_SEARCH = 100;
const refusal = [
  'Authentication required. Please log in.',
  'Admin access required. This page is only available to administrators.',
] as const;

/**
 * Unresolved errors, most recently seen first, 50 per page; `next` is the `before` of the next page. `q` is searched in
 * message, source, request and details. Counts apply `q` but not `type`; all includes 'other'.
 */
export const listErrors = endpoint({
  method: 'GET',
  path: '/api/errors',
  access: 'admin',
  refusal,
  query: z.object({
    type: z.optional(errorType),
    q: z.optional(z.string().check(z.maxLength(LONGEST_SEARCH), z.regex(/^[^\0]*$/, 'must be text'))),
    before: z.optional(z.string().check(z.regex(/^\d{1,13}-\d{1,15}$/, 'must be the `next` of a page'))),
  }),
  reply: z.object({
    errors: z.array(errorLog),
    counts: z.object({
      all: tally,
      api_failure: tally,
      data_collection: tally,
      authentication: tally,
      system: tally,
      other: tally,
    }),
    next: z.nullable(z.string()),
  }),
});

/** Removes it from the list until it recurs. */
export const resolveError = endpoint({
  method: 'POST',
  path: '/api/errors/:id/resolve',
  access: 'admin',
  refusal,
  params: z.object({ id: z.coerce.number().check(z.int(), z.minimum(1), z.maximum(Number.MAX_SAFE_INTEGER)) }),
  reply: z.object({ success: z.literal(true) }),
});

export const LONGEST = { message: 500, stack: 4_000, path: 200 } as const;

/** An error of our page in a browser. Personal data is removed, and the user is not recorded. */
export const reportClientError = endpoint({
  method: 'POST',
  path: '/api/errors/client',
  access: 'public',
  body: z.strictObject({
    /** An uncaught error, an unhandled rejection, or a component that failed to render. */
    kind: z.enum(['error', 'rejection', 'render']),
    message: z.string().check(z.maxLength(LONGEST.message)),
    stack: z.optional(z.string().check(z.maxLength(LONGEST.stack))),
    /** Path of the page, without its query. */
    path: z.string().check(z.maxLength(LONGEST.path)),
  }),
  reply: z.object({ success: z.literal(true) }),
});
