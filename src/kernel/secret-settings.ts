import { z } from 'zod';

export const SECRET_SETTINGS = {
  SECRET_KEY: z
    .string()
    .min(32)
    .optional()
    .describe(
      'Seals mails, second factors and the like in the database; at least 32 characters. Default: a key made at the first start, in DATA_DIR/secret.key. A database keeps to its key until npm run secrets:rotate changes it.',
    ),
  SECRET_KEY_PREVIOUS: z
    .string()
    .min(32)
    .optional()
    .describe(
      'Earlier secret keys separated by ",": what they have sealed or signed is still accepted. Set it while SECRET_KEY is being changed, and as long as links in mails sent before shall work.',
    ),
};
