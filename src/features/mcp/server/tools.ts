import type { StandardSchemaWithJSON, ToolAnnotations } from '@modelcontextprotocol/server';
import type { z } from 'zod/mini';

import type { ApiCall } from '#features/api/server/service.ts';
import { AppError } from '#server/platform/errors.ts';
import { wordsOf } from '#server/platform/route.ts';
import type { ApiScope } from '#shared/contract.ts';
import type { Say } from './say.ts';
import { joinInputs, jsonSchemaOf, toldSchema } from './schemas.ts';
import { TOOL_WORDS } from './words.ts';

type Parts = { params: unknown; query: unknown; body: unknown };

/** One call of the public API as an assistant may use it. */
export type Tool = {
  name: string;
  title: string;
  description: string;
  scope: ApiScope;
  annotations: ToolAnnotations;
  inputSchema: StandardSchemaWithJSON;
  outputSchema: StandardSchemaWithJSON;
  /** @throws AppError 400 in the words of the contract */
  parse: (given: unknown) => Parts;
  answer: ApiCall['answer'];
  reply: z.ZodMiniType;
  /** The answer for people: figures with source and age. */
  say: Say;
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function parsed(schema: z.ZodMiniType | undefined, value: Record<string, unknown>): unknown {
  if (!schema) return undefined;
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  throw new AppError('bad_request', wordsOf(issue?.message ?? 'Bad request', issue?.path ?? []));
}

const fieldsOf = (schema: z.ZodMiniType | undefined): string[] => {
  const shape = (schema as z.ZodMiniObject | undefined)?.def.shape;
  return shape ? Object.keys(shape) : [];
};

/** Several pages of one answer, or a part of its fields, are for programs: they would not fit the schema that is told. */
function toolOf({ endpoint, answer }: ApiCall, { left = [], ...words }: (typeof TOOL_WORDS)[string]): Tool {
  const { params, query, body, reply, scope, method } = endpoint;
  const parts = [params, query, body];
  const input = joinInputs(parts);
  for (const name of left) delete (input['properties'] as Record<string, unknown>)[name];
  const known = new Set(Object.keys(input['properties'] as object));
  const pick = (schema: z.ZodMiniType | undefined, given: Record<string, unknown>) =>
    Object.fromEntries(fieldsOf(schema).flatMap((name) => (name in given ? [[name, given[name]]] : [])));
  const isReading = words.isReading ?? method === 'GET';
  return {
    ...words,
    scope,
    annotations: {
      title: words.title,
      readOnlyHint: isReading,
      destructiveHint: false,
      idempotentHint: isReading,
      openWorldHint: false,
    },
    inputSchema: toldSchema(input),
    outputSchema: toldSchema(jsonSchemaOf(reply, 'output')),
    parse(given) {
      if (given !== undefined && !isObject(given)) throw new AppError('bad_request', 'Arguments are an object');
      const named = given ?? {};
      const unknown = Object.keys(named).find((name) => !known.has(name));
      if (unknown !== undefined) {
        const takes = known.size > 0 ? `it takes ${[...known].join(', ')}` : 'it takes none';
        throw new AppError('bad_request', `There is no argument ${JSON.stringify(unknown.slice(0, 40))}: ${takes}`);
      }
      return {
        params: parsed(params, pick(params, named)),
        query: parsed(query, pick(query, named)),
        body: parsed(body, pick(body, named)),
      };
    },
    answer,
    reply,
  };
}

export const keyOf = ({ endpoint: { method, path } }: ApiCall): string => `${method} ${path}`;

/** The tools, in the order of the calls. */
export function toolsOf(calls: readonly ApiCall[]): Tool[] {
  return calls.flatMap((call) => {
    const words = TOOL_WORDS[keyOf(call)];
    return words ? [toolOf(call, words)] : [];
  });
}
