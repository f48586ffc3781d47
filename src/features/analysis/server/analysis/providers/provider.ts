import type { Config } from '#kernel/config.ts';
import type { SourceOptions } from '#kernel/http/http-client.ts';
import type { SourceDescriptor } from '#kernel/source-set.ts';

import { plainText } from '../plain-text.ts';
import type { ChatOptions } from './chat-client.ts';
import { readFailure } from './completion.ts';
import type { ModelChoice } from './model-list.ts';

/** One place where language models are asked. */
export type Provider = {
  id: string;
  name: string;
  letter: string;
  source: SourceDescriptor;
  /** The setting that is missing; null when it can be asked. */
  keyName: (config: Config) => string | null;
  choice: (config: Config) => ModelChoice;
  chat: Omit<ChatOptions, 'name'>;
  /** Its answers name the version that ran, and do so in the words of its own list. */
  namesVersion: boolean;
};

const LONGEST_WORDS = 200;
const MAX_BYTES = 4 << 20;

/** How any of them is asked: the key goes in a header, and out of whatever the provider says about it. */
export function chatSource(baseUrl: string, key: string | null, timeoutSeconds: number): Omit<SourceOptions, 'name'> {
  return {
    baseUrl,
    ...(key === null ? {} : { headers: { authorization: `Bearer ${key}` } }),
    perMinute: 20,
    burst: 4,
    timeoutMs: timeoutSeconds * 1000,
    retries: 2,
    maxBytes: MAX_BYTES,
    refusal(body) {
      const failure = readFailure(body);
      if (!failure) return null;
      if (/rate.?limit|too many requests/i.test(`${failure.message} ${failure.code}`)) return 'rate_limited';
      const words = key === null ? failure.message : failure.message.replaceAll(key, '[key]');
      return plainText(words, LONGEST_WORDS);
    },
  };
}

export const lacks = (keyName: string, name: string) => `${name} requires a key: set ${keyName}`;
