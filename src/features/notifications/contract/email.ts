import { z } from 'zod/mini';

import { endpoint } from '#shared/contract.ts';

/** `refused` for good by its mail server, until it takes a mail again; `unreachable` until a day, and then tried again. */
export const suppressionReason = z.enum(['refused', 'unreachable']);
export type SuppressionReason = z.infer<typeof suppressionReason>;

export const emailStatus = z.object({
  address: z.string(),
  /** Why no news are mailed to it; null while they are. Mails of the account are sent all the same. */
  suppressed: z.nullable(
    z.object({
      reason: suppressionReason,
      /** Null for what has no end by itself. */
      until: z.nullable(z.iso.datetime()),
      at: z.iso.datetime(),
      /** In words for its reader. */
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

/** Ends the pause of an address that could not be reached. One that is refused for good answers with `conflict`. */
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

/** Demo mode only: the newest 30 mails to the caller's address, newest first. */
export const listDemoMails = endpoint({
  method: 'GET',
  path: '/api/demo/mails',
  access: 'free',
  reply: z.object({ address: z.string(), mails: z.array(demoMail) }),
});

/** Demo mode only: one of them, as its reader sees it. */
export const getDemoMail = endpoint({
  method: 'GET',
  path: '/api/demo/mails/:id',
  access: 'free',
  params: z.object({ id: z.string().check(z.regex(/^\d{1,15}$/, 'must be a number')) }),
  reply: z.object({ id: z.int(), subject: z.string(), kind: z.string(), at: z.iso.datetime(), html: z.string() }),
});
