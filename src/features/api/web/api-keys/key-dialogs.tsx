import { useState } from 'react';

import {
  type ApiKey,
  createKey,
  deactivateKey,
  MAX_NAME_LENGTH,
  OVERLAPS,
  regenerateKey,
} from '#features/api/contract/api-keys.ts';
import type { ApiScope } from '#shared/contract.ts';
import { dateTime } from '#shared/format.ts';
import { call } from '#ui/api/client.ts';
import { callWithProof } from '#ui/api/proof.ts';
import { Field } from '#ui/field.tsx';
import { PRIMARY, SECONDARY, Submit } from '#ui/form.tsx';
import { Modal } from '#ui/modal.tsx';

import { KeyShown } from './key-shown.tsx';
import { ALL_SCOPES, OVERLAP_WORDS, READ_SCOPES, SCOPES } from './labels.ts';
import { useKeyAct } from './queries.ts';

export type CreateProps = { onClose: () => void };

export function CreateKey({ onClose }: CreateProps) {
  const [name, setName] = useState('');
  const [chosen, choose] = useState<readonly ApiScope[]>(READ_SCOPES);
  const [made, setMade] = useState<string | null>(null);
  const scopes = ALL_SCOPES.filter((scope) => chosen.includes(scope));
  const { busy, submit } = useKeyAct('Couldn’t create the key', async (signal) => {
    const key = await callWithProof(createKey, { body: { name: name.trim(), scopes } }, signal);
    if (key) setMade(key.api_key);
  });
  if (made !== null) return <KeyShown apiKey={made} onClose={onClose} />;
  return (
    <Modal title="Create an API key" onClose={onClose}>
      <form
        className="grid gap-4 text-sm"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <Field
          label="Name"
          name="key-name"
          placeholder="e.g. trading bot"
          autoComplete="off"
          required
          maxLength={MAX_NAME_LENGTH}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <fieldset className="grid gap-1">
          <legend className="mb-1 font-medium">Permissions</legend>
          {ALL_SCOPES.map((scope) => {
            const [title, allows] = SCOPES[scope];
            return (
              <label key={scope} className="flex min-h-10 cursor-pointer items-center gap-2.5">
                <input
                  type="checkbox"
                  checked={chosen.includes(scope)}
                  onChange={(event) =>
                    choose(event.target.checked ? [...chosen, scope] : chosen.filter((each) => each !== scope))
                  }
                  className="size-4 shrink-0 accent-(--accent)"
                />
                <span className="min-w-0">
                  {title}
                  <span className="block text-xs text-ink-3">{allows}</span>
                </span>
              </label>
            );
          })}
        </fieldset>
        <p className="text-xs text-ink-3">
          {scopes.length === 0
            ? 'Choose at least one permission.'
            : 'A key cannot be used to sign in, access your account or make payments. Permissions cannot be changed later; create another key instead.'}
        </p>
        <div className="flex flex-wrap justify-end gap-2">
          <button type="button" onClick={onClose} className={SECONDARY}>
            Cancel
          </button>
          <Submit
            busy={busy}
            busyText="Creating..."
            disabled={name.trim() === '' || scopes.length === 0}
            className="!w-auto"
          >
            Create Key
          </Submit>
        </div>
      </form>
    </Modal>
  );
}

export type DeactivateProps = { apiKey: ApiKey; onClose: () => void };

export function DeactivateKey({ apiKey: { id, name, api_key: hint }, onClose }: DeactivateProps) {
  const { busy, submit } = useKeyAct('Couldn’t deactivate the key', async (signal) => {
    await call(deactivateKey, { params: { id: String(id) } }, signal);
    onClose();
  });
  return (
    <Modal title="Deactivate API key" onClose={onClose}>
      <div className="grid gap-3 text-sm">
        <p className="font-medium">Are you sure you want to deactivate this API key?</p>
        <p className="text-ink-2">
          <span className="font-medium text-ink">{name}</span> <span className="font-mono text-xs">{hint}</span> stops
          working immediately and cannot be restored. Requests that use it will be rejected.
        </p>
        <div className="flex flex-wrap justify-end gap-2">
          <button type="button" onClick={onClose} className={SECONDARY}>
            Cancel
          </button>
          <button type="button" aria-disabled={busy} onClick={() => void submit()} className={PRIMARY}>
            {busy ? 'Deactivating...' : 'Deactivate'}
          </button>
        </div>
      </div>
    </Modal>
  );
}

export type RegenerateProps = { apiKey: ApiKey; onClose: () => void };

export function RegenerateKey({ apiKey: { id, name, old_key_until: earlier }, onClose }: RegenerateProps) {
  const [overlapHours, setOverlap] = useState<(typeof OVERLAPS)[number]>(24);
  const [made, setMade] = useState<ApiKey | null>(null);
  const { busy, submit } = useKeyAct('Couldn’t regenerate the key', async (signal) => {
    setMade(await callWithProof(regenerateKey, { params: { id: String(id) }, body: { overlapHours } }, signal));
  });
  if (made) {
    const until = made.old_key_until;
    const note = until
      ? `The previous key works until ${dateTime(Date.parse(until))}.`
      : 'The previous key no longer works.';
    return <KeyShown apiKey={made.api_key} note={note} onClose={onClose} />;
  }
  return (
    <Modal title={`Regenerate ${name}`} onClose={onClose}>
      <form
        className="grid gap-4 text-sm"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <p className="text-ink-2">
          A new key replaces this one and keeps its name, scopes and usage count. The old key can stay valid while you
          update your applications.
          {earlier && ' A key still valid from an earlier regeneration stops working now.'}
        </p>
        <fieldset className="grid gap-1">
          <legend className="mb-1 font-medium">Keep the old key valid for</legend>
          {OVERLAPS.map((hours) => (
            <label key={hours} className="flex min-h-10 cursor-pointer items-center gap-2.5">
              <input
                type="radio"
                name="overlap"
                checked={overlapHours === hours}
                onChange={() => setOverlap(hours)}
                className="size-4 shrink-0 accent-(--accent)"
              />
              {OVERLAP_WORDS[hours]}
            </label>
          ))}
        </fieldset>
        <div className="flex flex-wrap justify-end gap-2">
          <button type="button" onClick={onClose} className={SECONDARY}>
            Cancel
          </button>
          <Submit busy={busy} busyText="Regenerating..." className="!w-auto">
            Regenerate
          </Submit>
        </div>
      </form>
    </Modal>
  );
}
