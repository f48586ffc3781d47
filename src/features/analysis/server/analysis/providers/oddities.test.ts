import type { RequestListener } from 'node:http';

import { afterEach, describe, expect, test } from 'vitest';

import { type Config, loadConfig } from '#kernel/config.ts';
import { says, startWorld, type World } from '#kernel/http/fixtures/world.ts';
import { createSourceClient } from '#kernel/http/http-client.ts';
import { SourceError } from '#kernel/http/source-error.ts';
import { createLog } from '#kernel/log.ts';

import { createAnalysts } from '../analysts.ts';
import { someInput } from '../fixtures/input.ts';
import { analysisSources } from '../jobs.ts';
import { createChatClient } from './chat-client.ts';
import { jsonIn } from './completion.ts';
import type { ListedModel } from './model-list.ts';

const NOW = new Date('2026-11-20T12:00:00Z');
const KEY = 'sk-live-0123456789abcdef';

let world: World | undefined;
afterEach(() => world?.close());

const MODEL: ListedModel = {
  id: 'm',
  callAs: 'm',
  structured: null,
  contextTokens: null,
  maxOutputTokens: 700,
  price: { inputUsd: 1, outputUsd: 2 },
};

async function complete(answers: RequestListener[], model = MODEL) {
  world = await startWorld(...answers);
  const client = createSourceClient(
    { name: 'Lab', baseUrl: world.baseUrl, perMinute: 1e6, burst: 1e6, retries: 0 },
    () => NOW,
  );
  const chat = createChatClient({ name: 'Lab', tokenLimit: 'max_tokens' });
  const request = { model, messages: [{ role: 'user' as const, content: 'json' }], schema: { name: 'n', schema: {} } };
  return chat.complete(client, request, AbortSignal.timeout(20_000));
}
const message = (of: object, more: object = {}) =>
  says(200, {
    choices: [{ finish_reason: 'stop', message: of }],
    usage: { prompt_tokens: 10, completion_tokens: 5 },
    ...more,
  });

describe('a provider answer in an unknown format', () => {
  test.each([
    ['text', { content: '{"a":1}' }],
    ['parts', { content: [{ type: 'text', text: '{"a"' }, { type: 'text', text: ':1}' }, { type: 'image' }] }],
    ['prose around it', { content: 'Sure!\n```json\n{"a":1}\n```\nGood luck.' }],
    ['its thoughts before it', { content: '<think>{maybe}</think>\n{"a":1}' }],
  ])('is read when it arrives as %s', async (_what, of) => {
    expect((await complete([message(of)])).value).toEqual({ a: 1 });
  });

  test.each([
    ['no choice', says(200, { choices: [] }), 'Lab sent an unexpected format at choices'],
    ['no message', says(200, { choices: [{ finish_reason: 'stop' }] }), 'unexpected format at choices.0.message'],
    ['no content', message({}), 'Lab sent an empty response'],
    ['null', message({ content: null }), 'Lab sent an empty response'],
    ['blanks', message({ content: ' \n' }), 'Lab sent an empty response'],
    ['a refusal', message({ content: '{"a":1}', refusal: 'No\u0000 way' }), 'Lab refused to answer: No way'],
    ['a list', message({ content: '[1]' }), 'Lab sent invalid JSON twice'],
  ])('with %s gives one sentence', async (_what, answer, sentence) => {
    await expect(complete([answer])).rejects.toThrow(sentence);
  });

  test.each([
    [null, null],
    [
      { prompt_tokens: -1, completion_tokens: 5 },
      { inputTokens: null, outputTokens: 5, costUsd: null },
    ],
    [
      { prompt_tokens: 2 ** 53, completion_tokens: 5 },
      { inputTokens: null, outputTokens: 5, costUsd: null },
    ],
    [
      { prompt_tokens: 1.5, completion_tokens: '5' },
      { inputTokens: null, outputTokens: null, costUsd: null },
    ],
    [
      { prompt_tokens: 10, completion_tokens: 5 },
      { inputTokens: 10, outputTokens: 5, costUsd: 0.00002 },
    ],
  ])('that reports %j is accounted as %j', async (usage, accounted) => {
    const none = { inputTokens: null, outputTokens: null, costUsd: null };
    expect((await complete([message({ content: '{}' }, { usage })])).usage).toEqual(accounted ?? none);
  });

  test('with a negative cost gets an unknown cost', async () => {
    const { usage } = await complete([message({ content: '{}' }, { cost: { usd: -1 } })]);
    expect(usage.costUsd).toBe(0.00002);
  });

  test('that failed the provider’s JSON check is sent for repair, and the draft’s cost is unknown', async () => {
    const failed = {
      error: { message: 'Failed to generate JSON', code: 'json_validate_failed', failed_generation: '{"a":' },
    };
    const { value, usage, structured } = await complete([says(400, failed), message({ content: '{"a":1}' })]);
    expect([value, structured]).toEqual([{ a: 1 }, 'json_schema']);
    expect(usage).toEqual({ inputTokens: null, outputTokens: null, costUsd: null });
  });

  test('never requests more tokens than the model supports', async () => {
    const bodies: string[] = [];
    const listening: RequestListener = (request, response) => {
      request.on('data', (part: Buffer) => bodies.push(part.toString()));
      request.on('end', () => message({ content: '{}' })(request, response));
    };
    await complete([listening]);
    expect(JSON.parse(bodies.join(''))).toMatchObject({ model: 'm', max_tokens: 700 });
  });
});

test('endless nesting is not JSON, and nothing crashes', () => {
  expect(jsonIn('{"a":'.repeat(200_000))).toBeUndefined();
  expect(jsonIn('')).toBeUndefined();
  expect(jsonIn('} {')).toBeUndefined();
});

describe('the key', () => {
  const configOf = (baseUrl: string): Config =>
    loadConfig({
      VENICE_BASE_URL: baseUrl,
      GROQ_BASE_URL: baseUrl,
      HUGGINGFACE_BASE_URL: baseUrl,
      VENICE_API_KEY: KEY,
      GROQ_API_KEY: KEY,
      HUGGINGFACE_API_KEY: KEY,
      AI_PROVIDERS: `lab=${baseUrl}|m|${KEY}`,
    });

  test.each(['venice', 'groq', 'huggingface', 'lab'])(
    'of %s is sent in a header and appears in no message, even if the provider echoes it',
    async (id) => {
      const told: RequestListener = (request, response) =>
        says(401, {
          error: { message: `Incorrect API key provided: ${request.headers.authorization}. ${'x'.repeat(112)} ${KEY}` },
        })(request, response);
      world = await startWorld(told);
      const config = configOf(world.baseUrl);
      const lines: string[] = [];
      const log = createLog('info', { write: (line) => lines.push(line) });
      const sources = new Map(analysisSources(config).map((source) => [source.id, source]));
      const analysts = createAnalysts({
        mode: 'live',
        config,
        now: () => NOW,
        clientOf: (source) => {
          const { name, options } = sources.get(source) ?? {
            name: '',
            options: () => ({ baseUrl: '', perMinute: 1, burst: 1 }),
          };
          return createSourceClient(
            { name, ...options(config), onFailure: (error) => log.warn({ error }, error.message) },
            () => NOW,
          );
        },
      });
      const error: unknown = await analysts
        .find((each) => each.id === id)
        ?.ask(someInput(), AbortSignal.timeout(10_000))
        .catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(SourceError);
      expect((error as SourceError).message).toContain('returned 401: Incorrect API key provided: Bearer [key]');
      expect(`${(error as SourceError).stack}${lines.join('')}`).not.toContain(KEY.slice(0, 9));
      expect(lines.length).toBeGreaterThan(0);
      expect(world.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
      expect(world.requests[0]?.url).not.toContain(KEY);
    },
  );
});
