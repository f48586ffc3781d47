import { z } from 'zod/mini';

import { endpoint } from '#shared/contract.ts';

/** `generic` is our own signed JSON; the others are the formats of Discord and Slack. */
export const FORMATS = ['generic', 'discord', 'slack'] as const;
export const format = z.enum(FORMATS);
export type Format = z.infer<typeof format>;

/** Limit per account. */
export const MAX_WEBHOOKS = 10;
export const MAX_NAME_LENGTH = 60;
export const MAX_URL_LENGTH = 2000;

const attemptState = z.enum([
  /** Accepted by the receiver. */
  'sent',
  /** Will be retried. */
  'later',
  /** Will not be retried. */
  'failed',
  /** The receiver reported that it is gone. */
  'dropped',
]);
export type AttemptState = z.infer<typeof attemptState>;

const webhook = z.object({
  id: z.int(),
  name: z.string(),
  /** The only part of the URL ever shown: the rest may be a secret. */
  host: z.string(),
  format,
  enabled: z.boolean(),
  createdAt: z.iso.datetime(),
  lastAt: z.nullable(z.iso.datetime()),
  lastState: z.nullable(attemptState),
  lastNote: z.nullable(z.string()),
  /** Consecutive failures. */
  failures: z.int(),
  /** When and why it was disabled automatically. */
  disabledAt: z.nullable(z.iso.datetime()),
  disabledReason: z.nullable(z.string()),
  /** Until then the previous secret also signs. */
  oldSecretUntil: z.nullable(z.iso.datetime()),
});
export type Webhook = z.infer<typeof webhook>;

const name = z
  .string()
  .check(
    z.trim(),
    z.minLength(1, 'Name is required'),
    z.maxLength(MAX_NAME_LENGTH, `Names can have at most ${MAX_NAME_LENGTH} characters`),
    z.regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, 'Names must be a single line'),
  );
const url = z
  .string()
  .check(
    z.trim(),
    z.minLength(1, 'URL is required'),
    z.maxLength(MAX_URL_LENGTH, `URLs can have at most ${MAX_URL_LENGTH} characters`),
  );
const params = z.object({ id: z.string().check(z.regex(/^\d{1,15}$/, 'must be the id of a webhook')) });

export const listWebhooks = endpoint({
  method: 'GET',
  path: '/api/webhooks',
  access: 'premium',
  reply: z.object({ webhooks: z.array(webhook) }),
});

/** The secret is shown only once; null for Discord and Slack, which do not verify one. */
export const addWebhook = endpoint({
  method: 'POST',
  path: '/api/webhooks',
  access: 'premium',
  body: z.strictObject({ name, url, format }),
  reply: z.object({ webhook, secret: z.nullable(z.string()) }),
});

/** Without `url` the URL is unchanged. Enabling resets the failures. */
export const changeWebhook = endpoint({
  method: 'PUT',
  path: '/api/webhooks/:id',
  access: 'premium',
  params,
  body: z.strictObject({ name, url: z.optional(url), format, enabled: z.boolean() }),
  reply: webhook,
});

/** Returns a new secret, shown only once. The previous one also signs for another 24 hours. */
export const renewSecret = endpoint({
  method: 'POST',
  path: '/api/webhooks/:id/secret',
  access: 'premium',
  params,
  reply: z.object({ secret: z.string(), oldSecretUntil: z.iso.datetime() }),
});

export const removeWebhook = endpoint({
  method: 'DELETE',
  path: '/api/webhooks/:id',
  access: 'premium',
  params,
  reply: z.object({ success: z.literal(true) }),
});

const result = z.object({
  state: attemptState,
  /** HTTP status; null when there was no response. */
  status: z.nullable(z.int()),
  ms: z.int(),
  note: z.string(),
});
export type Result = z.infer<typeof result>;

/** Sends a test notification immediately, even when the webhook is disabled. Ten per minute. */
export const testWebhook = endpoint({
  method: 'POST',
  path: '/api/webhooks/:id/test',
  access: 'premium',
  params,
  reply: result,
});

const attempt = z.extend(result, {
  id: z.int(),
  at: z.iso.datetime(),
  /** Type of the notice, such as CUSTOM_THRESHOLD, or TEST. */
  kind: z.string(),
  /** As in the header Meridian-Delivery; the same for every attempt. Null for a test. */
  deliveryId: z.nullable(z.int()),
});
export type Attempt = z.infer<typeof attempt>;

/** The newest 200 of the last 30 days. */
export const listAttempts = endpoint({
  method: 'GET',
  path: '/api/webhooks/:id/attempts',
  access: 'premium',
  params,
  reply: z.object({ attempts: z.array(attempt) }),
});
