import { ChevronDown } from 'lucide-react';
import { useState } from 'react';

import { Badge } from '#web/ui/badge.tsx';
import { cx } from '#web/ui/cx.ts';

import type { Call, OpenApi } from './document.ts';
import { Parameters } from './parameters.tsx';
import { type Inputs, NO_INPUTS } from './samples.ts';
import { SamplesView } from './samples-view.tsx';
import { exampleOf } from './schema.ts';
import { SchemaTree } from './schema-tree.tsx';
import { TryIt } from './try-it.tsx';
import { Words } from './words.tsx';

type Props = {
  document: OpenApi;
  call: Call;
  isOpen: boolean;
  onToggle: () => void;
  apiKey: string;
  onKey: (key: string) => void;
};

/** One call: its line always, the rest once it is opened. */
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

/** Its description in paragraphs; the last says scope and plan. */
function sayingOf({ description, scope, plan }: Call): string[] {
  const paragraphs = description.split(/\n{2,}/).filter(Boolean);
  return /Scope `/.test(description)
    ? paragraphs
    : [...paragraphs, `Scope \`${scope ?? 'any'}\`, from ${plan ?? 'Pro'}.`];
}

function Body({ document, call, apiKey, onKey }: Omit<Props, 'isOpen' | 'onToggle'>) {
  const [inputs, setInputs] = useState<Inputs>(() => ({
    ...NO_INPUTS,
    body: call.body ? exampleOf(document, call.body) : '',
  }));
  return (
    <div id={`${call.id}-body`} className="grid gap-4 border-t border-line px-4 py-3 text-sm">
      <div className="grid gap-1 text-ink-2">
        {sayingOf(call).map((paragraph) => (
          <p key={paragraph} className="max-w-[72ch]">
            <Words>{paragraph}</Words>
          </p>
        ))}
      </div>
      <Parameters document={document} call={call} />
      {call.body && (
        <div>
          <h4 className="mb-1 font-semibold">Body</h4>
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
        <h4 className="mb-1 font-semibold">Answer</h4>
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
            Other answers: {errors.map(([status]) => status).join(', ')}
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
