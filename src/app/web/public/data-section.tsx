import type { ReactNode } from 'react';
import type { LandingModel } from '#app/render.ts';
import type { LandingFacts } from '#features/site/contract/landing.ts';
import { cx } from '#ui/cx.ts';

import { WIDTH } from './page.tsx';
import { APART, More, SectionHead, Waiting } from './section.tsx';

/** Up to the birth certificate of the first price. */
const ANSWER_LINES = 23;
const CSV_LINES = 3;

export function DataSection({ model }: { model: LandingModel }) {
  return (
    <section
      aria-labelledby="data"
      className={cx(WIDTH, APART, 'grid items-center gap-x-12 gap-y-12 lg:grid-cols-[1fr_1.35fr]')}
    >
      <SectionHead id="data" title="Data that travels with its proof.">
        <p>
          The same figures over HTTP and MCP, and as CSV, JSON, Excel, PDF and XML. Every value carries its source, age
          and method; every file has a manifest and SHA-256 for verification.
        </p>
        <More href="/app/api">Read the API reference</More>
      </SectionHead>
      <Answered api={model.facts.api} origin={model.origin} />
    </section>
  );
}

const PRE = 'overflow-x-auto p-5 font-mono text-xs text-ink-2';

function Answered({ api: { answer, csv }, origin }: { api: LandingFacts['api']; origin: string }) {
  if (!answer || !csv) return <Waiting>Collecting the first prices.</Waiting>;
  const call = `${origin}/api/v1/crypto-prices?limit=5`;
  const lines = JSON.stringify(answer, null, 2).split('\n').slice(0, ANSWER_LINES);
  return (
    <figure className="min-w-0">
      <div className="card divide-y divide-line rounded-[14px]">
        <Code label="An API call and the start of its response">
          <Command text={`curl '${call}' \\\n    -H "X-API-Key: $KEY"`} />
          {[...lines.entries()].map(([at, line]) => (
            <Line key={at} line={line} />
          ))}
          {'  …'}
        </Code>
        <Code label="The same as CSV, with its first lines and hash">
          <Command
            text={`curl '${call}&format=csv' \\\n    -H "X-API-Key: $KEY" | tee prices.csv | head -${CSV_LINES}`}
          />
          {csv.text.split('\r\n').slice(0, CSV_LINES).join('\n')}
          {'\n'}
          <Command text="sha256sum prices.csv" />
          <span className="text-ink">{csv.sha256}</span>
        </Code>
      </div>
      <figcaption className="label mt-3">Actual output of this server when the page was rendered (Pro key).</figcaption>
    </figure>
  );
}

function Code({ label, children }: { label: string; children: ReactNode }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <pre className={PRE} tabIndex={0} role="group" aria-label={label}>
      {children}
    </pre>
  );
}

const Command = ({ text }: { text: string }) => (
  <>
    <span className="text-ink-3">$ </span>
    <b className="font-semibold text-ink">{text}</b>
    {'\n'}
  </>
);

/** A name and its value, the birth certificate in full color. */
function Line({ line }: { line: string }) {
  const isTold = /"(source|observedAt|fetchedAt|method|staleAfter)"/.test(line);
  return (
    <>
      {isTold ? <span className="text-accent">{line}</span> : line}
      {'\n'}
    </>
  );
}
