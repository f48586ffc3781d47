import { z } from 'zod';

import type { SourceClient } from '#kernel/http/http-client.ts';

import { byFamily, chatSource, isGeneralText, lacks, type Provider } from './chat-client.ts';
import { type ListedModel, modelList, validRows } from './model-list.ts';

const KEY = 'HUGGINGFACE_API_KEY';
const LEAST_CONTEXT = 16_000;
/** Families other than Groq's first: two analysts with one model would be one opinion twice. */
const FAMILIES = [/^Qwen\/Qwen3/i, /^deepseek-ai\/DeepSeek-V/i, /^zai-org\/GLM/i, /^meta-llama\/Llama-/i, /gpt-oss/i];

const offer = z.object({
  provider: z.string().min(1),
  status: z.string().nullish(),
  context_length: z.number().nullish(),
  pricing: z.object({ input: z.number().nonnegative(), output: z.number().nonnegative() }).nullish().catch(null),
  supports_structured_output: z.boolean().nullish(),
});
type Offer = z.infer<typeof offer>;
const row = z.object({
  id: z.string().min(1),
  created: z.number().nullish(),
  architecture: z
    .object({ input_modalities: z.array(z.string()).nullish(), output_modalities: z.array(z.string()).nullish() })
    .nullish(),
  providers: z.array(z.unknown()).nullish(),
});
type Row = z.infer<typeof row>;

const handlesText = (modalities: string[] | null | undefined) => !modalities || modalities.includes('text');

/** A live provider with enough context, preferring schema support, then the lowest price. */
function bestOffer({ providers }: Row): Offer | undefined {
  const cost = ({ pricing }: Offer) => pricing?.output ?? Number.POSITIVE_INFINITY;
  return validRows(offer, { data: providers ?? [] })
    .filter(
      ({ status, context_length }) =>
        (status ?? 'live') === 'live' && (context_length ?? LEAST_CONTEXT) >= LEAST_CONTEXT,
    )
    .toSorted(
      (a, b) =>
        Number(b.supports_structured_output === true) - Number(a.supports_structured_output === true) ||
        cost(a) - cost(b) ||
        (a.provider < b.provider ? -1 : 1),
    )[0];
}

/** GET /models: each model with its providers, their prices and capabilities. */
export async function huggingfaceModels(client: SourceClient, _now: Date, signal: AbortSignal): Promise<ListedModel[]> {
  const { data } = await client.get('/models', modelList, { signal });
  const rows = validRows(row, data)
    .filter(
      ({ id, architecture }) =>
        isGeneralText(id) &&
        handlesText(architecture?.input_modalities) &&
        handlesText(architecture?.output_modalities),
    )
    .flatMap((each) => {
      const best = bestOffer(each);
      // Without a list of providers, the router finds one; with none suitable, the model is omitted.
      if (!best && (each.providers?.length ?? 0) > 0) return [];
      return [{ id: each.id, created: each.created ?? null, best }];
    });
  return byFamily(rows, FAMILIES).map(({ id, best }) => ({
    id,
    callAs: best ? `${id}:${best.provider}` : id,
    structured: best?.supports_structured_output ?? null,
    contextTokens: best?.context_length ?? null,
    maxOutputTokens: null,
    price: best?.pricing ? { inputUsd: best.pricing.input, outputUsd: best.pricing.output } : null,
  }));
}

export const huggingface: Provider = {
  id: 'huggingface',
  name: 'Hugging Face',
  letter: 'H',
  source: {
    id: 'huggingface',
    name: 'Hugging Face',
    gives: 'Market analysis by a language model',
    homepage: 'https://huggingface.co',
    licence: 'Terms of the routed provider and the model’s license; free accounts include $0.10 per month',
    attribution: null,
    key: 'required',
    keySetting: 'HUGGINGFACE_API_KEY',
    off: ({ HUGGINGFACE_API_KEY }) => (HUGGINGFACE_API_KEY ? null : lacks(KEY, 'Hugging Face')),
    options: ({ HUGGINGFACE_BASE_URL, HUGGINGFACE_API_KEY, AI_TIMEOUT_SECONDS }) =>
      chatSource(HUGGINGFACE_BASE_URL, HUGGINGFACE_API_KEY ?? null, AI_TIMEOUT_SECONDS),
  },
  keyName: ({ HUGGINGFACE_API_KEY }) => (HUGGINGFACE_API_KEY ? null : KEY),
  choice: ({ HUGGINGFACE_MODEL }) => ({ list: huggingfaceModels, wanted: HUGGINGFACE_MODEL ?? null }),
  chat: { tokenLimit: 'max_tokens' },
  // Each routed provider has its own name for the same model.
  namesVersion: false,
};
