import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { afterEach, describe, expect, test } from 'vitest';

import { says, startWorld, type World } from '#kernel/http/fixtures/world.ts';
import { createSourceClient, type SourceClient } from '#kernel/http/http-client.ts';

import { groqModels } from './groq.ts';
import { huggingfaceModels } from './huggingface.ts';
import { createModelList } from './model-list.ts';
import { veniceModels } from './venice.ts';

const DIR = process.env['RECORDINGS_DIR'] ?? resolve(import.meta.dirname, '../../../../../../../shared/data');
const FILE = resolve(DIR, 'venice/models-response.json');
const HAS_RECORDING = existsSync(FILE);
if (!HAS_RECORDING)
  console.warn(`SKIPPED: ${FILE} is missing, the choice of a Venice model is proved by examples alone`);

const NOW = new Date('2026-11-20T12:00:00Z');
const signal = AbortSignal.timeout(60_000);

let world: World | undefined;
afterEach(() => world?.close());

async function clientOf(...lists: unknown[][]): Promise<SourceClient> {
  world = await startWorld(...lists.map((data) => says(200, { object: 'list', data })));
  return createSourceClient({ name: 'Lab', baseUrl: world.baseUrl, perMinute: 1e6, burst: 1e6, retries: 0 }, () => NOW);
}

type Spec = Record<string, unknown>;
const recorded = () => JSON.parse(readFileSync(FILE, 'utf8')) as { id: string; type: string; model_spec: Spec }[];

describe.skipIf(!HAS_RECORDING)('the recorded Venice list, 328 models', () => {
  const idsOf = async (rows: unknown[], now = NOW) =>
    (await veniceModels(await clientOf(rows), now, signal)).map(({ id }) => id);

  test('uses the model Venice recommends, otherwise the next best', async () => {
    const rows = recorded();
    const [first, second] = await idsOf(rows);
    expect([first, second]).toEqual(['zai-org-glm-5-2', 'grok-4-6']);
    expect((await idsOf(rows.filter(({ id }) => id !== first)))[0]).toBe(second);
    const plain = rows.map((row) => ({ ...row, model_spec: { ...row.model_spec, traits: [] } }));
    expect((await idsOf(plain))[0]).toBe('grok-4-20');
  });

  test('excludes models that lack schema support or are encrypted, offline, in beta or made for images', async () => {
    const ids = new Set(await idsOf(recorded()));
    expect(ids.size).toBeGreaterThan(60);
    for (const { id, type, model_spec: spec } of recorded()) {
      const { supportsResponseSchema } = (spec['capabilities'] ?? {}) as Spec;
      if (type !== 'text' || supportsResponseSchema !== true || id.startsWith('e2ee-') || spec['betaModel'])
        expect(ids.has(id), id).toBe(false);
    }
  });

  test('prices are as listed, in USD per million tokens', async () => {
    const [model] = await veniceModels(await clientOf(recorded()), NOW, signal);
    expect(model).toMatchObject({
      price: { inputUsd: 1.4, outputUsd: 4.4 },
      structured: true,
      contextTokens: 1_000_000,
    });
  });

  test('a model is gone once removed, and ranks last once its removal is announced', async () => {
    const leaving = recorded().map((row) =>
      row.id === 'zai-org-glm-5-2'
        ? { ...row, model_spec: { ...row.model_spec, deprecation: { removesAt: '2027-01-01T00:00:00.000Z' } } }
        : row,
    );
    const [before, after] = [await idsOf(leaving), await idsOf(leaving, new Date('2027-01-01T00:00:00.000Z'))];
    expect(before.at(-1)).toBe('zai-org-glm-5-2');
    expect(after).not.toContain('zai-org-glm-5-2');
    expect(after).toHaveLength(before.length - 1);
  });
});

const venice = (id: string, spec: Spec = {}) => ({
  id,
  type: 'text',
  model_spec: { availableContextTokens: 128_000, capabilities: { supportsResponseSchema: true }, ...spec },
});

describe('Venice, oddities', () => {
  test.each([
    ['null', null],
    ['a number', 7],
    ['no spec', { id: 'x', type: 'text' }],
    ['a context of null', venice('x', { availableContextTokens: null })],
    ['a removal that is no date', venice('x', { deprecation: { removesAt: 'soon' } })],
    ['no word on schemas', venice('x', { capabilities: {} })],
    ['encryption by another name', venice('x', { capabilities: { supportsResponseSchema: true, supportsE2EE: true } })],
  ])('a row with %s hides no others', async (_what, row) => {
    const models = await veniceModels(await clientOf([row, venice('good')]), NOW, signal);
    expect(models.map(({ id }) => id)).toEqual(['good']);
  });

  test('an infinite context and a negative price do not win', async () => {
    const odd = venice('odd', {
      pricing: { input: { usd: -1 }, output: { usd: -1 } },
      availableContextTokens: 2 ** 53,
    });
    const priced = venice('priced', { pricing: { input: { usd: 1 }, output: { usd: 2 } } });
    const models = await veniceModels(await clientOf([odd, priced]), NOW, signal);
    expect(models.map(({ id, price }) => [id, price])).toEqual([
      ['priced', { inputUsd: 1, outputUsd: 2 }],
      ['odd', null],
    ]);
  });
});

test('Groq: the preferred family first, newest within it, and text models only', async () => {
  const row = (id: string, more: object = {}) => ({ id, active: true, created: 1, context_window: 131_072, ...more });
  const client = await clientOf([
    row('whisper-large-v3', { context_window: 448 }),
    row('meta-llama/llama-guard-4-12b'),
    row('groq/compound'),
    row('allam-2-7b'),
    row('other-70b'),
    row('moonshotai/kimi-k2-instruct'),
    row('moonshotai/kimi-k2-instruct-0905', { created: 9 }),
    row('openai/gpt-oss-120b', { active: false }),
    row('llama-3.3-70b-versatile', { max_completion_tokens: null, created: null }),
    { id: null },
  ]);
  const ids = (await groqModels(client, NOW, signal)).map(({ id }) => id);
  expect(ids.join(', ')).toBe(
    'moonshotai/kimi-k2-instruct-0905, moonshotai/kimi-k2-instruct, llama-3.3-70b-versatile, other-70b',
  );
});

test('Hugging Face: prefers models with schema support, then the lowest price', async () => {
  const offer = (provider: string, output: number | null, schema: boolean | null, status = 'live') => ({
    provider,
    status,
    context_length: 131_072,
    pricing: output === null ? null : { input: 0.1, output },
    supports_structured_output: schema,
  });
  const client = await clientOf([
    { id: 'Qwen/Qwen3-Coder-30B', providers: [offer('a', 1, true)] },
    { id: 'Qwen/Qwen3-VL-30B', providers: [offer('a', 1, true)] },
    { id: 'Qwen/Qwen3-Dead', providers: [offer('a', 1, true, 'error')] },
    {
      id: 'meta-llama/Llama-3.3-70B-Instruct',
      providers: [offer('a', 0.1, false), offer('b', 3, true), offer('c', 2, true)],
    },
    { id: 'zai-org/GLM-5', providers: null },
    { id: 'deepseek-ai/DeepSeek-V4', providers: [offer('a', null, null)] },
  ]);
  const models = await huggingfaceModels(client, NOW, signal);
  expect(models.map(({ callAs, structured, price }) => [callAs, structured, price])).toEqual([
    ['deepseek-ai/DeepSeek-V4:a', null, null],
    ['zai-org/GLM-5', null, null],
    ['meta-llama/Llama-3.3-70B-Instruct:c', true, { inputUsd: 0.1, outputUsd: 2 }],
  ]);
});

describe('the choice', () => {
  const rows = (...ids: string[]) => ids.map((id) => venice(id));
  const listOf = (now: () => Date, wanted: string | null = null) =>
    createModelList({ list: veniceModels, wanted }, 'Lab', now);

  test('keeps a model while it is listed, since another one starts a new record', async () => {
    let now = NOW;
    const models = listOf(() => now);
    const client = await clientOf(rows('b'), rows('a', 'b'), rows('a'));
    const choose = async () => (await models.choose(client, signal)).id;
    expect([await choose(), await choose()]).toEqual(['b', 'b']);
    now = new Date(now.getTime() + 6 * 3_600_000);
    expect(await choose()).toBe('b');
    models.forget();
    expect(await choose()).toBe('a');
  });

  test('of the operator applies without a list', async () => {
    const models = listOf(() => NOW, 'mine');
    world = await startWorld(says(500));
    const client = createSourceClient(
      { name: 'Lab', baseUrl: world.baseUrl, perMinute: 1e6, burst: 9, retries: 0 },
      () => NOW,
    );
    expect(await models.choose(client, signal)).toMatchObject({
      id: 'mine',
      callAs: 'mine',
      structured: null,
      price: null,
    });
  });

  test('from an empty list is an error with a message', async () => {
    await expect(listOf(() => NOW).choose(await clientOf([]), signal)).rejects.toThrow('Lab lists no usable model');
  });
});
