import { z } from 'zod';

const isScript = (value: string) => URL.canParse(value) && new URL(value).protocol === 'https:';

/** How the pages appear to the world. */
export const SITE_SETTINGS = {
  PUBLIC_URL: z
    .url()
    .optional()
    .describe('Public URL of the site, for email links and canonical tags. Default: the listening address.'),
  CDN_TAGS: z
    .enum(['surrogate-key', 'cache-tag', 'none'])
    .default('surrogate-key')
    .describe(
      'Header with cache tags on public responses, for purging a CDN: surrogate-key (space-separated) or cache-tag (comma-separated).',
    ),
  ANALYTICS_SCRIPT_URL: z
    .string()
    .refine(isScript, 'must be an https:// URL')
    .optional()
    .describe(
      'Analytics script, https only. Loaded on public pages, never on account pages, on this machine or in a private network. It can read this site’s browser storage, so use a script you trust. Trusted Types apply: injected markup or scripts are blocked. The Privacy Policy names its host. Default: none.',
    ),
};
