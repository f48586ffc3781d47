import type { Config } from '#server/platform/config.ts';
import type { SourceDescriptor } from '#server/platform/source-set.ts';

import { providersOf } from './providers.ts';

/** Every outside source of this feature. */
export const analysisSources = (config: Pick<Config, 'AI_PROVIDERS'>): SourceDescriptor[] =>
  providersOf(config).map(({ source }) => source);
