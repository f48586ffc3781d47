import { z } from 'zod/mini';

import { endpoint } from '#shared/contract.ts';

/** Answers with a JSON file of the caller's rules (Pro and up) and notification settings. */
export const exportSettings = endpoint({
  method: 'GET',
  path: '/api/settings/export',
  access: 'free',
  reply: z.never(),
});

/**
 * What a file of `exportSettings` holds is taken over: rules are added to the list or replace it, settings replace those
 * there are. `dryRun` only tells what would change. All of it or nothing.
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
    /** Settings of notifications that change, in words. */
    notifications: z.array(z.string()),
    applied: z.boolean(),
  }),
});
export type ImportReply = z.infer<(typeof importSettings)['reply']>;
