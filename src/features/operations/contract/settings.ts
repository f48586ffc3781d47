import { z } from 'zod/mini';

import { endpoint } from '#shared/contract.ts';

export const LONGEST_NOTE = 500;

export const settingChange = z.object({
  /** Null: back to the default. */
  value: z.nullable(z.string()),
  at: z.iso.datetime(),
  /** Null when that account is gone. */
  by: z.nullable(z.string()),
  note: z.string(),
});

/** Values are texts, as they are written in the environment. */
export const setting = z.object({
  key: z.string(),
  about: z.string(),
  kind: z.enum(['number', 'choice']),
  /** Of a choice. */
  choices: z.array(z.string()),
  /** Of the configuration of this process. */
  default: z.string(),
  value: z.string(),
  isDefault: z.boolean(),
  /** Newest first, 20 at most. */
  history: z.array(settingChange),
});
export type Setting = z.infer<typeof setting>;

const settings = z.object({ settings: z.array(setting) });

export const listSettings = endpoint({
  method: 'GET',
  path: '/api/admin/settings',
  access: 'admin',
  reply: settings,
});

/** 409 when it is no longer what the administrator has seen; null goes back to the default. */
export const changeSetting = endpoint({
  method: 'PUT',
  path: '/api/admin/settings/:key',
  access: 'admin',
  params: z.object({ key: z.string().check(z.maxLength(60)) }),
  body: z.strictObject({
    value: z.nullable(z.string().check(z.maxLength(60))),
    /** The value that was shown. */
    was: z.string().check(z.maxLength(60)),
    note: z.string().check(z.maxLength(LONGEST_NOTE)),
  }),
  reply: settings,
});
