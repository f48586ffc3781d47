import { BRAND } from '#shared/brand.ts';

import type { Config } from '../config.ts';

/** Agencies refuse clients without a contact. */
export const contactHeaders = ({ SOURCE_CONTACT }: Pick<Config, 'SOURCE_CONTACT'>) => ({
  'user-agent': `${BRAND.name}/1.0 (${SOURCE_CONTACT})`,
});
