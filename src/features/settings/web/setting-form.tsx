import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';

import { callWithProof } from '#web/api/proof.ts';
import { useToken } from '#web/session.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { FormError } from '#web/ui/form.tsx';
import { SELECT } from '#web/ui/select.ts';
import { toast } from '#web/ui/toast.ts';
import { useSubmit } from '#web/ui/use-submit.ts';

import { changeSetting, LONGEST_NOTE, type Setting } from '../contract.ts';
import { settingsKey } from './queries.ts';

type Props = { setting: Setting; onClose: () => void };

/** Changes it in place. Somebody else's change meanwhile is refused by the server, in its words. */
export function SettingForm({ setting: { key, kind, choices, value: shown, isDefault }, onClose }: Props) {
  const token = useToken();
  const queries = useQueryClient();
  // What was shown when the form was opened: the list may be read again meanwhile.
  const [was] = useState(shown);
  const [value, setValue] = useState(shown);
  const [note, setNote] = useState('');
  const { busy, failure, submit } = useSubmit('Failed to change the setting', async (signal, next: string | null) => {
    const body = { value: next, was, note: note.trim() };
    const after = await callWithProof(changeSetting, { params: { key }, body }, signal);
    if (!after) return;
    queries.setQueryData(settingsKey(token), after);
    // It carries the limits of a day.
    void queries.invalidateQueries({ queryKey: ['pricing'] });
    toast('success', next === null ? `${key} is back to its default` : `${key} is ${next} now`);
    onClose();
  });
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (value !== was) void submit(value);
  };
  return (
    <form onSubmit={save} className="grid w-full gap-3">
      {kind === 'choice' ? (
        <label className="flex items-center gap-2 font-medium">
          New value
          <select value={value} onChange={(event) => setValue(event.target.value)} className={SELECT}>
            {choices.map((choice) => (
              <option key={choice}>{choice}</option>
            ))}
          </select>
        </label>
      ) : (
        <Field
          label="New value"
          inputMode="numeric"
          autoComplete="off"
          value={value}
          onChange={(event) => setValue(event.target.value)}
        />
      )}
      <Field
        label="Note"
        placeholder="Why; kept with your name"
        maxLength={LONGEST_NOTE}
        autoComplete="off"
        value={note}
        onChange={(event) => setNote(event.target.value)}
      />
      <FormError failure={failure} />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" aria-disabled={busy || value === was} className="aria-disabled:opacity-60 max-sm:h-10">
          {busy ? 'Saving...' : 'Save'}
        </Button>
        {!isDefault && (
          <Button aria-disabled={busy} onClick={() => void submit(null)} className="max-sm:h-10">
            Back to the default
          </Button>
        )}
        <Button kind="quiet" onClick={onClose} className="max-sm:h-10">
          Cancel
        </Button>
      </div>
    </form>
  );
}
