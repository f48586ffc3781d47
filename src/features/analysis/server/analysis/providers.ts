import { z } from 'zod';

import type { Config } from '#kernel/config.ts';
import type { CustomProvider } from '#kernel/further-providers.ts';
import type { SourceClient } from '#kernel/http/http-client.ts';

import { LOCAL } from './local/analyst.ts';
import { chatSource, isGeneralText, type Provider } from './providers/chat-client.ts';
import { groq } from './providers/groq.ts';
import { huggingface } from './providers/huggingface.ts';
import { type ListedModel, modelList, validRows } from './providers/model-list.ts';
import { venice } from './providers/venice.ts';

const row = z.object({ id: z.string().min(1) });

/** GET /models in the server's order: it lists names only. */
async function anyModels(client: SourceClient, _now: Date, signal: AbortSignal): Promise<ListedModel[]> {
  const { data } = await client.get('/models', modelList, { signal });
  return validRows(row, data)
    .filter(({ id }) => isGeneralText(id))
    .map(({ id }) => ({
      id,
      callAs: id,
      structured: null,
      contextTokens: null,
      maxOutputTokens: null,
      price: null,
    }));
}

const titled = (id: string) =>
  id.replaceAll(/(^|-)([a-z])/g, (_, dash, letter) => (dash ? ' ' : '') + letter.toUpperCase());

/** A provider configured by the operator; its calls are recorded like those of every other source. */
function furtherProvider({ id, baseUrl, model, key }: CustomProvider, letter: string): Provider {
  const name = titled(id);
  return {
    id,
    name,
    letter,
    source: {
      id: `ai-${id}`,
      name,
      gives: 'Market analysis by a language model',
      homepage: new URL(baseUrl).origin,
      licence: 'Configured by the operator',
      attribution: null,
      key: key === null ? 'none' : 'optional',
      options: ({ AI_TIMEOUT_SECONDS }) => chatSource(baseUrl, key, AI_TIMEOUT_SECONDS),
    },
    keyName: () => null,
    choice: () => ({ list: anyModels, wanted: model }),
    chat: {},
    namesVersion: true,
  };
}

const NAMED: readonly Provider[] = [venice, groq, huggingface];
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** The three named providers, then the operator's own, each with a unique letter. */
export function configuredProviders({ AI_PROVIDERS }: Pick<Config, 'AI_PROVIDERS'>): Provider[] {
  const taken = new Set([LOCAL.letter, ...NAMED.map(({ letter }) => letter)]);
  const further = AI_PROVIDERS.map((each) => {
    const wishes = (each.id.toUpperCase() + ALPHABET).replaceAll(/[^A-Z]/g, '').split('');
    const letter = wishes.find((wish) => !taken.has(wish)) ?? '?';
    taken.add(letter);
    return furtherProvider(each, letter);
  });
  return [...NAMED, ...further];
}
