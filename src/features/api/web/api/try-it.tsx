import { useState } from 'react';
import { grouped } from '#shared/format.ts';
import { type Tried, tryCall } from '#ui/api/try-call.ts';
import { Badge } from '#ui/badge.tsx';
import { CodeBlock } from '#ui/code-block.tsx';
import { PRIMARY, SECONDARY } from '#ui/form.tsx';
import { SelectField, TextField } from '#ui/inputs.tsx';
import { useSubmit } from '#ui/use-submit.ts';
import { type Call, follow, type OpenApi, type Parameter, type Schema } from './document.ts';
import { buildUrl, type Inputs, missingIn } from './samples.ts';
import { limitsText, plainText } from './schema-tree.tsx';

/** As much as is readable; all of it can be copied. */
const MAX_SHOWN = 20_000;
const LIMITS = /^(ratelimit|retry-after|etag|link|x-next|content-type|content-length|cache-control)/;

const statusTone = (status: number) => (status < 300 ? 'up' : status < 500 ? 'warn' : 'down');

function pretty({ text, contentType }: Tried): string {
  if (!contentType.includes('json')) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

const sizeText = (characters: number): string =>
  characters < 1000 ? `${characters} characters` : `${grouped(Math.round(characters / 1000))}k characters`;

/** The response. */
function Answered({ answer, id }: { answer: Tried; id: string }) {
  const whole = pretty(answer);
  const isLong = whole.length > MAX_SHOWN;
  const headers = answer.headers.filter(([name]) => LIMITS.test(name));
  return (
    <div role="group" aria-label="Response" className="grid gap-3">
      <output className="num flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
        <Badge tone={statusTone(answer.status)}>
          {answer.status} {answer.statusText}
        </Badge>
        <span>{grouped(answer.ms)} ms</span>
        <span className="text-ink-3">{sizeText(answer.text.length)}</span>
        {answer.cut && <span className="text-warn">Stopped: partial response</span>}
      </output>
      <dl className="grid gap-1 font-mono text-xs">
        {headers.map(([name, value]) => (
          <div key={name} className="flex flex-wrap gap-x-2">
            <dt className="text-ink-3">{name}</dt>
            <dd className="break-all">{value}</dd>
          </div>
        ))}
      </dl>
      {whole !== '' && (
        <CodeBlock
          head={
            <span className="label num">
              {isLong ? `Body, first ${sizeText(MAX_SHOWN)} of ${sizeText(whole.length)}. Copy includes all.` : 'Body'}
            </span>
          }
          label={`Response body of ${id}`}
          text={isLong ? `${whole.slice(0, MAX_SHOWN)}\n…` : whole}
          whole={whole}
          what="Response"
          tall
        />
      )}
    </div>
  );
}

type Props = { document: OpenApi; parameter: Parameter; value: string; onText: (value: string) => void };

/** The options of a parameter, if few. */
function enumChoices(document: OpenApi, schema: Schema): readonly string[] | null {
  const own = follow<Schema>(document, schema);
  if (own.enum) return own.enum.filter((each) => each !== null).map(String);
  if (own.type === 'boolean') return ['true', 'false'];
  const listed = own.anyOf?.flatMap(({ const: only }) => (typeof only === 'string' ? [only] : [])) ?? [];
  return listed.length > 0 && listed.length === own.anyOf?.length ? listed : null;
}

/** The range of a number. */
const rangeText = (schema: Schema) => (schema.type === 'integer' || schema.type === 'number' ? limitsText(schema) : '');

function ParameterField({ document, parameter, value, onText }: Props) {
  const { name, required, in: place, schema = {}, example } = parameter;
  const label = required || place === 'path' ? `${name} (required)` : name;
  const choices = enumChoices(document, schema);
  if (choices)
    return (
      <SelectField label={label} problem={null} note={undefined} value={value} onText={onText}>
        <option value="">{schema.default === undefined ? '–' : `${plainText(schema.default)} (default)`}</option>
        {choices.map((choice) => (
          <option key={choice} value={choice}>
            {choice}
          </option>
        ))}
      </SelectField>
    );
  const sample = example ?? schema.examples?.[0];
  return (
    <TextField
      label={label}
      name={name}
      spellCheck={false}
      placeholder={sample === undefined ? rangeText(schema) : plainText(sample)}
      value={value}
      onText={onText}
    />
  );
}

/** A continuous response is stopped after this time. */
const STREAM_MS = 10_000;

export type TryProps = {
  document: OpenApi;
  call: Call;
  apiKey: string;
  onKey: (key: string) => void;
  inputs: Inputs;
  onInputs: (inputs: Inputs) => void;
};

/** Sends the request with a key held only by this page. */
export function TryIt({ document, call, apiKey, onKey, inputs, onInputs }: TryProps) {
  const [answer, setAnswer] = useState<Tried | null>(null);
  const [running, setRunning] = useState<AbortController | null>(null);
  const missing = missingIn(call, inputs);
  const goesOn = call.answers.some(([kind]) => kind === 'text/event-stream');
  const { busy, failure, submit } = useSubmit('Couldn’t reach the server', async (signal) => {
    const own = new AbortController();
    const end = () => own.abort();
    signal.addEventListener('abort', end);
    const timer = goesOn ? setTimeout(end, STREAM_MS) : undefined;
    setRunning(own);
    setAnswer(null);
    try {
      const body = call.body ? inputs.body : null;
      const request = { method: call.method, path: buildUrl(call, inputs), key: apiKey.trim(), body };
      setAnswer(await tryCall(request, own.signal));
    } catch (error) {
      if (!own.signal.aborted) throw error;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
    }
  });
  const set = (name: string, value: string) => onInputs({ ...inputs, values: { ...inputs.values, [name]: value } });
  return (
    <div className="grid gap-3">
      <h4 className="font-semibold">Try it</h4>
      <form
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <TextField
          label="API key"
          name="try-key"
          type="password"
          spellCheck={false}
          placeholder="mk_live_…"
          note="Held in memory only: it is not stored and is discarded when you leave this page."
          value={apiKey}
          onText={onKey}
        />
        {call.parameters.length > 0 && (
          <div className="grid gap-3 sm:grid-cols-2">
            {call.parameters.map((parameter) => (
              <ParameterField
                key={parameter.in + parameter.name}
                document={document}
                parameter={parameter}
                value={inputs.values[parameter.name] ?? ''}
                onText={(value) => set(parameter.name, value)}
              />
            ))}
          </div>
        )}
        {call.body && (
          <label className="grid gap-1">
            <span className="font-medium">Request body (JSON)</span>
            <textarea
              rows={8}
              spellCheck={false}
              value={inputs.body}
              onChange={(event) => onInputs({ ...inputs, body: event.target.value })}
              className="w-full rounded-ctl border border-ink-3/75 bg-bg px-3 py-2 font-mono text-sm"
            />
          </label>
        )}
        <div className="flex flex-wrap items-center gap-3">
          <button
            type="submit"
            aria-disabled={busy}
            disabled={missing.length > 0 || apiKey.trim() === ''}
            className={PRIMARY}
          >
            {busy ? 'Sending...' : 'Send'}
          </button>
          {busy && (
            <button type="button" onClick={() => running?.abort()} className={SECONDARY}>
              Stop
            </button>
          )}
          <span className="text-xs text-ink-3">{sendHint(apiKey, missing, goesOn, call)}</span>
        </div>
      </form>
      {failure && (
        <p role="alert" className="text-sm font-medium text-down">
          {failure.message}
        </p>
      )}
      {answer && <Answered answer={answer} id={call.id} />}
    </div>
  );
}

function sendHint(apiKey: string, missing: readonly string[], goesOn: boolean, { method }: Call): string {
  if (apiKey.trim() === '') return 'Enter an API key.';
  if (missing.length > 0) return `Required: ${missing.join(', ')}`;
  if (goesOn) return 'Shows the events of the first 10 seconds.';
  return method === 'GET' ? 'Counts as one call.' : 'Counts as one call and takes effect on your account.';
}
