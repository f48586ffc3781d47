import { spawnSync } from 'node:child_process';

import { buildOpenApi } from '#features/api/server/api/openapi/document.ts';
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
const lastSegment = (reference: string) => reference.split('/').at(-1) as string;
const doc = (text: string | undefined) =>
  text ? `/** ${text.replaceAll('*/', '* /').replaceAll('\n\n', ' ')} */\n` : '';

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
const singular = (name: string) => name.replace(/ies$/, 'y').replace(/s$/, '');
const typeName = (property: string) =>
  capital(property.replaceAll(/[^a-z0-9]+([a-z0-9])/gi, (_all, c: string) => c.toUpperCase()));

/** Names used by the client and by the language. */
const RESERVED = 'ApiRefusal Array Asked Chosen ClientOptions Error Map Part Promise Record Response Set'.split(' ');

/** Repeated shapes of the document, each a type named after the first property that has it. */
class Shapes {
  readonly #counts = new Map<string, number>();
  readonly #names = new Map<string, string>();
  readonly #usedNames: Set<string>;
  readonly declarations: string[] = [];
  /** The schema being declared, which cannot refer to itself. */
  declaring: string | undefined;

  constructor(taken: Iterable<string>) {
    this.#usedNames = new Set(taken);
  }

  /** A schema of the document keeps its name. */
  own(text: string, name: string): void {
    if (!this.#names.has(text)) this.#names.set(text, name);
  }

  count(text: string): void {
    this.#counts.set(text, (this.#counts.get(text) ?? 0) + 1);
  }

  /** The name of a repeated shape, or its own text. Shapes are equal when their text without names is. */
  nameOf(text: string, path: readonly string[], body: () => string): string {
    const known = this.#names.get(text);
    if (known === this.declaring) this.declaring = undefined;
    else if (known) return known;
    if (known || (this.#counts.get(text) ?? 0) < 2) return body();
    const names = path.toReversed().map((_each, i) =>
      path
        .slice(path.length - 1 - i)
        .map(typeName)
        .join(''),
    );
    const last = names.at(-1) ?? 'Shape';
    const numbered = Array.from({ length: 99 }, (_each, i) => `${last}${i + 2}`);
    const name = [...names, ...numbered].find((each) => !this.#usedNames.has(each)) as string;
    this.#usedNames.add(name);
    this.#names.set(text, name);
    this.declarations.push(`export type ${name} = ${body()};\n`);
    return name;
  }
}

/** A JSON Schema as a type. `path` has the names of the enclosing properties. */
function renderType(schema: Schema, path: readonly string[] = [], shapes?: Shapes, isCounting = false): string {
  const render = (each: Schema, parentPath = path) => renderType(each, parentPath, shapes, isCounting);
  if (schema.$ref) return lastSegment(schema.$ref);
  if ('const' in schema) return quoted(schema['const']);
  if (schema.enum) return schema.enum.map(quoted).join(' | ');
  if (schema.anyOf) return schema.anyOf.map((each) => render(each)).join(' | ');
  if (Array.isArray(schema.type)) return schema.type.map((type) => render({ ...schema, type })).join(' | ');
  if (schema.prefixItems) return `[${schema.prefixItems.map((each) => render(each)).join(', ')}]`;
  if (schema.type === 'array')
    return `Array<${render(schema.items ?? {}, [...path.slice(0, -1), singular(path.at(-1) ?? '')])}>`;
  if (schema.type === 'object') return renderObject(schema, path, shapes, isCounting);
  if (schema.type === 'integer' || schema.type === 'number') return 'number';
  return schema.type ?? 'unknown';
}

function renderObject(
  schema: Schema,
  path: readonly string[],
  shapes: Shapes | undefined,
  isCounting: boolean,
): string {
  const { properties, required = [], additionalProperties, propertyNames } = schema;
  if (!properties) {
    const names = propertyNames?.enum?.map(quoted).join(' | ') ?? 'string';
    const value =
      typeof additionalProperties === 'object' ? renderType(additionalProperties, path, shapes, isCounting) : 'unknown';
    return `Record<${names}, ${value}>`;
  }
  const body = (nested: Shapes | undefined) => {
    const fields = Object.entries(properties).map(
      ([name, each]) =>
        `${doc(each.description)}${quoted(name)}${required.includes(name) ? '' : '?'}: ${renderType(each, [...path, name], nested, isCounting)};\n`,
    );
    return `{\n${fields.join('')}}`;
  };
  const isSmall = Object.keys(properties).length < 2;
  if (!shapes || isSmall) return body(shapes);
  if (isCounting) {
    const text = body(shapes);
    shapes.count(text);
    return text;
  }
  return shapes.nameOf(body(undefined), path, () => body(shapes));
}

function renderMethods(
  path: string,
  method: string,
  operation: Operation,
  type: (schema: Schema, parentPath: readonly string[]) => string,
): { types: string; text: string } {
  const { operationId, summary, description, parameters, requestBody, responses } = operation;
  const pathParameters = parameters.filter((each) => each.in === 'path');
  const query = parameters.filter((each) => each.in === 'query' && each.name !== 'format');
  const queryType = `${capital(operationId)}Query`;
  const types =
    query.length === 0
      ? ''
      : `export type ${queryType} = {\n${query
          .map(
            (each) =>
              `${doc(each.description)}${each.name}${each.required ? '' : '?'}: ${type(each.schema, [operationId, each.name])};\n`,
          )
          .join('')}};\n`;
  const address = quoted(path).replaceAll(/\{(\w+)\}/g, (_all, name: string) => `\${encodeURIComponent(${name})}`);
  const url = pathParameters.length > 0 ? `\`${address.slice(1, -1)}\`` : address;
  const args = pathParameters.map(({ name, schema }) => `${name}: ${type(schema, [operationId])}`);
  const isOptional = query.every(({ required }) => !required);
  const { content } = responses['200'];
  const comment = doc(`${summary}. ${description}`);
  if (requestBody) {
    const body = type(requestBody.content['application/json'].schema, [operationId, 'body']);
    const reply = type(content['application/json']?.schema ?? {}, [operationId]);
    const all = [...args, `body: ${body}`].join(', ');
    return {
      types,
      text: `${comment}async ${operationId}(${all}): Promise<${reply}> {\nreturn (await this.ask('${method.toUpperCase()}', ${url}, { body })).json() as Promise<${reply}>;\n}\n`,
    };
  }
  const queryParameter = (type: string) => (query.length === 0 ? [] : [`query: ${type}${isOptional ? ' = {}' : ''}`]);
  const requestOptions = query.length === 0 ? '{}' : '{ query }';
  if (!content['application/json'])
    return {
      types,
      text: `${comment}async ${operationId}(${[...args, ...queryParameter(queryType)].join(', ')}): Promise<Response> {\nreturn this.ask('GET', ${url}, { ...${requestOptions}, accept: 'text/event-stream' });\n}\n`,
    };
  const reply = type(content['application/json'].schema, [operationId]);
  const selectsFields = query.some(({ name }) => name === 'fields');
  const generic = selectsFields ? `<const Q extends ${queryType}>` : '';
  const result = selectsFields ? `Chosen<Q, ${reply}>` : reply;
  const parameter = selectsFields ? [`query${isOptional ? '?' : ''}: Q`] : queryParameter(queryType);
  const read = `${comment}async ${operationId}${generic}(${[...args, ...parameter].join(', ')}): Promise<${result}> {\nreturn (await this.ask('GET', ${url}, ${requestOptions})).json() as Promise<${result}>;\n}\n`;
  const csv = content['text/csv']
    ? `/** ${summary}, as CSV. */\nasync ${operationId}Csv(${[...args, ...queryParameter(queryType)].join(', ')}): Promise<string> {\nreturn (await this.ask('GET', ${url}, { ...${requestOptions}, accept: 'text/csv' })).text();\n}\n`
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

function format(text: string): string {
  const { stdout, status, stderr } = spawnSync(
    process.execPath,
    ['node_modules/@biomejs/biome/bin/biome', 'check', '--write', '--stdin-file-path=clients/typescript/client.ts'],
    { input: text, encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`The client could not be formatted: ${stderr}`);
  return stdout;
}

/** clients/typescript/client.ts, generated from the document. */
export function generateClient(): string {
  const { paths, components } = buildOpenApi(apiCalls({} as never), 'https://meridian.example') as unknown as Document;
  const shapes = new Shapes([...Object.keys(components.schemas), ...RESERVED]);
  const render = (isCounting: boolean) => {
    const type = (schema: Schema, parentPath: readonly string[]) => renderType(schema, parentPath, shapes, isCounting);
    const types = Object.entries(components.schemas).map(([name, schema]) => {
      shapes.declaring = name;
      return `${doc(schema.description)}export type ${name} = ${type(schema, [name])};\n`;
    });
    const methods = Object.entries(paths).flatMap(([path, byMethod]) =>
      Object.entries(byMethod).map(([method, operation]) => renderMethods(path, method, operation, type)),
    );
    return { types, methods };
  };
  for (const [name, schema] of Object.entries(components.schemas)) shapes.own(renderType(schema), name);
  render(true);
  const { types, methods } = render(false);
  return format(
    [
      HEAD,
      ...types,
      ...shapes.declarations,
      ...methods.map(({ types }) => types),
      CLASS,
      ...methods.map(({ text }) => `\n${text}`),
      '}\n',
    ].join('\n'),
  );
}
