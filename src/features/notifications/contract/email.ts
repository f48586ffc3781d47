import { z } from 'zod/mini';

import { endpoint } from '#shared/contract.ts';

/**
 * `refused` is permanent until the mail server accepts an email again; `unreachable` expires, and delivery is retried.
 */
export const suppressionReason = z.enum(['refused', 'unreachable']);
export type SuppressionReason = z.infer<typeof suppressionReason>;

export const emailStatus = z.object({
  address: z.string(),
  /** Why notification email is suppressed; null when it is not. Account email is sent anyway. */
  suppressed: z.nullable(
    z.object({
      reason: suppressionReason,
      /** Null when there is no expiry. */
      until: z.nullable(z.iso.datetime()),
      at: z.iso.datetime(),
      /** Explanation shown to the user. */
      note: z.string(),
    }),
  ),
});
export type EmailStatus = z.infer<typeof emailStatus>;

export const getEmailStatus = endpoint({
  method: 'GET',
  path: '/api/email/status',
  access: 'free',
  reply: emailStatus,
});

/** Ends the pause of an unreachable address. One that is permanently refused answers with `conflict`. */
export const resumeEmail = endpoint({
  method: 'POST',
  path: '/api/email/resume',
  access: 'free',
  reply: emailStatus,
});

const demoMail = z.object({
  id: z.int(),
  subject: z.string(),
  kind: z.string(),
  at: z.iso.datetime(),
});
export type DemoMailHead = z.infer<typeof demoMail>;

/** Demo mode only: the newest 30 emails to the caller's address, newest first. */
export const listDemoMails = endpoint({
  method: 'GET',
  path: '/api/demo/mails',
  access: 'free',
  reply: z.object({ address: z.string(), mails: z.array(demoMail) }),
});

/** Demo mode only: one of these emails, as its recipient sees it. */
export const getDemoMail = endpoint({
  method: 'GET',
  path: '/api/demo/mails/:id',
  access: 'free',
  params: z.object({ id: z.string().check(z.regex(/^\d{1,15}$/, 'must be a number')) }),
  reply: z.object({ id: z.int(), subject: z.string(), kind: z.string(), at: z.iso.datetime(), html: z.string() }),
});
