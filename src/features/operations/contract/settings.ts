import { z } from 'zod/mini';

import { endpoint } from '#shared/contract.ts';

export const LONGEST_NOTE = 500;

export const settingChange = z.object({
  /** Null: reset to the default. */
  value: z.nullable(z.string()),
  at: z.iso.datetime(),
  /** Null when that account has been deleted. */
  by: z.nullable(z.string()),
  note: z.string(),
});

/** Values are strings, as in the environment. */
export const setting = z.object({
  key: z.string(),
  about: z.string(),
  kind: z.enum(['number', 'choice']),
  /** Options of a choice setting. */
  choices: z.array(z.string()),
  /** From the configuration of this process. */
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

/** 409 when the value has changed since the administrator saw it; null resets to the default. */
export const changeSetting = endpoint({
  method: 'PUT',
  path: '/api/admin/settings/:key',
  access: 'admin',
  params: z.object({ key: z.string().check(z.maxLength(60)) }),
  body: z.strictObject({
    value: z.nullable(z.string().check(z.maxLength(60))),
    /** The value shown to the administrator. */
    was: z.string().check(z.maxLength(60)),
    note: z.string().check(z.maxLength(LONGEST_NOTE)),
  }),
  reply: settings,
});
