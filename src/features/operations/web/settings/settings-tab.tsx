import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { Pencil } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { changeSetting, LONGEST_NOTE, listSettings, type Setting } from '#features/operations/contract/settings.ts';
import { ago, dateTime } from '#shared/format.ts';
import { call } from '#ui/api/client.ts';
import { callWithProof } from '#ui/api/proof.ts';
import { Badge } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { Field } from '#ui/field.tsx';
import { FormError } from '#ui/form.tsx';
import { useNow } from '#ui/now.ts';
import { QueryView } from '#ui/query-view.tsx';
import { Select } from '#ui/select.tsx';
import { useToken } from '#ui/session.ts';
import { toast } from '#ui/toast.ts';
import { useSubmit } from '#ui/use-submit.ts';

const settingsKey = (token: string | null) => ['admin-settings', token];

const settingsQuery = (token: string | null) =>
  queryOptions({ queryKey: settingsKey(token), queryFn: ({ signal }) => call(listSettings, {}, signal) });

type Props = { setting: Setting; onClose: () => void };

/** Edits in place. A concurrent change is refused by the server, in its words. */
function SettingForm({ setting: { key, kind, choices, value: shown, isDefault }, onClose }: Props) {
  const token = useToken();
  const queries = useQueryClient();
  // The value shown when the form was opened: the list may be refetched in the meantime.
  const [was] = useState(shown);
  const [value, setValue] = useState(shown);
  const [note, setNote] = useState('');
  const { busy, failure, submit } = useSubmit('Failed to change the setting', async (signal, next: string | null) => {
    const body = { value: next, was, note: note.trim() };
    const after = await callWithProof(changeSetting, { params: { key }, body }, signal);
    if (!after) return;
    queries.setQueryData(settingsKey(token), after);
    // It includes the daily limits.
    void queries.invalidateQueries({ queryKey: ['pricing'] });
    toast('success', next === null ? `${key} reset to default` : `${key} set to ${next}`);
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
          <Select value={value} onText={setValue}>
            {choices.map((choice) => (
              <option key={choice}>{choice}</option>
            ))}
          </Select>
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
        placeholder="Reason (recorded under your name)"
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
            Reset to default
          </Button>
        )}
        <Button kind="quiet" onClick={onClose} className="max-sm:h-10">
          Cancel
        </Button>
      </div>
    </form>
  );
}

type Change = Setting['history'][number];

function SettingRow({ setting }: { setting: Setting }) {
  const { key, about, value, default: given, isDefault, history } = setting;
  const [editing, setEditing] = useState(false);
  const [newest] = history;
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-2 border-t border-line px-4 py-3 text-sm first:border-t-0">
      <div className="min-w-0 flex-1">
        <h3 id={`setting-${key}`} className="num font-semibold break-all">
          {key}
        </h3>
        <p className="text-ink-2">{about}</p>
        <p className="num">
          <span className="font-medium">{value}</span>{' '}
          {isDefault ? <span className="label">default</span> : <Badge tone="accent">default: {given}</Badge>}
        </p>
        {newest && <Told change={newest} />}
        {history.length > 1 && (
          <details className="mt-1">
            <summary className="label cursor-pointer">Earlier changes</summary>
            <ul>
              {history.slice(1).map((change) => (
                <li key={`${change.at} ${change.value}`}>
                  <Told change={change} />
                </li>
              ))}
            </ul>
          </details>
        )}
      </div>
      {!editing && (
        <Button aria-describedby={`setting-${key}`} onClick={() => setEditing(true)} className="max-sm:h-10">
          <Pencil className="size-3.5" aria-hidden="true" />
          Change
        </Button>
      )}
      {editing && <SettingForm setting={setting} onClose={() => setEditing(false)} />}
    </li>
  );
}

function Told({ change: { value, at, by, note } }: { change: Change }) {
  const now = useNow();
  return (
    <p className="num label [overflow-wrap:anywhere]">
      {value === null ? 'Reset to default' : `Set to ${value}`},{' '}
      <time dateTime={at} title={dateTime(Date.parse(at))}>
        {ago(now - Date.parse(at))}
      </time>{' '}
      by {by ?? 'a deleted account'}
      {note && `: ${note}`}
    </p>
  );
}

const CARD = { id: 'settings-tab', title: 'Settings', className: 'min-h-96' };

/** Settings that administrators may change at runtime. */
export function SettingsTab() {
  const query = useQuery(settingsQuery(useToken()));
  return (
    <QueryView query={query} card={CARD} failed="Failed to load admin data">
      {({ settings }) => (
        <Card {...CARD}>
          <p className="px-4 pb-3 text-sm text-ink-2">
            Changes apply to every process within a second and override the configuration until reset to default.
          </p>
          <ul className="border-t border-line">
            {settings.map((setting) => (
              <SettingRow key={setting.key} setting={setting} />
            ))}
          </ul>
        </Card>
      )}
    </QueryView>
  );
}
