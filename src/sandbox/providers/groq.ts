import type { Market } from '#sandbox/market/market.ts';
import type { Provider, Reply } from '#sandbox/provider.ts';

import { type Completion, chat, withNulls } from './chat.ts';

/** [id, owner, context window, maximum output] */
const MODELS: readonly [string, string, number, number][] = [
  ['whisper-large-v3-turbo', 'OpenAI', 448, 448],
  ['meta-llama/llama-guard-4-12b', 'Meta', 131_072, 1024],
  ['llama-3.1-8b-instant', 'Meta', 131_072, 131_072],
  ['groq/compound', 'Groq', 131_072, 8192],
  ['openai/gpt-oss-120b', 'OpenAI', 131_072, 65_536],
  ['llama-3.3-70b-versatile', 'Meta', 131_072, 32_768],
];

const failed = (status: number, message: string, code?: string): Reply => ({
  status,
  body: { error: { message, type: 'invalid_request_error', ...(code ? { code } : {}) } },
});

function completion(
  { id, model, content, finishReason, promptTokens, completionTokens, created }: Completion,
  refusal?: string,
) {
  return {
    id,
    object: 'chat.completion',
    created,
    model,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: refusal ? null : content, ...(refusal ? { refusal } : {}) },
        logprobs: null,
        finish_reason: finishReason,
      },
    ],
    usage: {
      queue_time: 0.03,
      prompt_tokens: promptTokens,
      prompt_time: 0.02,
      completion_tokens: completionTokens,
      completion_time: 1.9,
      total_tokens: promptTokens + completionTokens,
      total_time: 1.95,
    },
    system_fingerprint: 'fp_5ab1a2c3d4',
    x_groq: { id: `req_${id.slice(-16)}` },
  };
}

/** Extrapolates the past. */
export function groq(market: Market): Provider {
  const handle = chat(market, {
    style: 'momentum',
    models: () => MODELS.map(([id]) => id),
    unauthorized: failed(401, 'Invalid API Key', 'invalid_api_key'),
    badRequest: (why) => failed(400, why),
    noSuchModel: (model) =>
      failed(404, `The model \`${model}\` does not exist or you do not have access to it.`, 'model_not_found'),
    unsupportedFormat: (format) => failed(400, `This model does not support response format \`${format}\`.`),
    completion,
    refusal: (said) => completion(said, 'I cannot give financial advice.'),
  });
  const data = MODELS.map(([id, owned_by, context_window, max_completion_tokens]) => ({
    id,
    object: 'model',
    created: 1_754_408_224,
    owned_by,
    active: true,
    context_window,
    public_apps: null,
    max_completion_tokens,
  }));
  const error = (message: string, type: string, code?: string) => ({
    error: { message, type, ...(code ? { code } : {}) },
  });
  return {
    id: 'groq',
    base: '/groq',
    env: { GROQ_BASE_URL: { scheme: 'http', path: '/groq/openai/v1' } },
    routes: [
      { path: '/openai/v1/models', handle: () => ({ body: { object: 'list', data } }) },
      { path: '/openai/v1/chat/completions', handle },
    ],
    notFound: { status: 404, body: error('Unknown request URL', 'invalid_request_error', 'unknown_url') },
    rateLimited: error('Rate limit reached for model on tokens per minute (TPM)', 'tokens', 'rate_limit_exceeded'),
    serverError: error('Service unavailable', 'internal_server_error'),
    withNulls,
  };
}
