import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { Badge } from '#ui/badge.tsx';
import { CODE, CodeBlock } from '#ui/code-block.tsx';
import { cx } from '#ui/cx.ts';
import { Segmented } from '#ui/segmented.tsx';

import type { Call, OpenApi } from './document.ts';
import { type Inputs, KEY_NAME, NO_INPUTS, SAMPLES } from './samples.ts';
import { exampleJson, SchemaTree, schemaText, typeText, Words } from './schema-tree.tsx';
import { TryIt } from './try-it.tsx';

const PLACES = { query: 'query', path: 'path', header: 'header', cookie: 'cookie' } as const;

/** Parameters with types and limits. */
function Parameters({ document, call }: { document: OpenApi; call: Call }) {
  const { parameters } = call;
  if (parameters.length === 0) return null;
  return (
    <div>
      <h4 className="font-semibold">Parameters</h4>
      <table className="mt-1 w-full text-sm max-sm:block">
        <thead className="max-sm:sr-only">
          <tr className="border-b border-line">
            {['Name', 'Type', 'Description'].map((head) => (
              <th key={head} scope="col" className="label py-2 pr-3 text-left">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="max-sm:block">
          {parameters.map(({ name, in: place, required, description, schema = {} }) => (
            <tr key={place + name} className="border-b border-line max-sm:block">
              <th scope="row" className="py-2 pr-3 text-left font-normal max-sm:block">
                <code className={CODE}>{name}</code>
                <span className="label block">
                  {PLACES[place]}
                  {required && ', required'}
                </span>
              </th>
              <td className="py-2 pr-3 text-xs break-words text-ink-3 max-sm:block">{typeText(document, schema)}</td>
              <td className="py-2 text-ink-2 max-sm:block">
                <Words>{schemaText(description ?? schema.description, schema) || '–'}</Words>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const NAMES = SAMPLES.map(([name]) => name);

/** Code samples for the filled-in call. The key is not included: it is read from the environment. */
function SamplesView({ call, inputs }: { call: Call; inputs: Inputs }) {
  const [chosen, choose] = useState<(typeof NAMES)[number]>('curl');
  const make = SAMPLES.find(([name]) => name === chosen)?.[1];
  return (
    <div className="grid min-w-0 gap-3">
      <h4 className="font-semibold">Code samples</h4>
      <CodeBlock
        head={
          <Segmented
            label={`Language of ${call.id}`}
            value={chosen}
            options={NAMES}
            onChange={choose}
            className="max-w-full"
          />
        }
        label={`Sample in ${chosen} of ${call.id}`}
        text={make?.(call, inputs, location.origin) ?? ''}
        what="Sample"
      />
      <p className="text-xs text-ink-3">
        Samples use the values you enter and read the key from {KEY_NAME}.
        {chosen === 'Client' &&
          ' The client is a single file without dependencies: clients/typescript/client.ts in the repository.'}
      </p>
    </div>
  );
}

type Props = {
  document: OpenApi;
  call: Call;
  isOpen: boolean;
  onToggle: () => void;
  apiKey: string;
  onKey: (key: string) => void;
};

/** One call: a summary line, with the details once expanded. */
export function CallCard({ isOpen, onToggle, ...rest }: Props) {
  const { id, method, path, summary } = rest.call;
  return (
    <article id={id} aria-labelledby={`${id}-head`} className="card min-w-0 scroll-my-20">
      <h3 id={`${id}-head`}>
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={isOpen ? `${id}-body` : undefined}
          onClick={onToggle}
          className="block w-full rounded-card px-4 py-3 text-left text-sm"
        >
          <span className="flex items-center gap-3">
            <Badge tone={method === 'GET' ? 'accent' : 'warn'}>{method}</Badge>
            <code className="min-w-0 flex-1 font-mono text-xs font-medium break-all">{path}</code>
            <ChevronDown className={cx('size-4 shrink-0 text-ink-3', isOpen && 'rotate-180')} aria-hidden="true" />
          </span>{' '}
          <span className="mt-1 block font-normal text-ink-2">{summary}</span>
        </button>
      </h3>
      {isOpen && <Body {...rest} />}
    </article>
  );
}

/** Its description in paragraphs; the last names scope and plan. */
function descriptionParts({ description, scope, plan }: Call): string[] {
  const paragraphs = description.split(/\n{2,}/).filter(Boolean);
  return /` scope/.test(description)
    ? paragraphs
    : [...paragraphs, `${scope ? `Requires the \`${scope}\` scope. ` : ''}Available from ${plan ?? 'Pro'}.`];
}

function Body({ document, call, apiKey, onKey }: Omit<Props, 'isOpen' | 'onToggle'>) {
  const [inputs, setInputs] = useState<Inputs>(() => ({
    ...NO_INPUTS,
    body: call.body ? exampleJson(document, call.body) : '',
  }));
  return (
    <div id={`${call.id}-body`} className="grid gap-4 border-t border-line px-4 py-3 text-sm">
      <div className="grid gap-1 text-ink-2">
        {descriptionParts(call).map((paragraph) => (
          <p key={paragraph} className="max-w-[72ch]">
            <Words>{paragraph}</Words>
          </p>
        ))}
      </div>
      <Parameters document={document} call={call} />
      {call.body && (
        <div>
          <h4 className="mb-1 font-semibold">Request body</h4>
          <SchemaTree document={document} schema={call.body.schema} />
        </div>
      )}
      <Answers document={document} call={call} />
      <div className="grid items-start gap-4 border-t border-line pt-3 xl:grid-cols-[5fr_7fr]">
        <TryIt document={document} call={call} apiKey={apiKey} onKey={onKey} inputs={inputs} onInputs={setInputs} />
        <SamplesView call={call} inputs={inputs} />
      </div>
    </div>
  );
}

function Answers({ document, call: { answers, errors } }: { document: OpenApi; call: Call }) {
  return (
    <>
      <div>
        <h4 className="mb-1 font-semibold">Response</h4>
        {answers.map(([kind, schema]) => (
          <div key={kind} className="mb-2">
            <p className="label mb-1">{kind}</p>
            {schema && kind.includes('json') && <SchemaTree document={document} schema={schema} />}
          </div>
        ))}
      </div>
      {errors.length > 0 && (
        <details>
          <summary className="inline-flex min-h-9 cursor-pointer items-center font-semibold">
            Other responses: {errors.map(([status]) => status).join(', ')}
          </summary>
          <dl className="grid gap-1">
            {errors.map(([status, words]) => (
              <div key={status} className="flex gap-3">
                <dt className="num w-10 shrink-0 font-medium">{status}</dt>
                <dd className="text-ink-2">
                  <Words>{words}</Words>
                </dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </>
  );
}
