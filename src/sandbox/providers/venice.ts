import type { Market } from '#sandbox/market/market.ts';
import type { Provider } from '#sandbox/provider.ts';

import { type Completion, chat, withNulls } from './chat.ts';

type Sheet = {
  id: string;
  name: string;
  context: number;
  /** USD per million tokens, input and output. */
  price: [number, number];
  schema?: boolean;
  traits?: string[];
  privacy?: 'private' | 'anonymized';
  removesAt?: string;
  e2ee?: boolean;
};

/** The current default model will be replaced one day: its name is invalid from then on. */
const SUCCESSION = Date.UTC(2030, 0, 1);
const PRICE: [number, number] = [1.4, 4.4];
const DEFAULT = { context: 1_000_000, price: PRICE, traits: ['default', 'function_calling_default'] };

const LASTING: readonly Sheet[] = [
  { id: 'e2ee-glm-5-1', name: 'GLM 5.1 (E2EE)', context: 200_000, price: [1.1, 4.15], schema: false, e2ee: true },
  {
    id: 'llama-3.2-3b',
    name: 'Llama 3.2 3B',
    context: 128_000,
    price: [0.15, 0.6],
    schema: false,
    traits: ['fastest'],
  },
  {
    id: 'gemma-4-retired',
    name: 'Gemma 4',
    context: 256_000,
    price: [0.1, 0.3],
    removesAt: '2026-08-27T13:00:00.000Z',
  },
  { id: 'grok-4-6', name: 'Grok 4.6', context: 500_000, price: [2.27, 6.8], traits: ['most_intelligent'] },
  {
    id: 'deepseek-v4-flash',
    name: 'DeepSeek V4 Flash',
    context: 1_000_000,
    price: [0.14, 0.28],
    privacy: 'anonymized',
  },
];

const sheetsAt = (now: number): readonly Sheet[] => [
  now < SUCCESSION
    ? { id: 'zai-org-glm-5-2', name: 'GLM 5.2', ...DEFAULT }
    : { id: 'zai-org-glm-6', name: 'GLM 6', ...DEFAULT },
  ...LASTING,
];

function rowOf({
  id,
  name,
  context,
  price,
  schema = true,
  traits = [],
  privacy = 'private',
  removesAt,
  e2ee = false,
}: Sheet) {
  const usd = (value: number) => ({ usd: value, diem: value });
  return {
    id,
    object: 'model',
    owned_by: 'venice.ai',
    type: 'text',
    created: 1_781_568_000,
    context_length: context,
    model_spec: {
      name,
      privacy,
      availableContextTokens: context,
      maxCompletionTokens: 32_768,
      offline: false,
      traits,
      pricing: { input: usd(price[0]), output: usd(price[1]) },
      ...(removesAt ? { deprecation: { autoRemap: false, date: removesAt, removesAt } } : {}),
      capabilities: {
        optimizedForCode: false,
        quantization: 'fp8',
        supportsAudioInput: false,
        supportsE2EE: e2ee,
        supportsFunctionCalling: true,
        supportsLogProbs: false,
        supportsMultipleImages: false,
        supportsReasoning: true,
        supportsReasoningEffort: false,
        supportsResponseSchema: schema,
        supportsTeeAttestation: false,
        supportsVideoInput: false,
        supportsVision: false,
        supportsWebSearch: true,
        supportsXSearch: false,
      },
    },
  };
}

function completion({ id, model, content, finishReason, promptTokens, completionTokens, created }: Completion) {
  const price = [...sheetsAt(0), ...sheetsAt(SUCCESSION)].find((sheet) => sheet.id === model)?.price ?? [0, 0];
  return {
    id,
    object: 'chat.completion',
    created,
    model,
    choices: [
      {
        index: 0,
        finish_reason: finishReason,
        stop_reason: finishReason,
        logprobs: null,
        message: { role: 'assistant', content, reasoning_content: null, tool_calls: [] },
      },
    ],
    usage: {
      prompt_tokens: promptTokens,
      completion_tokens: completionTokens,
      total_tokens: promptTokens + completionTokens,
      prompt_tokens_details: null,
      completion_tokens_details: null,
    },
    cost: { usd: Number(((promptTokens * price[0] + completionTokens * price[1]) / 1e6).toFixed(6)), diem: 0 },
    prompt_logprobs: null,
    venice_parameters: {
      enable_e2ee: false,
      enable_web_search: 'off',
      enable_web_citations: false,
      enable_web_scraping: false,
      include_venice_system_prompt: false,
      include_search_results_in_stream: false,
      return_search_results_as_documents: false,
      strip_thinking_response: true,
      disable_thinking: false,
    },
  };
}

const failed = (status: number, error: string) => ({ status, body: { error } });

/** Slightly better than chance. */
export function venice(market: Market): Provider {
  const handle = chat(market, {
    style: 'insight',
    models: (now) => sheetsAt(now).map(({ id }) => id),
    unauthorized: failed(401, 'Authentication failed'),
    badRequest: (why) => ({ status: 400, body: { error: 'Invalid request parameters', details: { _errors: [why] } } }),
    noSuchModel: (model) => failed(404, `Specified model not found: ${model}`),
    unsupportedFormat: (format) => failed(400, `response_format of type ${format} is not supported by this model`),
    completion,
    refusal: (said) => completion({ ...said, content: '' }),
  });
  return {
    id: 'venice',
    base: '/venice',
    env: { VENICE_BASE_URL: { scheme: 'http', path: '/venice/api/v1' } },
    routes: [
      {
        path: '/api/v1/models',
        handle: ({ now }) => ({ body: { object: 'list', type: 'text', data: sheetsAt(now).map(rowOf) } }),
      },
      { path: '/api/v1/chat/completions', handle },
    ],
    notFound: failed(404, 'Not found'),
    rateLimited: { error: 'Rate limit exceeded' },
    serverError: { error: 'The model is at capacity. Please try again later.' },
    withNulls,
  };
}
