import { z } from 'zod/mini';

import { endpoint } from '#shared/contract.ts';

/** Returns a JSON file of the caller's rules (Pro and up) and notification settings. */
export const exportSettings = endpoint({
  method: 'GET',
  path: '/api/settings/export',
  access: 'free',
  reply: z.never(),
});

/**
 * Imports a file from `exportSettings`: rules are appended to the list or replace it, settings replace the current
 * ones. `dryRun` only reports the changes. All or nothing.
 */
export const importSettings = endpoint({
  method: 'POST',
  path: '/api/settings/import',
  access: 'free',
  body: z.strictObject({
    file: z.unknown(),
    rules: z.enum(['skip', 'add', 'replace']),
    notifications: z.boolean(),
    dryRun: z.boolean(),
  }),
  reply: z.object({
    rules: z.object({ added: z.int(), removed: z.int(), kept: z.int() }),
    /** Descriptions of the notification settings that change. */
    notifications: z.array(z.string()),
    applied: z.boolean(),
  }),
});
export type ImportReply = z.infer<(typeof importSettings)['reply']>;
