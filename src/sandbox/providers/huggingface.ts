import type { Market } from '#sandbox/market/market.ts';
import type { Provider, Reply } from '#sandbox/provider.ts';

import { type Completion, chat, withNulls } from './chat.ts';

type Offer = { provider: string; price: [number, number] | null; schema: boolean; status?: 'live' | 'error' };

const MODELS: readonly { id: string; created: number; input?: string[]; offers: readonly Offer[] }[] = [
  {
    id: 'Qwen/Qwen3-VL-30B-A3B-Instruct',
    created: 1_758_000_000,
    input: ['text', 'image'],
    offers: [{ provider: 'novita', price: [0.2, 0.7], schema: true }],
  },
  {
    id: 'openai/gpt-oss-120b',
    created: 1_754_000_000,
    offers: [{ provider: 'cerebras', price: [0.35, 0.75], schema: true }],
  },
  {
    id: 'Qwen/Qwen3-235B-A22B-Instruct-2507',
    created: 1_753_000_000,
    offers: [
      { provider: 'together', price: [0.2, 0.6], schema: false },
      { provider: 'novita', price: [0.15, 0.8], schema: true },
      { provider: 'fireworks-ai', price: [0.22, 0.88], schema: true },
      { provider: 'nebius', price: [0.1, 0.3], schema: true, status: 'error' },
    ],
  },
];

const namesOf = ({ id, offers }: (typeof MODELS)[number]) => [id, ...offers.map(({ provider }) => `${id}:${provider}`)];
const failed = (status: number, message: string): Reply => ({
  status,
  body: { error: { message, type: 'invalid_request_error' } },
});

function completion(
  { id, model, content, promptTokens, completionTokens, created }: Completion,
  finish: 'stop' | 'length' | 'content_filter',
) {
  return {
    id,
    object: 'chat.completion',
    created,
    model: model.split(':')[0]?.toLowerCase() ?? model,
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: finish, logprobs: null }],
    usage: {
      prompt_tokens: promptTokens,
      completion_tokens: completionTokens,
      total_tokens: promptTokens + completionTokens,
    },
    system_fingerprint: '',
  };
}

/** Confident without skill. */
export function huggingface(market: Market): Provider {
  const handle = chat(market, {
    style: 'bluster',
    models: () => MODELS.flatMap(namesOf),
    unauthorized: { status: 401, body: { error: 'Invalid username or password.' } },
    badRequest: (why) => failed(400, why),
    noSuchModel: (model) => failed(400, `The requested model '${model}' does not exist`),
    unsupportedFormat: (format) => failed(422, `response_format ${format} is not supported by this provider`),
    completion: (said) => completion(said, said.finishReason),
    refusal: (said) => completion({ ...said, content: '' }, 'content_filter'),
  });
  const data = MODELS.map(({ id, created, input = ['text'], offers }) => ({
    id,
    object: 'model',
    created,
    owned_by: id.split('/')[0],
    architecture: { input_modalities: input, output_modalities: ['text'] },
    providers: offers.map(({ provider, price, schema, status = 'live' }) => ({
      provider,
      status,
      context_length: 131_072,
      ...(price ? { pricing: { input: price[0], output: price[1] } } : {}),
      supports_tools: true,
      supports_structured_output: schema,
      is_model_author: false,
    })),
  }));
  return {
    id: 'huggingface',
    base: '/huggingface',
    env: { HUGGINGFACE_BASE_URL: { scheme: 'http', path: '/huggingface/v1' } },
    routes: [
      { path: '/v1/models', handle: () => ({ body: { object: 'list', data } }) },
      { path: '/v1/chat/completions', handle },
    ],
    notFound: { status: 404, body: { error: 'Not Found' } },
    rateLimited: { error: 'Too Many Requests' },
    serverError: { error: 'Service Unavailable' },
    withNulls,
  };
}
