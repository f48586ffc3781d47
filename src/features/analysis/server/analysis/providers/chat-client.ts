import { z } from 'zod';

import { wait } from '#kernel/clock.ts';
import type { Config } from '#kernel/config.ts';
import type { SourceClient, SourceOptions } from '#kernel/http/http-client.ts';
import { SourceError } from '#kernel/http/source-error.ts';
import type { SourceDescriptor } from '#kernel/source-set.ts';
import { plainText } from '../answer.ts';
import type { Message, Structured, Usage } from '../types.ts';
import { AnswerError, jsonIn, type Reply, readCompletion, readFailure } from './completion.ts';
import type { ListedModel, ModelChoice } from './model-list.ts';

/** After a longer requested wait, the next run retries. */
const LONGEST_PATIENCE_MS = 30_000;
const MOST_OUTPUT_TOKENS = 8000;
const LONGEST_DRAFT = 20_000;

const FORMATS: readonly Structured[] = ['json_schema', 'json_object', 'text'];
const REPAIR = 'That was not valid JSON. Send the same answer again as one JSON object and nothing else.';

type ChatOptions = {
  name: string;
  /** The field that limits an answer's length; absent for unknown providers, which may refuse either one. */
  tokenLimit?: 'max_completion_tokens' | 'max_tokens';
  mostTokens?: number;
  /** Sent with every request, such as provider-specific switches. */
  extra?: Record<string, unknown>;
};

export type ChatRequest = {
  model: ListedModel;
  messages: readonly Message[];
  schema: { name: string; schema: object };
};

export type Completion = {
  value: object;
  usage: Usage;
  structured: Structured;
  /** The model as named by the provider. */
  ranModel: string | null;
};

type Sent = { kind: 'reply'; reply: Reply } | { kind: 'no_format' } | { kind: 'not_json'; draft: string };

const body = z.record(z.string(), z.unknown());

const isInvalidDraft = (given: unknown) => readFailure(given)?.code.includes('json_validate_failed') ?? false;
const refusesFormat = (given: unknown) =>
  /response.?format|json.?schema|json.?object|structured.?output/i.test(readFailure(given)?.message ?? '');

const sum = (a: number | null, b: number | null) => (a === null || b === null ? null : a + b);

function computeCost({ costUsd, inputTokens, outputTokens }: Reply, { price }: ListedModel): number | null {
  if (costUsd !== null) return costUsd;
  if (!price || inputTokens === null || outputTokens === null) return null;
  return (inputTokens * price.inputUsd + outputTokens * price.outputUsd) / 1e6;
}

/**
 * Requests JSON of a given shape from any OpenAI-compatible provider. Unsupported features are detected once and
 * remembered.
 */
export function createChatClient({ name, tokenLimit, mostTokens = MOST_OUTPUT_TOKENS, extra = {} }: ChatOptions) {
  const known = new Map<string, Structured>();

  function buildRequest({ model, schema }: ChatRequest, messages: readonly Message[], format: Structured): object {
    const formats: Record<Structured, object> = {
      json_schema: { response_format: { type: 'json_schema', json_schema: { ...schema, strict: true } } },
      json_object: { response_format: { type: 'json_object' } },
      text: {},
    };
    const most = Math.min(mostTokens, model.maxOutputTokens ?? mostTokens);
    return {
      model: model.callAs,
      messages,
      ...formats[format],
      ...(tokenLimit ? { [tokenLimit]: most } : {}),
      ...extra,
    };
  }

  async function send(client: SourceClient, request: object, format: Structured, signal: AbortSignal): Promise<Sent> {
    const isAnswer = (status: number, given: unknown) =>
      (status === 400 || status === 422) && (isInvalidDraft(given) || (format !== 'text' && refusesFormat(given)));
    const ask = () =>
      client.post('/chat/completions', request, body, { signal, isBillable: true, isValidResponse: isAnswer });
    const { data } = await ask().catch(async (error: unknown) => {
      const restMs = error instanceof SourceError && error.kind === 'rate_limited' ? error.retryAfterMs : undefined;
      if (restMs === undefined || restMs > LONGEST_PATIENCE_MS) throw error;
      await wait(restMs * (1 + 0.1 * Math.random()) + 50, signal);
      return ask();
    });
    if (isInvalidDraft(data)) return { kind: 'not_json', draft: readFailure(data)?.draft ?? '' };
    if (readFailure(data)) return { kind: 'no_format' };
    return { kind: 'reply', reply: readCompletion(name, data) };
  }

  return {
    async complete(client: SourceClient, request: ChatRequest, signal: AbortSignal): Promise<Completion> {
      const { model } = request;
      let format = known.get(model.id) ?? (model.structured === false ? 'json_object' : 'json_schema');
      let messages = request.messages;
      let usage: Usage = { inputTokens: 0, outputTokens: 0, costUsd: 0 };
      let isRepair = false;
      for (;;) {
        const sent = await send(client, buildRequest(request, messages, format), format, signal);
        if (sent.kind === 'no_format') {
          format = FORMATS[FORMATS.indexOf(format) + 1] ?? 'text';
          known.set(model.id, format);
          continue;
        }
        if (sent.kind === 'reply') {
          const { reply } = sent;
          usage = {
            inputTokens: sum(usage.inputTokens, reply.inputTokens),
            outputTokens: sum(usage.outputTokens, reply.outputTokens),
            costUsd: sum(usage.costUsd, computeCost(reply, model)),
          };
          const value = jsonIn(reply.content);
          if (value) return { value, usage, structured: format, ranModel: reply.model };
        } else usage = { inputTokens: null, outputTokens: null, costUsd: null };
        if (isRepair) throw new AnswerError(`${name} sent invalid JSON twice`);
        isRepair = true;
        const draft = sent.kind === 'reply' ? sent.reply.content : sent.draft;
        messages = [
          ...request.messages,
          ...(draft ? [{ role: 'assistant' as const, content: draft.slice(0, LONGEST_DRAFT) }] : []),
          { role: 'user', content: REPAIR },
        ];
      }
    },
  };
}

/** A provider of language models. */
export type Provider = {
  id: string;
  name: string;
  letter: string;
  source: SourceDescriptor;
  /** The missing setting; null when the provider is available. */
  keyName: (config: Config) => string | null;
  choice: (config: Config) => ModelChoice;
  chat: Omit<ChatOptions, 'name'>;
  /** Its answers name the version that ran, in the terms of its own list. */
  namesVersion: boolean;
};

const LONGEST_WORDS = 200;
const MAX_BYTES = 4 << 20;

/** Common source settings: the key is sent in a header, and removed from the provider's messages. */
export function chatSource(baseUrl: string, key: string | null, timeoutSeconds: number): Omit<SourceOptions, 'name'> {
  return {
    baseUrl,
    ...(key === null ? {} : { headers: { authorization: `Bearer ${key}` } }),
    perMinute: 20,
    burst: 4,
    timeoutMs: timeoutSeconds * 1000,
    retries: 2,
    maxBytes: MAX_BYTES,
    parseError(body) {
      const failure = readFailure(body);
      if (!failure) return null;
      if (/rate.?limit|too many requests/i.test(`${failure.message} ${failure.code}`)) return 'rate_limited';
      const words = key === null ? failure.message : failure.message.replaceAll(key, '[key]');
      return plainText(words, LONGEST_WORDS);
    },
  };
}

export const lacks = (keyName: string, name: string) => `${name} requires a key: set ${keyName}`;

/** Models that do not write texts about numbers, or that search the web themselves. */
const OTHER_WORK =
  /whisper|tts|speech|orpheus|playai|guard|embed|rerank|compound|vision|[-_/]vl[-_\d]|ocr|coder|code|prover|math|translat|allam/i;

export const isGeneralText = (id: string): boolean => !OTHER_WORK.test(id);

type Dated = { id: string; created: number | null };

/** By preferred family, then newest first, then by name. */
export function byFamily<T extends Dated>(models: readonly T[], families: readonly RegExp[]): T[] {
  const rank = ({ id }: T) => {
    const found = families.findIndex((family) => family.test(id));
    return found === -1 ? families.length : found;
  };
  return models.toSorted((a, b) => rank(a) - rank(b) || (b.created ?? 0) - (a.created ?? 0) || (a.id < b.id ? -1 : 1));
}
