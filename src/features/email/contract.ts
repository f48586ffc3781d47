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
