import { z } from 'zod/mini';

import { API_SCOPES, apiScope, endpoint } from '#shared/contract.ts';

/** Limit of active keys per account. */
export const MAX_KEYS = 10;
export const MAX_NAME_LENGTH = 60;

/**
 * `api_key` is the hint, such as mk_live_Y53X…6c1a: the key itself is never stored. Deactivated keys are not listed.
 */
const apiKey = z.object({
  id: z.int(),
  name: z.string(),
  api_key: z.string(),
  scopes: z.array(apiScope),
  created_at: z.iso.datetime(),
  last_used: z.nullable(z.iso.datetime()),
  usage_count: z.int(),
  /** The key from before a regeneration works until then. */
  old_key_until: z.nullable(z.iso.datetime()),
});
export type ApiKey = z.infer<typeof apiKey>;

const name = z
  .string('Name is required')
  .check(
    z.trim(),
    z.minLength(1, 'Name is required'),
    z.maxLength(MAX_NAME_LENGTH, `Names can have at most ${MAX_NAME_LENGTH} characters`),
    z.regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, 'Names must be a single line'),
  );
const params = z.object({ id: z.coerce.number().check(z.int(), z.minimum(1)) });
const refusal = ['Authentication required', 'API keys require Pro'] as const;

/** Newest first. */
export const listKeys = endpoint({
  method: 'GET',
  path: '/api/keys',
  access: 'pro',
  refusal,
  reply: z.array(apiKey),
});

/**
 * Without `scopes` the key can read everything and change nothing. The response is the only place that contains the
 * key.
 */
export const createKey = endpoint({
  method: 'POST',
  path: '/api/keys',
  access: 'pro',
  refusal,
  body: z.object({
    name,
    scopes: z.optional(
      z.array(apiScope).check(z.minLength(1, 'Choose at least one scope'), z.maxLength(API_SCOPES.length)),
    ),
  }),
  reply: apiKey,
});

/** Hours for which the old key works alongside the new one. */
export const OVERLAPS = [0, 1, 24, 168] as const;

/** The response contains the new key; the old one ends at once or after `overlapHours`. */
export const regenerateKey = endpoint({
  method: 'PUT',
  path: '/api/keys/:id/regenerate',
  access: 'pro',
  refusal,
  params,
  body: z.object({ overlapHours: z._default(z.literal(OVERLAPS, 'The overlap must be 0, 1, 24 or 168 hours'), 0) }),
  reply: apiKey,
});

export const deactivateKey = endpoint({
  method: 'DELETE',
  path: '/api/keys/:id',
  access: 'pro',
  refusal,
  params,
  reply: z.object({ success: z.literal(true) }),
});

/** Calls of the account on a UTC day, over all keys, including MCP. `refused` exceeded a limit and were not counted. */
const dayOfCalls = z.object({ day: z.iso.date(), calls: z.int(), refused: z.int() });

/** The last 30 UTC days, oldest first, today last. `limit` and `burst` are null when unlimited. */
export const getUsage = endpoint({
  method: 'GET',
  path: '/api/keys/usage',
  access: 'pro',
  refusal,
  reply: z.object({
    limit: z.nullable(z.int()),
    /** Calls per second. */
    burst: z.nullable(z.int()),
    used: z.int(),
    resetsAt: z.iso.datetime(),
    days: z.array(dayOfCalls),
  }),
});
export type ApiUsage = z.infer<(typeof getUsage)['reply']>;
