import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { HORIZONS, probabilities, SYMBOLS } from '#features/analysis/contract/predictions.ts';
import { type Sandbox, startSandbox } from '#sandbox/sandbox.ts';
import { skipTimers } from '#tests/support/skip-timers.ts';

import { type Asking, asking } from './fixtures/asking.ts';

const NOW = Date.UTC(2026, 10, 20, 12);
const ALL = ['venice', 'groq', 'huggingface'];

let sandbox: Sandbox;
let analysts: Asking;
beforeAll(async () => {
  sandbox = await startSandbox({ seed: 7, now: NOW });
});
beforeEach(() => {
  analysts = asking(sandbox.urls, () => new Date(sandbox.clock.now()));
});
afterEach(() => {
  sandbox.faults.clear();
  sandbox.clock.set(NOW);
});
afterAll(() => sandbox.close());

const asked = (id: string) => sandbox.faults.requests(id, '*/chat/completions');

describe.each(ALL)('%s', (id) => {
  test('gives an opinion with a distribution for every figure, and reasons that quote the prompt', async () => {
    const { opinion, ...answer } = await analysts.ask(id);
    for (const horizon of HORIZONS) {
      const { probabilities: market, confidence, reasoning, key_factors } = opinion.market[horizon];
      for (const p of [market, ...SYMBOLS.map((symbol) => opinion.assets[symbol][horizon])])
        expect(probabilities.safeParse(p).success).toBe(true);
      expect(confidence).toBe(100 * Math.max(market.up, market.flat, market.down));
      expect(reasoning).toContain('$91,235');
      expect(key_factors.length).toBeGreaterThan(2);
    }
    expect(opinion.reasoning).toContain('−2.75%');
    expect(answer).toMatchObject({ imputed: false, structured: 'json_schema', promptVersion: 'market-2' });
    expect(answer.usage.inputTokens).toBeGreaterThan(500);
    expect(analysts.unusable).toEqual([]);
  });

  test('gives the same answer at the same moment, and a different one at another', async () => {
    const first = await analysts.ask(id);
    expect(await analysts.ask(id)).toEqual(first);
    sandbox.clock.advance(86_400_000);
    const later = await analysts.ask(id);
    expect(later.opinion.assets).not.toEqual(first.opinion.assets);
    expect(later.inputHash).not.toBe(first.inputHash);
  });

  test.each([
    ['invalid_json', /^.+ sent invalid JSON twice$/, 2],
    ['truncated_answer', /^.+ was cut off mid-response, after \d+ tokens$/, 1],
    ['schema_violation', /^.+ is unusable: its answer for BTC over 7d has probabilities that sum to 1\.4$/, 1],
    ['refusal', /^.+ (refused to answer: .+|withheld its response: .+|sent an empty response)$/, 1],
  ] as const)(
    'on %s it reports one sentence and sends no more requests than needed',
    async (kind, sentence, questions) => {
      sandbox.faults.set({ provider: id, path: '*/chat/completions', kind });
      const before = asked(id);
      const error = await analysts.failure(id);
      expect(error.message).toMatch(sentence);
      expect(error.message).not.toContain('undefined');
      expect(asked(id) - before).toBe(questions);
      expect(analysts.unusable).toEqual([`${id}: ${error.message}`]);
      sandbox.faults.clear();
      await analysts.ask(id);
    },
  );

  test('repairs broken JSON once and counts both answers', async () => {
    const { usage } = await analysts.ask(id);
    sandbox.faults.set({ provider: id, path: '*/chat/completions', kind: 'invalid_json', count: 1 });
    const repaired = await analysts.ask(id);
    expect(repaired.usage.inputTokens).toBeGreaterThan(2 * (usage.inputTokens ?? 0));
    expect(repaired.opinion.assets.BTC).toBeDefined();
  });

  test('a model without schema support is detected once and restricted to JSON mode', async () => {
    sandbox.faults.set({ provider: id, kind: 'no_json_schema' });
    const before = asked(id);
    expect((await analysts.ask(id)).structured).toBe('json_object');
    expect((await analysts.ask(id)).structured).toBe('json_object');
    expect(asked(id) - before).toBe(3);
  });

  test('one without JSON mode has its JSON extracted from the text', async () => {
    sandbox.faults.set({ provider: id, kind: 'no_json_schema', orObject: true });
    const before = asked(id);
    const { structured, opinion } = await analysts.ask(id);
    expect(structured).toBe('text');
    expect(probabilities.safeParse(opinion.assets.XRP['180d']).success).toBe(true);
    expect(asked(id) - before).toBe(3);
  });

  test('a slow answer counts if it arrives in time', async () => {
    sandbox.faults.set({ provider: id, path: '*/chat/completions', kind: 'slow', delayMs: 150 });
    expect((await analysts.ask(id)).structured).toBe('json_schema');
  });

  test('a provider that does not count its tokens has an unknown cost', async () => {
    sandbox.faults.set({ provider: id, path: '*/chat/completions', kind: 'nulls' });
    const { usage, modelVersion } = await analysts.ask(id);
    expect(usage).toEqual({ inputTokens: null, outputTokens: null, costUsd: null });
    expect(modelVersion).toBeNull();
  });

  test('empty rows in the list do not hide the others', async () => {
    const { model } = await analysts.ask(id);
    const fresh = asking(sandbox.urls, () => new Date(sandbox.clock.now()));
    sandbox.faults.set({ provider: id, path: '*/models', kind: 'nulls' });
    expect((await fresh.ask(id)).model).toBe(model);
  });

  test('without a key it is listed, names the missing setting and makes no call', async () => {
    const name = `${id.toUpperCase()}_API_KEY`;
    const keyless = asking({ ...sandbox.urls, [name]: '' }, () => new Date(NOW));
    const before = sandbox.faults.requests(id);
    expect(keyless.analyst(id).keyName).toBe(name);
    expect((await keyless.failure(id)).message).toMatch(new RegExp(` requires a key: set ${name}$`));
    expect(sandbox.faults.requests(id)).toBe(before);
  });
});

describe('the shared client', () => {
  const id = 'groq';

  test.each([
    ['server_error', 'status', / returned 503: \S/, 3],
    ['timeout', 'timeout', / did not respond within 0.4 s$/, 1],
    ['malformed', 'body', / sent invalid JSON$/, 1],
    ['truncated', 'body', / sent invalid JSON$/, 1],
    ['rate_limit_200', 'rate_limited', / is rate-limiting us$/, 1],
    ['error_200', 'body', / refused: \S/, 1],
  ] as const)('on %s it fails like every source and pays for no second answer', async (kind, of, sentence, calls) => {
    if (kind === 'timeout') analysts = asking(sandbox.urls, () => new Date(sandbox.clock.now()), 400);
    await analysts.ask(id);
    sandbox.faults.set({ provider: id, path: '*/chat/completions', kind });
    const before = asked(id);
    const error = await analysts.failure(id);
    expect(error.kind).toBe(of);
    expect(error.message).toMatch(sentence);
    expect(asked(id) - before).toBe(calls);
    expect(analysts.unusable).toEqual([]);
  });

  test('recovers from a transient server error', async () => {
    sandbox.faults.set({ provider: id, path: '*/chat/completions', kind: 'server_error', count: 1 });
    expect((await analysts.ask(id)).structured).toBe('json_schema');
  });

  test('when rate-limited, retries once after the requested delay', async () => {
    sandbox.faults.set({ provider: id, path: '*/chat/completions', kind: 'rate_limit', retryAfter: 1, count: 1 });
    const { skipped, restore } = skipTimers(5000, 6000);
    expect((await analysts.ask(id)).structured).toBe('json_schema');
    restore();
    expect(skipped).toHaveLength(1);
  });

  test('leaves a longer delay to the next run', async () => {
    sandbox.faults.set({ provider: id, path: '*/chat/completions', kind: 'rate_limit', retryAfter: 31 });
    const begin = performance.now();
    expect((await analysts.failure(id)).retryAfterMs).toBe(31_000);
    expect(performance.now() - begin).toBeLessThan(3000);
  });

  test('an aborted caller waits no longer', async () => {
    sandbox.faults.set({ provider: id, path: '*/chat/completions', kind: 'rate_limit', retryAfter: 20 });
    const begin = performance.now();
    const error = analysts.ask(id, AbortSignal.timeout(300));
    await expect(error).rejects.toThrow();
    expect(performance.now() - begin).toBeLessThan(3000);
  });
});

test('the cost of an answer: is reported by the provider, derived from its price list, or unknown', async () => {
  const [venice, groq, huggingface] = await Promise.all(ALL.map((id) => analysts.ask(id)));
  const usage = (of: typeof venice) => of?.usage ?? { inputTokens: 0, outputTokens: 0, costUsd: 0 };
  const cost = (of: typeof venice, input: number, output: number) =>
    ((usage(of).inputTokens ?? 0) * input + (usage(of).outputTokens ?? 0) * output) / 1e6;
  expect(usage(venice).costUsd).toBeCloseTo(cost(venice, 1.4, 4.4), 6);
  expect(usage(groq).costUsd).toBeNull();
  expect(usage(huggingface).costUsd).toBeCloseTo(cost(huggingface, 0.15, 0.8), 9);
});

describe('a removed model', () => {
  test('is replaced immediately, using the current list', async () => {
    sandbox.clock.set(Date.UTC(2029, 11, 31, 23));
    expect((await analysts.ask('venice')).model).toBe('zai-org-glm-5-2');
    sandbox.clock.advance(2 * 3_600_000);
    expect((await analysts.ask('venice')).model).toBe('zai-org-glm-6');
  });

  test('is named when it was the operator’s own choice', async () => {
    const own = asking({ ...sandbox.urls, VENICE_MODEL: 'glm-1', GROQ_MODEL: 'x' }, () => new Date(NOW));
    expect((await own.failure('venice')).message).toBe('Venice returned 404: Specified model not found: glm-1');
    expect((await own.failure('groq')).message).toContain('The model `x` does not exist');
  });

  test('the list is read every six hours at most', async () => {
    await analysts.ask('groq');
    const before = sandbox.faults.requests('groq', '*/models');
    sandbox.clock.advance(5.9 * 3_600_000);
    await analysts.ask('groq');
    expect(sandbox.faults.requests('groq', '*/models')).toBe(before);
    sandbox.clock.advance(0.2 * 3_600_000);
    await analysts.ask('groq');
    expect(sandbox.faults.requests('groq', '*/models')).toBe(before + 1);
  });
});

test('additional analysts are called at their own address, without a key where none is needed', async () => {
  const AI_PROVIDERS = `ollama=${sandbox.urls['GROQ_BASE_URL']}||any; vera=${sandbox.urls['VENICE_BASE_URL']}|grok-4-6|k2`;
  const { analyst, ask } = asking({ ...sandbox.urls, AI_PROVIDERS }, () => new Date(NOW));
  expect([analyst('ollama'), analyst('vera')]).toMatchObject([
    { name: 'Ollama', letter: 'O', keyName: null },
    { name: 'Vera', letter: 'E', keyName: null },
  ]);
  expect((await ask('ollama')).model).toBe('llama-3.1-8b-instant');
  expect((await ask('vera')).model).toBe('grok-4-6');
});
