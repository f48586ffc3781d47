import { useState } from 'react';

import { type Tried, tryCall } from '#web/api/try-call.ts';
import { PRIMARY, SECONDARY } from '#web/ui/form.tsx';
import { TextField } from '#web/ui/inputs.tsx';
import { useSubmit } from '#web/ui/use-submit.ts';

import { Answered } from './answered.tsx';
import type { Call, OpenApi } from './document.ts';
import { ParameterField } from './parameter-field.tsx';
import { addressOf, type Inputs, missingIn } from './samples.ts';

/** A call that goes on is stopped then. */
const STREAM_MS = 10_000;

export type TryProps = {
  document: OpenApi;
  call: Call;
  apiKey: string;
  onKey: (key: string) => void;
  inputs: Inputs;
  onInputs: (inputs: Inputs) => void;
};

/** Makes the call from here, with a key that only this page knows. */
export function TryIt({ document, call, apiKey, onKey, inputs, onInputs }: TryProps) {
  const [answer, setAnswer] = useState<Tried | null>(null);
  const [running, setRunning] = useState<AbortController | null>(null);
  const missing = missingIn(call, inputs);
  const goesOn = call.answers.some(([kind]) => kind === 'text/event-stream');
  const { busy, failure, submit } = useSubmit('The server cannot be reached', async (signal) => {
    const own = new AbortController();
    const end = () => own.abort();
    signal.addEventListener('abort', end);
    const timer = goesOn ? setTimeout(end, STREAM_MS) : undefined;
    setRunning(own);
    setAnswer(null);
    try {
      const body = call.body ? inputs.body : null;
      const asked = { method: call.method, path: addressOf(call, inputs), key: apiKey.trim(), body };
      setAnswer(await tryCall(asked, own.signal));
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
          note="Kept in the memory of this page only: it is not stored, and gone when you leave."
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
            <span className="font-medium">Body (JSON)</span>
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
          <span className="text-xs text-ink-3">{hintOf(apiKey, missing, goesOn, call)}</span>
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

function hintOf(apiKey: string, missing: readonly string[], goesOn: boolean, { method }: Call): string {
  if (apiKey.trim() === '') return 'It needs a key.';
  if (missing.length > 0) return `Still needed: ${missing.join(', ')}`;
  if (goesOn) return 'It goes on: what came within 10 seconds is shown.';
  return method === 'GET' ? 'It counts as one call of your day.' : 'It counts as one call, and it is done for real.';
}
