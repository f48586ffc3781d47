import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';

import { buildOpenApi } from '#features/api/server/api/openapi/document.ts';
import { apiCalls } from '#features/api/server/api/service.ts';

import { generateClient } from '../../scripts/client.ts';
import { apiDocument } from '../../scripts/docs/generate.ts';
import { ROOT } from './support.ts';

type Node = Record<string, unknown>;
const calls = apiCalls({} as never);
const document = buildOpenApi(calls, 'https://meridian.example');
const readProjectFile = (name: string) => readFileSync(join(ROOT, name), 'utf8');

test('the OpenAPI document is valid 3.1', async () => {
  const validator = new Validator();
  const result = await validator.validate(JSON.parse(JSON.stringify(document)) as Node);
  expect([result.valid, result.valid ? [] : result.errors]).toEqual([true, []]);
  expect(validator.version).toBe('3.1');
});

test('every call is documented with a description, a scope, its limits and every error', () => {
  const paths = document['paths'] as Record<string, Record<string, Node>>;
  for (const { endpoint, about } of calls) {
    const operation = paths[endpoint.path.replaceAll(/:(\w+)/g, '{$1}')]?.[endpoint.method.toLowerCase()];
    expect(operation?.['description']).toContain(about);
    expect(operation?.['x-scope']).toBe(endpoint.scope);
    const responses = (operation?.['responses'] ?? {}) as Record<string, { headers?: Node }>;
    expect(Object.keys(responses['200']?.headers ?? {})).toEqual(
      expect.arrayContaining(['ETag', 'RateLimit', 'RateLimit-Policy']),
    );
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(['400', '401', '403', '429', '500', '503']));
    for (const { name, description } of (operation?.['parameters'] ?? []) as { name: string; description: string }[])
      expect(description, `${endpoint.path} ${name}`).not.toBe(name);
  }
});

/** Numbers without a description. */
function undescribedNumbers(value: unknown, path: string, isDescribed = false): string[] {
  if (Array.isArray(value)) return value.flatMap((each) => undescribedNumbers(each, path, isDescribed));
  if (typeof value !== 'object' || value === null) return [];
  const node = value as Node;
  const known = isDescribed || typeof node['description'] === 'string';
  const undescribed = /number|integer/.test(JSON.stringify(node['type'] ?? '')) && !known ? [path] : [];
  const { properties = {}, ...rest } = node as { properties?: Node };
  const inProperties = Object.entries(properties).flatMap(([name, each]) =>
    undescribedNumbers(each, `${path}.${name}`),
  );
  const inOthers = Object.entries(rest).filter(([name]) =>
    ['items', 'anyOf', 'prefixItems', 'additionalProperties'].includes(name),
  );
  return [...undescribed, ...inProperties, ...inOthers.flatMap(([, each]) => undescribedNumbers(each, path, known))];
}

test('every number states its meaning and its unit', () => {
  const { schemas } = document['components'] as { schemas: Node };
  expect(Object.entries(schemas).flatMap(([name, schema]) => undescribedNumbers(schema, name))).toEqual([]);
});

test('docs/api.md matches the calls', () => {
  expect(readProjectFile('docs/api.md')).toBe(apiDocument());
});

test('the TypeScript client matches the document', () => {
  expect(readProjectFile('clients/typescript/client.ts')).toBe(generateClient());
});
