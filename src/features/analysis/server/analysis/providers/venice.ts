import { z } from 'zod';

import type { SourceClient } from '#kernel/http/http-client.ts';
import { chatSource, lacks, type Provider } from './chat-client.ts';
import { type ListedModel, modelList, validRows } from './model-list.ts';

const KEY = 'VENICE_API_KEY';
const LEAST_CONTEXT = 32_000;
/** USD per million output tokens: a more expensive model is used only when there is no other. */
const HIGH_PRICE = 10;
/** Venice's own recommendations first. */
const TRAITS = ['default', 'most_intelligent', 'default_reasoning'];

const price = z.object({ usd: z.number().nonnegative() });
const row = z.object({
  id: z.string().min(1),
  type: z.string(),
  model_spec: z.object({
    availableContextTokens: z.number().nullish(),
    maxCompletionTokens: z.number().nullish(),
    privacy: z.string().nullish(),
    offline: z.boolean().nullish(),
    beta: z.boolean().nullish(),
    betaModel: z.boolean().nullish(),
    traits: z.array(z.string()).nullish(),
    pricing: z.object({ input: price, output: price }).nullish().catch(null),
    deprecation: z.object({ removesAt: z.string().nullish(), date: z.string().nullish() }).nullish(),
    capabilities: z
      .object({ supportsResponseSchema: z.boolean().nullish(), supportsE2EE: z.boolean().nullish() })
      .nullish(),
  }),
});
type Row = z.infer<typeof row>;

const removalTime = ({ model_spec: { deprecation } }: Row): number | null => {
  const at = deprecation?.removesAt ?? deprecation?.date;
  return at ? Date.parse(at) : null;
};

function canBeAsked(each: Row, now: Date): boolean {
  const { id, type, model_spec: spec } = each;
  const removal = removalTime(each);
  return (
    type === 'text' &&
    spec.capabilities?.supportsResponseSchema === true &&
    spec.capabilities.supportsE2EE !== true &&
    !id.startsWith('e2ee-') &&
    !spec.offline &&
    !spec.beta &&
    !spec.betaModel &&
    (spec.availableContextTokens ?? 0) >= LEAST_CONTEXT &&
    // An unreadable date counts as past.
    (removal === null || removal > now.getTime())
  );
}

/** Not being removed, within the price cap, recommended, without data retention, larger context, cheaper, by name. */
function modelRank(each: Row): number[] {
  const { traits, privacy, pricing, availableContextTokens } = each.model_spec;
  const recommended = TRAITS.findIndex((trait) => traits?.includes(trait));
  return [
    removalTime(each) === null ? 0 : 1,
    (pricing?.output.usd ?? Number.POSITIVE_INFINITY) > HIGH_PRICE ? 1 : 0,
    recommended === -1 ? TRAITS.length : recommended,
    privacy === 'private' ? 0 : 1,
    -Math.floor(Math.log2(availableContextTokens ?? 1)),
    pricing?.output.usd ?? HIGH_PRICE,
  ];
}

function inOrder(a: Row, b: Row): number {
  const [ranksA, ranksB] = [modelRank(a), modelRank(b)];
  const difference = ranksA.map((rank, i) => rank - (ranksB[i] ?? 0)).find((each) => each !== 0);
  return difference ?? (a.id < b.id ? -1 : 1);
}

const listed = ({ id, model_spec: spec }: Row): ListedModel => ({
  id,
  callAs: id,
  structured: spec.capabilities?.supportsResponseSchema ?? null,
  contextTokens: spec.availableContextTokens ?? null,
  maxOutputTokens: spec.maxCompletionTokens ?? null,
  price: spec.pricing ? { inputUsd: spec.pricing.input.usd, outputUsd: spec.pricing.output.usd } : null,
});

/** GET /models?type=text: capabilities, price and removal date of each model. */
export async function veniceModels(client: SourceClient, now: Date, signal: AbortSignal): Promise<ListedModel[]> {
  const { data } = await client.get('/models', modelList, { query: { type: 'text' }, signal });
  return validRows(row, data)
    .filter((each) => canBeAsked(each, now))
    .toSorted(inOrder)
    .map(listed);
}

export const venice: Provider = {
  id: 'venice',
  name: 'Venice',
  letter: 'V',
  source: {
    id: 'venice',
    name: 'Venice',
    gives: 'Market analysis by a language model',
    homepage: 'https://venice.ai',
    licence: 'Outputs belong to the requester under the Venice API terms; calls are paid by the operator',
    attribution: null,
    key: 'required',
    keySetting: 'VENICE_API_KEY',
    off: ({ VENICE_API_KEY }) => (VENICE_API_KEY ? null : lacks(KEY, 'Venice')),
    options: ({ VENICE_BASE_URL, VENICE_API_KEY, AI_TIMEOUT_SECONDS }) =>
      chatSource(VENICE_BASE_URL, VENICE_API_KEY ?? null, AI_TIMEOUT_SECONDS),
  },
  keyName: ({ VENICE_API_KEY }) => (VENICE_API_KEY ? null : KEY),
  choice: ({ VENICE_MODEL }) => ({ list: veniceModels, wanted: VENICE_MODEL ?? null }),
  chat: {
    tokenLimit: 'max_completion_tokens',
    // The model reads only our data: without Venice's system prompt or web search.
    extra: {
      venice_parameters: {
        include_venice_system_prompt: false,
        enable_web_search: 'off',
        strip_thinking_response: true,
      },
    },
  },
  namesVersion: true,
};
