import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { z } from 'zod/mini';

type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;

/** Drops patterns that repeat `format`: they would be half of what an assistant has to read. */
function lean(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(lean);
  if (!isObject(node)) return node;
  const isNamed = typeof node['format'] === 'string' && typeof node['pattern'] === 'string';
  const entries = Object.entries(node).filter(([key]) => key !== '$schema' && !(isNamed && key === 'pattern'));
  return Object.fromEntries(entries.map(([key, value]) => [key, lean(value)]));
}

/** The JSON Schema (2020-12) of a contract, for input or output. */
export function toJsonSchema(schema: z.ZodMiniType, io: 'input' | 'output'): Json {
  return lean(z.toJSONSchema(schema, { io, unrepresentable: 'any', reused: 'ref' })) as Json;
}

/** Passed to clients unchanged; values are validated by the contract, with our own messages. */
export function documentedSchema(json: Json): StandardSchemaWithJSON {
  const withDescriptions = () => json;
  return {
    '~standard': {
      version: 1,
      vendor: 'contract',
      validate: (value) => ({ value }),
      jsonSchema: { input: withDescriptions, output: withDescriptions },
    },
  };
}

/** Merges the inputs of a call into one object. */
export function joinInputs(parts: readonly (z.ZodMiniType | undefined)[]): Json {
  const properties: Json = {};
  const required: string[] = [];
  const definitions: Json = {};
  for (const [i, part] of parts.entries()) {
    if (!part) continue;
    const text = JSON.stringify(toJsonSchema(part, 'input')).replaceAll('#/$defs/', `#/$defs/p${i}_`);
    const json = JSON.parse(text) as { properties?: Json; required?: string[]; $defs?: Json };
    for (const [name, value] of Object.entries(json.properties ?? {})) {
      if (name in properties) throw new Error(`Two parts of a call take ${name}`);
      properties[name] = value;
    }
    required.push(...(json.required ?? []));
    for (const [name, value] of Object.entries(json.$defs ?? {})) definitions[`p${i}_${name}`] = value;
  }
  return {
    type: 'object',
    properties,
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
    ...(Object.keys(definitions).length > 0 ? { $defs: definitions } : {}),
  };
}
