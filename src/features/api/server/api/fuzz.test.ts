import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { apiError } from '#shared/contract.ts';
import { type ApiFixture, createApiFixture } from '#tests/support/api-fixture.ts';
import { HOSTILE_TEXTS } from '#tests/support/hostile.ts';

type Shape = Record<string, unknown> & {
  enum?: unknown[];
  type?: string;
  $ref?: string;
  properties?: Record<string, Shape>;
};
type Parameter = { name: string; in: string; required: boolean; schema: Shape };
type Operation = {
  operationId: string;
  parameters: Parameter[];
  requestBody?: object;
  responses: { '200': { content: Record<string, { schema: Shape; example?: unknown }> } };
};
type Document = { paths: Record<string, Record<string, Operation>>; components: { schemas: Record<string, Shape> } };
type Asked = { method: 'GET' | 'POST' | 'HEAD'; url: string; headers?: Record<string, string>; payload?: string };

const RUNS = Number(process.env['API_FUZZ_RUNS'] ?? 60);

let world: ApiFixture;
let document: Document;
let ajv: Ajv2020;
beforeAll(async () => {
  world = await createApiFixture();
  document = (await world.s.get('/api/openapi.json')).json<Document>();
  ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(document, 'api');
}, 240_000);
afterAll(() => world.s.stop());

const text = (value: unknown) => encodeURIComponent(String(value));
const nasty = fc.oneof(
  fc.constantFrom(
    ...HOSTILE_TEXTS.filter((each) => each.isWellFormed()),
    'constructor.prototype',
    'x'.repeat(3000),
    'a.'.repeat(40),
    ','.repeat(200),
    '﷽'.repeat(50),
  ),
  fc.string({ maxLength: 60 }),
  fc.integer().map(String),
  fc.base64String({ maxLength: 400 }),
);

/** A valid value by the parameter's own schema. */
function fitting({ name, schema }: Parameter): fc.Arbitrary<string> {
  if (schema.enum) return fc.constantFrom(...schema.enum.map(String));
  if (name === 'symbol') return fc.constantFrom('BTC', 'eth', 'bitcoin');
  if (name === 'id') return fc.constantFrom('bitcoin', 'sui', 'nothing');
  if (name === 'cursor')
    return fc.constantFrom(
      ...['prices 3 sui', 'calls 9', 'alerts 4', 'events 2 1', 'candles 5', `calls ${'9'.repeat(15)}`].map((each) =>
        Buffer.from(each).toString('base64url'),
      ),
    );
  if (schema.type === 'integer') return fc.integer({ min: 1, max: 120 }).map(String);
  if (schema['format'] === 'date-time')
    return fc
      .date({ min: new Date('2026-11-01T00:00:00Z'), max: new Date('2026-11-21T12:00:00Z'), noInvalidDate: true })
      .map((date) => date.toISOString());
  return fc.constantFrom('7', '30', '399');
}

/** Field paths in the schema of a response. */
function fieldsOf(schema: Shape, depth = 0): string[] {
  const known = schema.$ref ? document.components.schemas[schema.$ref.split('/').at(-1) ?? ''] : schema;
  if (!known || depth > 3) return [];
  const inner = (known['items'] ?? (known['anyOf'] as Shape[] | undefined)?.find((each) => each.type !== 'null')) as
    | Shape
    | undefined;
  if (inner) return fieldsOf(inner, depth);
  return Object.entries(known.properties ?? {}).flatMap(([name, each]) => [
    name,
    ...fieldsOf(each, depth + 1).map((below) => `${name}.${below}`),
  ]);
}

function asking(path: string, method: string, operation: Operation): fc.Arbitrary<Asked> {
  const { parameters, requestBody, responses } = operation;
  const reply = responses['200'].content['application/json']?.schema ?? {};
  const fields = fieldsOf(reply);
  const valueOf = (parameter: Parameter) =>
    fc.oneof(
      {
        weight: 3,
        arbitrary:
          parameter.name === 'fields' && fields.length > 0
            ? fc.subarray(fields, { minLength: 1, maxLength: Math.min(5, fields.length) }).map((some) => some.join(','))
            : fitting(parameter),
      },
      { weight: 1, arbitrary: nasty },
    );
  const places = parameters.filter((each) => each.in === 'path');
  const query = parameters.filter((each) => each.in === 'query');
  const body = fc.oneof(
    fc.record({
      name: nasty,
      metric: fc.oneof(fc.constantFrom('eth_price', 'ai_prediction_short'), nasty),
      condition: fc.oneof(fc.constantFrom('above', 'changes_by', 'becomes_bullish'), nasty),
      value: fc.oneof(fc.double(), nasty, fc.constant('BULLISH')),
      options: fc.oneof(
        fc.constant(undefined),
        fc.jsonValue(),
        fc.record({ cooldownMinutes: fc.integer(), margin: fc.double(), expiresAt: nasty }),
      ),
    }),
    fc.jsonValue(),
  );
  return fc
    .record({
      at: fc.tuple(...places.map(valueOf)),
      chosen: fc.tuple(
        ...query.map((parameter) =>
          fc.oneof(
            { weight: parameter.required ? 9 : 1, arbitrary: valueOf(parameter) },
            { weight: 1, arbitrary: fc.constant(null) },
          ),
        ),
      ),
      more: fc.option(fc.tuple(fc.oneof(nasty, fc.constantFrom('limit', 'fields', 'asOf')), nasty), { freq: 8 }),
      accept: fc.option(
        fc.oneof(
          fc.constantFrom('text/csv', 'application/json', '*/*', 'text/*;q=0.5', 'image/png', ';;q=,'),
          fc.string({ maxLength: 30 }).map((each) => each.replaceAll(/[^\x20-\x7e]/g, '')),
        ),
        { freq: 4 },
      ),
      body,
    })
    .map(({ at, chosen, more, accept, body }) => {
      let address = path;
      // An empty segment would be the URL of another call.
      places.forEach(({ name }, i) => (address = address.replace(`{${name}}`, text(at[i]) || '0')));
      const pairs = query.flatMap(({ name }, i) => (chosen[i] === null ? [] : [`${name}=${text(chosen[i])}`]));
      if (more) pairs.push(`${text(more[0])}=${text(more[1])}`);
      return {
        method: method.toUpperCase() as 'GET' | 'POST',
        url: pairs.length > 0 ? `${address}?${pairs.join('&')}` : address,
        headers: {
          ...(accept === null ? {} : { accept }),
          ...(requestBody ? { 'content-type': 'application/json' } : {}),
        },
        ...(requestBody ? { payload: JSON.stringify(body) ?? '' } : {}),
      };
    });
}

async function check(asked: Asked, operation: Operation): Promise<void> {
  const answer = await world.s.product.app.inject({
    ...asked,
    headers: { 'x-api-key': world.key, ...asked.headers },
  } as never);
  const { statusCode, headers, body } = answer as unknown as {
    statusCode: number;
    headers: Record<string, string>;
    body: string;
  };
  const shown = `${asked.method} ${asked.url.slice(0, 300)} ${asked.payload ?? ''} → ${statusCode} ${body.slice(0, 200)}`;
  expect(statusCode, shown).toBeLessThan(500);
  if (statusCode >= 400) {
    expect(apiError.safeParse(JSON.parse(body)).success, shown).toBe(true);
    return;
  }
  expect(headers['etag'], shown).toMatch(/^"[\w-]+"$/);
  expect(headers['ratelimit-policy'] === undefined || headers['ratelimit'] !== undefined, shown).toBe(true);
  if (headers['content-type']?.startsWith('text/csv')) return;
  const { $ref } = operation.responses['200'].content['application/json']?.schema ?? {};
  const isPart = new URL(asked.url, 'http://x').searchParams.has('fields');
  const fits = ajv.getSchema(`api${$ref}`);
  if (!isPart && fits) expect([fits(JSON.parse(body)), fits.errors?.slice(0, 3) ?? null], shown).toEqual([true, null]);
}

describe('fuzzing from the OpenAPI document', () => {
  test('property: for any request, no response is a server error, each fits its schema, each error has the wire format', async () => {
    for (const [path, byMethod] of Object.entries(document.paths))
      for (const [method, operation] of Object.entries(byMethod)) {
        if (operation.operationId === 'getStream') continue;
        await fc.assert(
          fc.asyncProperty(asking(path, method, operation), (asked) => check(asked, operation)),
          { numRuns: RUNS, endOnFailure: true },
        );
      }
  }, 600_000);

  test('the examples of the document are responses that fit their schemas', () => {
    const examples = Object.entries(document.paths).flatMap(([path, { get }]) => {
      const { schema, example } = get?.responses['200'].content['application/json'] ?? {};
      return example === undefined ? [] : [{ path, schema, example }];
    });
    expect(examples.length).toBeGreaterThan(9);
    for (const { path, schema, example } of examples) {
      const fits = ajv.getSchema(`api${schema?.$ref}`);
      expect([fits?.(example), fits?.errors?.slice(0, 3) ?? null], path).toEqual([true, null]);
    }
  });

  test('property: with chosen fields, no number appears without its certificate', async () => {
    const CERTIFICATES = ['meta', 'listing', 'fetchedAt', 'method'];
    const schema: Shape = { $ref: '#/components/schemas/CryptoPricesReply' };
    const fields = fieldsOf(schema).filter((field) => field.startsWith('prices.') && field.split('.').length === 2);
    await fc.assert(
      fc.asyncProperty(fc.subarray(fields, { minLength: 1 }), async (some) => {
        const answer = await world.s.get(`/api/v1/crypto-prices?limit=3&fields=${some.join(',')}`, {
          'x-api-key': world.key,
        });
        for (const row of answer.json<{ prices: Record<string, unknown>[] }>().prices) {
          const numbers = Object.entries(row).filter(([name, value]) => typeof value === 'number' && name !== 'rank');
          if (numbers.length > 0)
            expect(
              CERTIFICATES.some((name) => name in row),
              some.join(','),
            ).toBe(true);
          if ('price' in row) expect(row).toHaveProperty('meta');
          if ('volume_24h' in row) expect(row).toHaveProperty('listing');
        }
      }),
      { numRuns: RUNS },
    );
  });

  test.each([
    ['a header of 15 kB', { 'x-more': 'x'.repeat(15_000) }],
    ['an If-None-Match of 10 kB', { 'if-none-match': '"x",'.repeat(2500) }],
    ['an Accept of 10 kB', { accept: 'a/b;q=0.1,'.repeat(1000) }],
    ['a Last-Event-ID of words', { 'last-event-id': 'NaN' }],
    ['another key in Authorization', { authorization: 'Bearer mk_live_nothing' }],
  ])('hostile: %s causes no server error', async (_what, headers) => {
    const answer = await world.s.get('/api/v1/crypto-prices?limit=1', { 'x-api-key': world.key, ...headers });
    expect(answer.statusCode).toBeLessThan(500);
  });

  test.each([
    ['the same parameter twice', 'crypto-prices?limit=1&limit=2'],
    ['fields twice', 'crypto-prices?fields=prices&fields=totals'],
    ['two cursors', 'crypto-prices?cursor=a&cursor=b'],
    ['a parameter __proto__', 'crypto-prices?__proto__=1'],
    ['a parameter constructor', 'crypto-prices?constructor=1'],
    ['a parameter with brackets', 'crypto-prices?limit[]=1'],
    ['a cursor of 5,000 letters', `crypto-prices?cursor=${'A'.repeat(5000)}`],
    ['fields 200 levels deep', `crypto-prices?fields=${'prices.'.repeat(200)}price`],
    ['101 fields', `crypto-prices?fields=${Array.from({ length: 101 }, (_, i) => `f${i}`).join(',')}`],
    ['a field without a name', 'crypto-prices?fields=.'],
    ['NUL in a parameter', 'track-record/calls?provider=%00'],
    ['a type that is none', 'history/NOTHING'],
    ['NUL in the path', 'crypto-prices/%00'],
  ])('hostile: %s is 400 in the wire format', async (_what, url) => {
    const answer = await world.s.get(`/api/v1/${url}`, { 'x-api-key': world.key });
    expect([answer.statusCode, apiError.safeParse(answer.json()).success]).toEqual([400, true]);
  });
});
