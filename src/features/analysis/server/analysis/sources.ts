import type { Config } from '#kernel/config.ts';
import type { SourceDescriptor } from '#kernel/source-set.ts';

import { providersOf } from './providers.ts';

/** Every outside source of this feature. */
export const analysisSources = (config: Pick<Config, 'AI_PROVIDERS'>): SourceDescriptor[] =>
  providersOf(config).map(({ source }) => source);
