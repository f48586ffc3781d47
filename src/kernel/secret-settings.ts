import { z } from 'zod';

export const SECRET_SETTINGS = {
  SECRET_KEY: z
    .string()
    .min(32)
    .optional()
    .describe(
      'Encrypts emails, second factors and similar values in the database; at least 32 characters. Default: DATA_DIR/secret.key, created on first start. To change it, use npm run secrets:rotate.',
    ),
  SECRET_KEY_PREVIOUS: z
    .string()
    .min(32)
    .optional()
    .describe(
      'Previous secret keys separated by ",", still accepted for decryption and signatures. Set it while rotating SECRET_KEY, and for as long as links in earlier emails should work.',
    ),
};
