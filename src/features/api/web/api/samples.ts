import type { Call } from './document.ts';

/** Form values: parameters by name, and the body as text. */
export type Inputs = { values: Readonly<Record<string, string>>; body: string };

export const NO_INPUTS: Inputs = { values: {}, body: '' };
export const KEY_NAME = 'MERIDIAN_KEY';

/** The URL of a call: empty parameters are omitted, and missing path parameters stay in braces. */
export function buildUrl({ path, parameters }: Call, { values }: Inputs): string {
  const filled = path.replace(/\{(\w+)\}/g, (braced, name: string) =>
    values[name] ? encodeURIComponent(values[name]) : braced,
  );
  const query = new URLSearchParams(
    parameters
      .filter(({ in: place, name }) => place === 'query' && values[name])
      .map(({ name }) => [name, values[name] ?? '']),
  ).toString();
  return query ? `${filled}?${query}` : filled;
}

/** Missing path parameters. */
export const missingIn = ({ parameters }: Call, { values }: Inputs): string[] =>
  parameters
    .filter(({ in: place, required, name }) => (place === 'path' || required) && !values[name])
    .map(({ name }) => name);

const quoted = (text: string) => JSON.stringify(text);
const shellQuoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;
const requestBody = ({ body }: Call, inputs: Inputs): string | null =>
  body && inputs.body.trim() ? inputs.body.trim() : null;

type Kind = 'json' | 'text' | 'stream';

/** Type of the response: a stream continues, CSV is text. */
const bodyKind = ({ answers }: Call, { values }: Inputs): Kind => {
  if (answers.some(([kind]) => kind === 'text/event-stream')) return 'stream';
  return values['format'] === 'csv' ? 'text' : 'json';
};

function curl(call: Call, inputs: Inputs, origin: string): string {
  const body = requestBody(call, inputs);
  const lines = [
    `curl ${bodyKind(call, inputs) === 'stream' ? '-N ' : ''}${call.method === 'GET' ? '' : `-X ${call.method} `}${shellQuoted(origin + buildUrl(call, inputs))}`,
    `-H "X-API-Key: $${KEY_NAME}"`,
    ...(body === null ? [] : ["-H 'Content-Type: application/json'", `-d ${shellQuoted(body)}`]),
  ];
  return lines.join(' \\\n  ');
}

const indent = (text: string, by: string) => text.replaceAll('\n', `\n${by}`);

const TYPESCRIPT_READS: Record<Kind, readonly string[]> = {
  json: ['const data = await response.json();'],
  text: ['const text = await response.text();'],
  stream: [
    'for await (const text of response.body!.pipeThrough(new TextDecoderStream())) {',
    '  process.stdout.write(text);',
    '}',
  ],
};

function typescript(call: Call, inputs: Inputs, origin: string): string {
  const body = requestBody(call, inputs);
  return [
    `const response = await fetch(${quoted(origin + buildUrl(call, inputs))}, {`,
    ...(call.method === 'GET' ? [] : [`  method: '${call.method}',`]),
    `  headers: {`,
    `    'X-API-Key': process.env.${KEY_NAME}!,`,
    ...(body === null ? [] : [`    'Content-Type': 'application/json',`]),
    `  },`,
    ...(body === null ? [] : [`  body: JSON.stringify(${indent(body, '  ')}),`]),
    `});`,
    `if (!response.ok) throw new Error(\`\${response.status}: \${(await response.json()).error}\`);`,
    ...TYPESCRIPT_READS[bodyKind(call, inputs)],
  ].join('\n');
}

const isNumber = (type: unknown) => type === 'integer' || type === 'number';

/** Arguments of a client method: the path parameters, then the query or the body. */
function givenTo(call: Call, inputs: Inputs, kind: Kind): string {
  const places = call.parameters
    .filter(({ in: place }) => place === 'path')
    .map(({ name }) => inputs.values[name] ?? '');
  const query = call.parameters.flatMap(({ in: place, name, schema }) => {
    const value = inputs.values[name];
    if (place !== 'query' || !value || (kind === 'text' && name === 'format')) return [];
    return `${name}: ${isNumber(schema?.type) ? value : quoted(value)}`;
  });
  const body = requestBody(call, inputs);
  return [
    ...places.map(quoted),
    ...(query.length > 0 ? [`{ ${query.join(', ')} }`] : []),
    ...(body ? [body] : []),
  ].join(', ');
}

function client(call: Call, inputs: Inputs, origin: string): string {
  const kind = bodyKind(call, inputs);
  const method = `${call.name}${kind === 'text' ? 'Csv' : ''}`;
  const result = { json: 'data', text: 'text', stream: 'response' }[kind];
  return [
    `import { MeridianClient } from './client.ts';`,
    '',
    `const meridian = new MeridianClient({ baseUrl: ${quoted(origin)}, apiKey: process.env.${KEY_NAME} ?? '' });`,
    '',
    `const ${result} = await meridian.${method}(${givenTo(call, inputs, kind)});`,
    ...(kind === 'stream' ? TYPESCRIPT_READS.stream : []),
  ].join('\n');
}

const PYTHON_READS: Record<Kind, readonly string[]> = {
  json: ['data = response.json()'],
  text: ['text = response.text'],
  stream: ['for line in response.iter_lines(decode_unicode=True):', '    print(line)'],
};

function python(call: Call, inputs: Inputs, origin: string): string {
  const body = requestBody(call, inputs);
  return [
    'import json',
    'import os',
    '',
    'import requests',
    '',
    `response = requests.${call.method.toLowerCase()}(`,
    `    ${quoted(origin + buildUrl(call, inputs))},`,
    `    headers={"X-API-Key": os.environ["${KEY_NAME}"]},`,
    ...(body === null ? [] : [`    json=json.loads(${quoted(body)}),`]),
    ...(bodyKind(call, inputs) === 'stream' ? ['    stream=True,'] : []),
    '    timeout=30,',
    ')',
    'response.raise_for_status()',
    ...PYTHON_READS[bodyKind(call, inputs)],
  ]
    .filter((line) => body !== null || line !== 'import json')
    .join('\n');
}

export const SAMPLES = [
  ['curl', curl],
  ['TypeScript', typescript],
  ['Client', client],
  ['Python', python],
] as const;
