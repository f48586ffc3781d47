import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { Ajv } from 'ajv';
import { afterEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';

import {
  FORECAST_COINS,
  FORECAST_DAYS,
  type ForecastStyle,
  forecastAt,
  type Horizon,
} from '#sandbox/market/forecasts.ts';
import { Market } from '#sandbox/market/market.ts';
import { signalsOf } from '#sandbox/market/signals.ts';
import { DAY } from '#sandbox/market/time.ts';
import { fileSandbox } from '#tests/support/for-file.ts';

const NOW = Date.UTC(2026, 10, 20, 12);
const recordings = process.env['RECORDINGS_DIR'] ?? resolve(import.meta.dirname, '../../../../shared/data');
const specFile = resolve(recordings, 'venice/swagger.yaml');
const missing = existsSync(specFile) ? '' : ` — SKIPPED: ${specFile} is missing, set RECORDINGS_DIR`;
if (missing) process.stderr.write(`language-models.test.ts${missing}\n`);

const PROVIDERS = [
  ['venice', 'VENICE_BASE_URL', 'zai-org-glm-5-2'],
  ['groq', 'GROQ_BASE_URL', 'openai/gpt-oss-120b'],
  ['huggingface', 'HUGGINGFACE_BASE_URL', 'Qwen/Qwen3-235B-A22B-Instruct-2507:novita'],
] as const;
const MESSAGES = [
  { role: 'system', content: 'Answer in JSON.' },
  { role: 'user', content: '{"assets":{"BTC":{"price_usd":91234.5}}}' },
];

const sandbox = fileSandbox(NOW);
afterEach(() => {
  sandbox.faults.clear();
  sandbox.clock.set(NOW);
});

type Completion = { choices: { finish_reason: string; message: { content: string | null; refusal?: string } }[] };

async function post(name: string, body: object, headers: Record<string, string> = { authorization: 'Bearer k' }) {
  const init = { method: 'POST', headers, body: JSON.stringify(body) };
  const response = await fetch(`${sandbox.urls[name]}/chat/completions`, init);
  return { status: response.status, body: (await response.json()) as Completion & { error?: unknown } };
}
const schema = { type: 'json_schema', json_schema: { name: 'x', strict: true, schema: {} } };

describe.each(PROVIDERS)('%s', (provider, name, model) => {
  const ask = (more: object = {}) => post(name, { model, messages: MESSAGES, response_format: schema, ...more });

  test('each language model fault appears in its own form, and passes', async () => {
    const good = (await ask()).body.choices[0]?.message.content ?? '';
    const contentUnder = async (kind: 'refusal' | 'invalid_json' | 'schema_violation' | 'truncated_answer') => {
      sandbox.faults.set({ provider, kind, count: 1 });
      const { choices } = (await ask()).body;
      return { finish: choices[0]?.finish_reason, ...choices[0]?.message };
    };
    const refused = await contentUnder('refusal');
    expect(refused.content ?? '').toBe('');
    if (provider === 'groq') expect(refused.refusal).toMatch(/\w/);
    if (provider === 'huggingface') expect(refused.finish).toBe('content_filter');
    const broken = await contentUnder('invalid_json');
    expect(good.startsWith(broken.content ?? '-')).toBe(true);
    expect(broken.finish).toBe('stop');
    expect(() => JSON.parse(broken.content ?? '') as unknown).toThrow(SyntaxError);
    expect((await contentUnder('truncated_answer')).finish).toBe('length');
    const odd = JSON.parse((await contentUnder('schema_violation')).content ?? '') as {
      assets: { BTC: { '7d': object } };
    };
    expect(odd.assets.BTC['7d']).toEqual({ up: 0.8, flat: 0.4, down: 0.2 });
    expect((await ask()).body.choices[0]?.message.content).toBe(good);
  });
});

type Schema = { [key: string]: unknown; properties?: object; additionalProperties?: unknown };

/** Converted for ajv: OpenAPI 3.0 has `nullable`, and boolean exclusive bounds. */
function forAjv(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(forAjv);
  if (typeof schema !== 'object' || schema === null) return schema;
  const copy: Schema = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, forAjv(value)]));
  if (typeof copy['exclusiveMinimum'] === 'boolean') delete copy['exclusiveMinimum'];
  if (typeof copy['exclusiveMaximum'] === 'boolean') delete copy['exclusiveMaximum'];
  if (copy['nullable'] === true) {
    delete copy['nullable'];
    return copy['type'] === undefined ? {} : { anyOf: [copy, { type: 'null' }] };
  }
  const isNamed = Object.keys(copy.properties ?? {}).length > 0;
  if (isNamed && copy.additionalProperties === undefined) copy.additionalProperties = false;
  return copy;
}

type Spec = {
  components: { schemas: Record<string, object> };
  paths: Record<string, Record<string, { responses: Record<string, { content: Record<string, { schema: object }> }> }>>;
};

describe(`the official description of Venice${missing}`, () => {
  const spec = () => parse(readFileSync(specFile, 'utf8')) as Spec;
  function validator(pick: (spec: Spec) => object | undefined) {
    const whole = spec();
    const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true });
    const components = { schemas: forAjv(whole.components.schemas) };
    return ajv.compile({ ...(forAjv(pick(whole)) as object), components });
  }
  const replyOf = (method: string, path: string, status: string) => (whole: Spec) =>
    whole.paths[path]?.[method]?.responses[status]?.content['application/json']?.schema;
  function check(validate: ReturnType<typeof validator>, body: unknown) {
    expect(validate(body), JSON.stringify(validate.errors?.slice(0, 5))).toBe(true);
  }

  test.skipIf(missing !== '')('the model list matches its API schema', async () => {
    const response = await fetch(`${sandbox.urls['VENICE_BASE_URL']}/models?type=text`);
    check(validator(replyOf('get', '/models', '200')), await response.json());
  });

  test.skipIf(missing !== '').each(['none', 'refusal', 'truncated_answer'] as const)(
    'an answer (fault: %s) is such as it describes',
    async (kind) => {
      if (kind !== 'none') sandbox.faults.set({ provider: 'venice', kind });
      const { body } = await post('VENICE_BASE_URL', { model: PROVIDERS[0][2], messages: MESSAGES });
      check(validator(replyOf('post', '/chat/completions', '200')), body);
    },
  );

  test.skipIf(missing !== '')('a request like ours matches its schema', () => {
    const validate = validator((whole) => whole.components.schemas['ChatCompletionRequest']);
    const venice_parameters = {
      include_venice_system_prompt: false,
      enable_web_search: 'off',
      strip_thinking_response: true,
    };
    const request = {
      model: 'm',
      messages: MESSAGES,
      response_format: schema,
      max_completion_tokens: 8000,
      venice_parameters,
    };
    check(validate, request);
    expect(validate({ ...request, max_tokens_completion: 1 })).toBe(false);
  });
});

describe('the three model types over two simulated years', () => {
  /** Mean Brier score over five assets, of a style or of the frequencies of the whole period, unknown in advance. */
  function scores(distance: Horizon): Record<ForecastStyle | 'hindsight', number> {
    const market = new Market(7);
    const [days, signals] = [FORECAST_DAYS[distance], signalsOf(market)];
    const outcomes = ['up', 'flat', 'down'] as const;
    const sums = { insight: 0, momentum: 0, bluster: 0 };
    const seen = { up: 0, flat: 0, down: 0 };
    let calls = 0;
    for (let day = 0; day < 730; day++) {
      const at = Date.UTC(2024, 9, 1, 12) + day * DAY;
      const forecasts = Object.keys(sums).map(
        (temper) => [temper as ForecastStyle, forecastAt(market, temper as ForecastStyle, at)] as const,
      );
      for (const [symbol, id] of FORECAST_COINS) {
        const volatility = signals.usualDeviation(id) * Math.exp(signals.logVolatility(id, at)) * Math.sqrt(days);
        const move = Math.log(market.priceAt(id, at + days * DAY) / market.priceAt(id, at)) / volatility;
        const came = Math.abs(move) <= 0.43 ? 'flat' : move > 0 ? 'up' : 'down';
        seen[came] += 1;
        calls += 1;
        for (const [temper, { assets }] of forecasts) {
          const odds = assets[symbol]?.[distance] ?? { up: 0, flat: 0, down: 0 };
          for (const outcome of outcomes) sums[temper] += (odds[outcome] - Number(outcome === came)) ** 2;
        }
      }
    }
    const hindsight = 1 - outcomes.reduce((sum, outcome) => sum + (seen[outcome] / calls) ** 2, 0);
    return { insight: sums.insight / calls, momentum: sums.momentum / calls, bluster: sums.bluster / calls, hindsight };
  }

  test.each(['24h', '7d'] as const)(
    'over %s one has some skill, one has none, and one is over-confident',
    (distance) => {
      const { insight, momentum, bluster, hindsight } = scores(distance);
      expect(insight).toBeLessThan(hindsight - 0.015);
      expect(insight).toBeGreaterThan(hindsight - 0.06);
      expect(momentum).toBeGreaterThan(hindsight);
      expect(momentum).toBeLessThan(hindsight + 0.06);
      expect(bluster).toBeGreaterThan(hindsight + 0.15);
    },
  );
});
