/** The subset of OpenAPI 3.1 that the page uses; the rest is ignored. */
export type Schema = {
  $ref?: string;
  type?: string | readonly string[];
  format?: string;
  title?: string;
  description?: string;
  const?: unknown;
  enum?: readonly unknown[];
  default?: unknown;
  examples?: readonly unknown[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  additionalProperties?: Schema | boolean;
  items?: Schema | boolean;
  prefixItems?: readonly Schema[];
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  allOf?: readonly Schema[];
};

export type Parameter = {
  name: string;
  in: 'query' | 'path' | 'header' | 'cookie';
  required?: boolean;
  description?: string;
  schema?: Schema;
  example?: unknown;
};

type Content = Readonly<Record<string, { schema?: Schema; example?: unknown }>>;
type Answer = { description?: string; content?: Content; headers?: Readonly<Record<string, unknown>> };
type Reference = { $ref: string };

type Operation = {
  operationId?: string;
  tags?: readonly string[];
  summary?: string;
  description?: string;
  parameters?: readonly (Parameter | Reference)[];
  requestBody?: { required?: boolean; content?: Content } | Reference;
  responses?: Readonly<Record<string, Answer | Reference>>;
  security?: readonly Readonly<Record<string, readonly string[]>>[];
  'x-scope'?: string;
  'x-plan'?: string;
};

export type OpenApi = {
  openapi: string;
  info: { title: string; version: string; description?: string };
  tags?: readonly { name: string; description?: string }[];
  paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  components?: Readonly<Record<string, unknown>>;
};

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** One call for display, with references resolved. */
export type Call = {
  /** Its id in the page URL: 'get-crypto-prices'. */
  id: string;
  /** Its name in clients. */
  name: string | null;
  tag: string;
  method: string;
  path: string;
  summary: string;
  description: string;
  scope: string | null;
  plan: string | null;
  parameters: readonly Parameter[];
  body: { schema: Schema; example: unknown } | null;
  /** The successful response by media type, such as 'application/json'. */
  answers: readonly (readonly [kind: string, schema: Schema | null])[];
  errors: readonly (readonly [status: string, words: string])[];
};

/** Resolves a reference; an empty object if it does not exist. */
export function follow<T extends object>(document: OpenApi, node: T | Reference): T {
  if (!('$ref' in node) || typeof node.$ref !== 'string') return node as T;
  const steps = node.$ref.replace(/^#\//, '').split('/');
  let at: unknown = document;
  for (const step of steps)
    at = (at as Record<string, unknown> | undefined)?.[step.replaceAll('~1', '/').replaceAll('~0', '~')];
  return (at ?? {}) as T;
}

const callId = (method: string, path: string): string =>
  `${method} ${path.replace(/^\/api(\/v1)?/, '')}`
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

/** The scope is an extension field, or comes with the call's security requirement. */
const callScope = ({ 'x-scope': scope, security }: Operation): string | null =>
  scope ?? security?.flatMap((each) => Object.values(each).flat())[0] ?? null;

function toCall(document: OpenApi, method: string, path: string, operation: Operation): Call {
  const answers = Object.entries(operation.responses ?? {}).map(
    ([status, answer]) => [status, follow<Answer>(document, answer)] as const,
  );
  const good = answers.filter(([status]) => status.startsWith('2'));
  const body = operation.requestBody && follow<{ content?: Content }>(document, operation.requestBody);
  const sent = Object.values(body?.content ?? {})[0];
  return {
    id: callId(method, path),
    name: operation.operationId ?? null,
    tag: operation.tags?.[0] ?? 'Other',
    method: method.toUpperCase(),
    path,
    summary: operation.summary ?? `${method.toUpperCase()} ${path}`,
    description: operation.description ?? '',
    scope: callScope(operation),
    plan: operation['x-plan'] ?? null,
    parameters: (operation.parameters ?? []).map((each) => follow<Parameter>(document, each)),
    body: sent?.schema ? { schema: sent.schema, example: sent.example } : null,
    answers: good.flatMap(([, { content }]) =>
      Object.entries(content ?? {}).map(([kind, { schema }]) => [kind, schema ?? null] as const),
    ),
    errors: answers
      .filter(([status]) => !status.startsWith('2'))
      .map(([status, { description }]) => [status, description ?? ''] as const),
  };
}

/** Every call of the document, in its order. */
export function callsIn(document: OpenApi): Call[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => method in item).map((method) =>
      toCall(document, method, path, item[method] as Operation),
    ),
  );
}

/** Calls by tag, in the order of the tags of the document. */
export function byTag(document: OpenApi, calls: readonly Call[]): (readonly [tag: string, calls: Call[]])[] {
  const known = document.tags?.map(({ name }) => name) ?? [];
  const tags = [...new Set([...known, ...calls.map(({ tag }) => tag)])];
  return tags
    .map((tag) => [tag, calls.filter((call) => call.tag === tag)] as const)
    .filter(([, inside]) => inside.length > 0);
}

const searchText = ({ method, path, summary, description, tag, parameters }: Call): string =>
  [method, path, summary, description, tag, ...parameters.map(({ name }) => name)].join(' ').toLowerCase();

/** Every word must occur somewhere in the call's texts. */
export function matching(calls: readonly Call[], text: string): Call[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return calls.filter((call) => {
    const all = searchText(call);
    return words.every((word) => all.includes(word));
  });
}
