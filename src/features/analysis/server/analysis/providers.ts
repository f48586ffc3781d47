import type { Config } from '#kernel/config.ts';

import { LOCAL } from './local/analyst.ts';
import { furtherProvider } from './providers/further.ts';
import { groq } from './providers/groq.ts';
import { huggingface } from './providers/huggingface.ts';
import type { Provider } from './providers/provider.ts';
import { venice } from './providers/venice.ts';

const NAMED: readonly Provider[] = [venice, groq, huggingface];
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** The three that are known by name, then the operator's own, each with a letter that no other has. */
export function providersOf({ AI_PROVIDERS }: Pick<Config, 'AI_PROVIDERS'>): Provider[] {
  const taken = new Set([LOCAL.letter, ...NAMED.map(({ letter }) => letter)]);
  const further = AI_PROVIDERS.map((each) => {
    const wishes = (each.id.toUpperCase() + ALPHABET).replaceAll(/[^A-Z]/g, '').split('');
    const letter = wishes.find((wish) => !taken.has(wish)) ?? '?';
    taken.add(letter);
    return furtherProvider(each, letter);
  });
  return [...NAMED, ...further];
}
