import { z } from 'zod';

const isScript = (value: string) => URL.canParse(value) && new URL(value).protocol === 'https:';

/** How the pages appear to the world. */
export const SITE_SETTINGS = {
  PUBLIC_URL: z
    .url()
    .optional()
    .describe('Address people use, for links in mails and canonical tags. Default: the listening address.'),
  CDN_TAGS: z
    .enum(['surrogate-key', 'cache-tag', 'none'])
    .default('surrogate-key')
    .describe(
      'Header in which public answers name what they are made of, for purging at a CDN: surrogate-key (separated by spaces) or cache-tag (by commas).',
    ),
  ANALYTICS_SCRIPT_URL: z
    .string()
    .refine(isScript, 'must be an https:// URL')
    .optional()
    .describe(
      'Script of a service for page statistics, https only. It is loaded on the pages that anyone can open, never on those of an account and never on this machine or a private network, and may read what the browser keeps for this site: take one that you trust. Trusted types hold for it too: markup or further scripts that it puts in as text are refused. The Privacy Policy then names its host. Default: none.',
    ),
};
