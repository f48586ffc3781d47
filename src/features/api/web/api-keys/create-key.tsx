import { useState } from 'react';
import { createKey, MAX_NAME_LENGTH } from '#features/api/contract/api-keys.ts';
import type { ApiScope } from '#shared/contract.ts';
import { callWithProof } from '#ui/api/proof.ts';
import { Field } from '#ui/field.tsx';
import { SECONDARY, Submit } from '#ui/form.tsx';
import { Modal } from '#ui/modal.tsx';
import { KeyShown } from './key-shown.tsx';
import { ALL_SCOPES, READ_SCOPES, SCOPES } from './labels.ts';
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
