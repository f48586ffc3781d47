import type { StandardSchemaWithJSON, ToolAnnotations } from '@modelcontextprotocol/server';
import type { z } from 'zod/mini';

import { type ApiCall, apiInput } from '#features/api/server/service.ts';
import { AppError } from '#server/platform/errors.ts';

import type { Teller } from './say.ts';
import { joinInputs, jsonSchemaOf, toldSchema } from './schemas.ts';
import { TOOL_WORDS, type ToolWords } from './words.ts';

/** One call of the public API as an assistant may use it. */
export type Tool = {
  name: string;
  title: string;
  description: string;
  endpoint: ApiCall['endpoint'];
  annotations: ToolAnnotations;
  inputSchema: StandardSchemaWithJSON;
  outputSchema: StandardSchemaWithJSON;
  /** @throws AppError 400 in the words of the contract */
  parse: (given: unknown) => { params: unknown; query: unknown; body: unknown };
  answer: ApiCall['answer'];
  /** The answer for people: figures with source and age. */
  say: (answer: unknown, teller: Teller) => string;
};

type Given = Record<string, unknown>;

const isObject = (value: unknown): value is Given =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A part of the fields, or another format, would not fit the schema that is told. */
const FOR_PROGRAMS = ['fields', 'format'];
const CERTIFICATE = 'Figures carry source and moment of observation in `meta`; name both when you repeat one.';

/** Texts as an address would hold them: the contract reads numbers from texts there. */
const inAddress = (value: unknown): unknown => (typeof value === 'number' ? String(value) : value);

function toolOf(call: ApiCall, { name, isReading = true, limit, say }: ToolWords): Tool {
  const { endpoint, summary, about, answer } = call;
  const { params, query, body, reply } = endpoint;
  const input = joinInputs([params, query, body]);
  const properties = input['properties'] as Record<string, Given>;
  for (const unused of FOR_PROGRAMS) delete properties[unused];
  if (limit !== undefined && properties['limit']) properties['limit']['default'] = limit;
  const known = Object.keys(properties);
  const namesOf = (part: z.ZodMiniType | undefined) => Object.keys((part as z.ZodMiniObject | undefined)?.shape ?? {});
  const pick = (part: z.ZodMiniType | undefined, given: Given) =>
    Object.fromEntries(namesOf(part).flatMap((each) => (Object.hasOwn(given, each) ? [[each, given[each]]] : [])));
  return {
    name,
    title: summary,
    description: `${about} ${CERTIFICATE}`,
    endpoint,
    annotations: {
      title: summary,
      readOnlyHint: isReading,
      destructiveHint: false,
      idempotentHint: isReading,
      openWorldHint: false,
    },
    inputSchema: toldSchema(input),
    outputSchema: toldSchema(jsonSchemaOf(reply, 'output')),
    parse(given = {}) {
      if (!isObject(given)) throw new AppError('bad_request', 'Arguments are an object');
      const stranger = Object.keys(given).find((each) => !known.includes(each));
      if (stranger !== undefined) {
        const takes = known.length > 0 ? `it takes ${known.join(', ')}` : 'it takes none';
        throw new AppError('bad_request', `There is no argument "${stranger.slice(0, 40)}": ${takes}`);
      }
      const usual = limit === undefined ? given : { limit, ...given };
      const asked = Object.entries(pick(query, usual)).map(([each, value]) => [each, inAddress(value)]);
      const parts = { params: pick(params, given), query: Object.fromEntries(asked) as Given, body: pick(body, given) };
      return apiInput(call, parts);
    },
    answer,
    say: say as Tool['say'],
  };
}

const keyOf = ({ endpoint: { method, path } }: ApiCall): string => `${method} ${path}`;

/** The tools, in the order of the calls. */
export function toolsOf(calls: readonly ApiCall[]): Tool[] {
  return calls.flatMap((call) => {
    const words = TOOL_WORDS[keyOf(call)];
    return words ? [toolOf(call, words)] : [];
  });
}
