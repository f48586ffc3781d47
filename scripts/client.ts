import { spawnSync } from 'node:child_process';

import { openApiOf } from '#features/api/server/api/openapi/document.ts';
import { apiCalls } from '#features/api/server/api/service.ts';

type Schema = Record<string, unknown> & {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  propertyNames?: Schema;
  items?: Schema;
  prefixItems?: Schema[];
  anyOf?: Schema[];
  enum?: unknown[];
  description?: string;
};
type Parameter = { name: string; in: string; required: boolean; description: string; schema: Schema };
type Operation = {
  operationId: string;
  summary: string;
  description: string;
  parameters: Parameter[];
  requestBody?: { content: { 'application/json': { schema: Schema } } };
  responses: { '200': { content: Record<string, { schema: Schema }> } };
};
type Document = { paths: Record<string, Record<string, Operation>>; components: { schemas: Record<string, Schema> } };

const quoted = (value: unknown) => JSON.stringify(value);
const nameIn = (reference: string) => reference.split('/').at(-1) as string;
const doc = (text: string | undefined) =>
  text ? `/** ${text.replaceAll('*/', '* /').replaceAll('\n\n', ' ')} */\n` : '';

/** A JSON Schema as a type. */
function typeOf(schema: Schema): string {
  if (schema.$ref) return nameIn(schema.$ref);
  if ('const' in schema) return quoted(schema['const']);
  if (schema.enum) return schema.enum.map(quoted).join(' | ');
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' | ');
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeOf({ ...schema, type })).join(' | ');
  if (schema.prefixItems) return `[${schema.prefixItems.map(typeOf).join(', ')}]`;
  if (schema.type === 'array') return `Array<${typeOf(schema.items ?? {})}>`;
  if (schema.type === 'object') return objectOf(schema);
  if (schema.type === 'integer' || schema.type === 'number') return 'number';
  return schema.type ?? 'unknown';
}

function objectOf({ properties, required = [], additionalProperties, propertyNames }: Schema): string {
  if (!properties) {
    const names = propertyNames?.enum?.map(quoted).join(' | ') ?? 'string';
    return `Record<${names}, ${typeof additionalProperties === 'object' ? typeOf(additionalProperties) : 'unknown'}>`;
  }
  const fields = Object.entries(properties).map(
    ([name, each]) =>
      `${doc(each.description)}${quoted(name)}${required.includes(name) ? '' : '?'}: ${typeOf(each)};\n`,
  );
  return `{\n${fields.join('')}}`;
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

function methodsOf(path: string, method: string, operation: Operation): { types: string; text: string } {
  const { operationId, summary, description, parameters, requestBody, responses } = operation;
  const places = parameters.filter((each) => each.in === 'path');
  const query = parameters.filter((each) => each.in === 'query' && each.name !== 'format');
  const queryType = `${capital(operationId)}Query`;
  const types =
    query.length === 0
      ? ''
      : `export type ${queryType} = {\n${query
          .map((each) => `${doc(each.description)}${each.name}${each.required ? '' : '?'}: ${typeOf(each.schema)};\n`)
          .join('')}};\n`;
  const address = quoted(path).replaceAll(/\{(\w+)\}/g, (_all, name: string) => `\${encodeURIComponent(${name})}`);
  const url = places.length > 0 ? `\`${address.slice(1, -1)}\`` : address;
  const args = places.map(({ name, schema }) => `${name}: ${typeOf(schema)}`);
  const isOptional = query.every(({ required }) => !required);
  const { content } = responses['200'];
  const comment = doc(`${summary}. ${description}`);
  if (requestBody) {
    const body = typeOf(requestBody.content['application/json'].schema);
    const reply = typeOf(content['application/json']?.schema ?? {});
    const all = [...args, `body: ${body}`].join(', ');
    return {
      types,
      text: `${comment}async ${operationId}(${all}): Promise<${reply}> {\nreturn (await this.ask('${method.toUpperCase()}', ${url}, { body })).json() as Promise<${reply}>;\n}\n`,
    };
  }
  const asked = (type: string) => (query.length === 0 ? [] : [`query: ${type}${isOptional ? ' = {}' : ''}`]);
  const given = query.length === 0 ? '{}' : '{ query }';
  if (!content['application/json'])
    return {
      types,
      text: `${comment}async ${operationId}(${[...args, ...asked(queryType)].join(', ')}): Promise<Response> {\nreturn this.ask('GET', ${url}, { ...${given}, accept: 'text/event-stream' });\n}\n`,
    };
  const reply = typeOf(content['application/json'].schema);
  const chosen = query.some(({ name }) => name === 'fields');
  const generic = chosen ? `<const Q extends ${queryType}>` : '';
  const result = chosen ? `Chosen<Q, ${reply}>` : reply;
  const parameter = chosen ? [`query${isOptional ? '?' : ''}: Q`] : asked(queryType);
  const read = `${comment}async ${operationId}${generic}(${[...args, ...parameter].join(', ')}): Promise<${result}> {\nreturn (await this.ask('GET', ${url}, ${given})).json() as Promise<${result}>;\n}\n`;
  const csv = content['text/csv']
    ? `/** ${summary}, as CSV. */\nasync ${operationId}Csv(${[...args, ...asked(queryType)].join(', ')}): Promise<string> {\nreturn (await this.ask('GET', ${url}, { ...${given}, accept: 'text/csv' })).text();\n}\n`
    : '';
  return { types, text: read + csv };
}

const HEAD = `// Generated from the OpenAPI document by \`npm run docs\`. Do not edit.

/** A response reduced to the selected fields. */
type Part<T> = T extends Array<infer Item> ? Array<Part<Item>> : T extends object ? { [Key in keyof T]?: Part<T[Key]> } : T;
type Chosen<Q, T> = Q extends { fields: string } ? Part<T> : T;
type Asked = { query?: object | undefined; body?: unknown; accept?: string };

export type ClientOptions = {
  /** Base URL of the API, such as https://meridian.example */
  baseUrl: string;
  /** mk_live_… */
  apiKey: string;
  fetch?: typeof fetch;
  /** Called with every response, for headers such as RateLimit, ETag and Link. */
  onResponse?: (response: Response) => void;
};

/** An error response with the message and code of the API. */
export class ApiRefusal extends Error {
  readonly status: number;
  readonly code: ApiError['code'];
  /** Seconds to wait before retrying; null if not given. */
  readonly retryAfterSeconds: number | null;

  constructor(status: number, { error, code }: ApiError, retryAfterSeconds: number | null) {
    super(error);
    this.name = 'ApiRefusal';
    this.status = status;
    this.code = code;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Iterates over all pages of a list. */
export async function* pages<Q extends { cursor?: string | undefined }, R extends { nextCursor: string | null }>(
  read: (query: Q) => Promise<R>,
  query: Q,
): AsyncGenerator<R> {
  let cursor: string | null | undefined = query.cursor;
  do {
    const page: R = await read(cursor === undefined ? query : { ...query, cursor });
    yield page;
    cursor = page.nextCursor;
  } while (cursor !== null);
}
`;

const CLASS = `export class MeridianClient {
  readonly #options: ClientOptions;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  /** Sends any request. @throws ApiRefusal for every error response */
  async ask(method: string, path: string, { query = {}, body, accept = 'application/json' }: Asked): Promise<Response> {
    const { baseUrl, apiKey, fetch: own = fetch, onResponse } = this.#options;
    const url = new URL(path, baseUrl);
    for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, String(value));
    const response = await own(url, {
      method,
      headers: { accept, 'x-api-key': apiKey, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    onResponse?.(response);
    if (response.ok) return response;
    const after = response.headers.get('retry-after');
    throw new ApiRefusal(response.status, (await response.json()) as ApiError, after === null ? null : Number(after));
  }
`;

function formatted(text: string): string {
  const { stdout, status, stderr } = spawnSync(
    process.execPath,
    ['node_modules/@biomejs/biome/bin/biome', 'check', '--write', '--stdin-file-path=clients/typescript/client.ts'],
    { input: text, encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`The client could not be formatted: ${stderr}`);
  return stdout;
}

/** clients/typescript/client.ts, made from the document. */
export function clientText(): string {
  const { paths, components } = openApiOf(apiCalls({} as never), 'https://meridian.example') as unknown as Document;
  const types = Object.entries(components.schemas).map(
    ([name, schema]) => `${doc(schema.description)}export type ${name} = ${typeOf(schema)};\n`,
  );
  const methods = Object.entries(paths).flatMap(([path, byMethod]) =>
    Object.entries(byMethod).map(([method, operation]) => methodsOf(path, method, operation)),
  );
  return formatted(
    [
      HEAD,
      ...types,
      ...methods.map(({ types }) => types),
      CLASS,
      ...methods.map(({ text }) => `\n${text}`),
      '}\n',
    ].join('\n'),
  );
}
