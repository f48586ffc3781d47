import { queryOptions, type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { z } from 'zod/mini';
import { type ImportReply, importSettings } from '#features/exports/contract/settings-files.ts';
import { CallError, call } from '#ui/api/client.ts';
import { Button } from '#ui/button.tsx';
import { FormError } from '#ui/form.tsx';
import { SelectField, Switch } from '#ui/inputs.tsx';
import { useToken } from '#ui/session.ts';
import { Told, useSubmit } from '#ui/use-submit.ts';

type Choice = Pick<z.input<typeof importSettings.body>, 'rules' | 'notifications'>;

/** Changes of the nth file; refetched for every other choice. */
const previewQuery = (token: string | null, n: number, file: unknown, choice: Choice) =>
  queryOptions({
    queryKey: ['settings-preview', token, n, choice],
    queryFn: ({ signal }) => call(importSettings, { body: { file, ...choice, dryRun: true } }, signal),
    staleTime: 0,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  });

/** The server's limit. */
const MAX_BYTES = 2.5 * 1024 * 1024;

/** A chosen file, checked for what the form shows; the server validates the rest. */
export type ChosenFile = { name: string; content: unknown; hasRules: boolean; hasNotifications: boolean };

/** Throws a message for the user when it is not JSON or too large. */
export async function readChosen(file: File): Promise<ChosenFile> {
  if (file.size > MAX_BYTES) throw new Told('This file is larger than 2.5 MB, so it is not a settings file');
  const text = await file.text().catch(() => {
    throw new Told('Couldn’t read this file');
  });
  const content = parsed(text);
  const { rules, notifications } = (content ?? {}) as { rules?: unknown; notifications?: unknown };
  return {
    name: file.name,
    content,
    hasRules: Array.isArray(rules) && rules.length > 0,
    hasNotifications: typeof notifications === 'object' && notifications !== null,
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new Told('This is not a JSON file');
  }
}

const alerts = (n: number): string => `${n} ${n === 1 ? 'alert' : 'alerts'}`;

/** True when the import changes nothing. */
const isNothing = ({ rules, notifications }: ImportReply): boolean =>
  rules.added === 0 && rules.removed === 0 && notifications.length === 0;

/** '2 alerts added, 1 alert removed, 3 alerts kept. 1 notification setting changed.' */
export function changeWords({ rules: { added, removed, kept }, notifications }: ImportReply): string {
  const counts = [
    added > 0 && `${alerts(added)} added`,
    removed > 0 && `${alerts(removed)} removed`,
    kept > 0 && `${alerts(kept)} kept`,
  ].filter(Boolean);
  const first = counts.length > 0 ? [`${counts.join(', ')}.`] : [];
  const n = notifications.length;
  const second = n > 0 ? [`${n} notification ${n === 1 ? 'setting' : 'settings'} changed.`] : [];
  return [...first, ...second].join(' ');
}

type Props = {
  n: number;
  file: ChosenFile;
  canHaveRules: boolean;
  onDone: (reply: ImportReply) => void;
  onCancel: () => void;
};

const FAILED = 'Failed to import your settings. Please try again.';

/** Preview of a file's changes, with a choice of what to import. */
export function SettingsPreview({ n, file, canHaveRules, onDone, onCancel }: Props) {
  const token = useToken();
  const queries = useQueryClient();
  const offersRules = file.hasRules && canHaveRules;
  const [choice, choose] = useState<Choice>({
    rules: offersRules ? 'add' : 'skip',
    notifications: file.hasNotifications,
  });
  const query = useQuery(previewQuery(token, n, file.content, choice));
  const apply = useSubmit(FAILED, async (signal) => {
    const body = { file: file.content, ...choice, dryRun: false };
    const reply = await call(importSettings, { body }, signal);
    for (const key of ['preferences', 'thresholds', 'subscription'])
      void queries.invalidateQueries({ queryKey: [key] });
    onDone(reply);
  });
  const isReady = query.data !== undefined && !query.isFetching && !isNothing(query.data);
  return (
    <section aria-label="Changes" className="grid gap-3 border-t border-line pt-3">
      <p className="text-sm font-medium break-words">{file.name}</p>
      {offersRules && (
        <SelectField
          label="Custom alerts"
          value={choice.rules}
          onText={(rules) => choose({ ...choice, rules: rules as Choice['rules'] })}
        >
          <option value="add">Add to my list</option>
          <option value="replace">Replace my list</option>
          <option value="skip">Keep my list unchanged</option>
        </SelectField>
      )}
      {file.hasRules && !canHaveRules && (
        <p className="label">Custom alerts in this file require Pro and are skipped.</p>
      )}
      {file.hasNotifications && (
        <div className="flex items-center justify-between gap-4">
          <p className="text-sm font-medium">Notification settings</p>
          <Switch
            label="Import notification settings"
            on={choice.notifications}
            onChange={(notifications) => choose({ ...choice, notifications })}
          >
            <span aria-hidden="true">{choice.notifications ? 'Imported' : 'Skipped'}</span>
          </Switch>
        </div>
      )}
      <Changes query={query} />
      <FormError failure={apply.failure} />
      <div className="flex flex-wrap gap-2">
        <Button className="max-sm:h-10" disabled={!isReady || apply.busy} onClick={() => void apply.submit()}>
          {apply.busy ? 'Applying…' : 'Apply'}
        </Button>
        <Button kind="quiet" className="max-sm:h-10" disabled={apply.busy} onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </section>
  );
}

function Changes({ query: { data, error, isFetching } }: { query: UseQueryResult<ImportReply> }) {
  if (isFetching) return <output className="block text-sm text-ink-3">Reading the file…</output>;
  if (error) {
    const isForUser = error instanceof CallError && error.told;
    return <FormError failure={{ message: isForUser ? error.message : FAILED }} />;
  }
  if (!data) return null;
  if (isNothing(data)) return <output className="block text-sm">No changes.</output>;
  return (
    <output className="block text-sm">
      <span className="block">{changeWords(data)}</span>
      {data.notifications.map((line) => (
        <span key={line} className="block text-ink-2">
          {line}
        </span>
      ))}
    </output>
  );
}
