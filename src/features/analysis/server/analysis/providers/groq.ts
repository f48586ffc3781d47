import { z } from 'zod';

import type { SourceClient } from '#kernel/http/http-client.ts';

import { byFamily, chatSource, isGeneralText, lacks, type Provider } from './chat-client.ts';
import { type ListedModel, modelList, validRows } from './model-list.ts';

const KEY = 'GROQ_API_KEY';
const LEAST_CONTEXT = 16_000;
const FAMILIES = [/gpt-oss-120b/i, /kimi-k/i, /llama-4-maverick/i, /llama-3\.3-70b/i, /qwen/i, /gpt-oss-20b/i];

const row = z.object({
  id: z.string().min(1),
  active: z.boolean().nullish(),
  created: z.number().nullish(),
  context_window: z.number().nullish(),
  max_completion_tokens: z.number().nullish(),
});

/** GET /models: names and sizes. Groq lists neither capabilities nor prices. */
export async function groqModels(client: SourceClient, _now: Date, signal: AbortSignal): Promise<ListedModel[]> {
  const { data } = await client.get('/models', modelList, { signal });
  const rows = validRows(row, data)
    .filter(
      ({ id, active, context_window }) =>
        active !== false && isGeneralText(id) && (context_window ?? LEAST_CONTEXT) >= LEAST_CONTEXT,
    )
    .map((each) => ({ ...each, created: each.created ?? null }));
  return byFamily(rows, FAMILIES).map(({ id, context_window, max_completion_tokens }) => ({
    id,
    callAs: id,
    structured: null,
    contextTokens: context_window ?? null,
    maxOutputTokens: max_completion_tokens ?? null,
    price: null,
  }));
}

export const groq: Provider = {
  id: 'groq',
  name: 'Groq',
  letter: 'G',
  source: {
    id: 'groq',
    name: 'Groq',
    gives: 'Market analysis by a language model',
    homepage: 'https://groq.com',
    licence: 'Outputs belong to the requester under the Groq services agreement; each model adds its own license',
    attribution: null,
    key: 'required',
    keySetting: 'GROQ_API_KEY',
    off: ({ GROQ_API_KEY }) => (GROQ_API_KEY ? null : lacks(KEY, 'Groq')),
    options: ({ GROQ_BASE_URL, GROQ_API_KEY, AI_TIMEOUT_SECONDS }) =>
      chatSource(GROQ_BASE_URL, GROQ_API_KEY ?? null, AI_TIMEOUT_SECONDS),
  },
  keyName: ({ GROQ_API_KEY }) => (GROQ_API_KEY ? null : KEY),
  choice: ({ GROQ_MODEL }) => ({ list: groqModels, wanted: GROQ_MODEL ?? null }),
  // The maximum output counts against the free plan's tokens per minute in advance.
  chat: { tokenLimit: 'max_completion_tokens', mostTokens: 5000 },
  namesVersion: true,
};
