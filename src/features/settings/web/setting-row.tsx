import { Pencil } from 'lucide-react';
import { useState } from 'react';

import { ago, dateTime } from '#shared/format.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { useNow } from '#web/ui/now.ts';

import type { Setting } from '../contract.ts';
import { SettingForm } from './setting-form.tsx';

type Change = Setting['history'][number];

export function SettingRow({ setting }: { setting: Setting }) {
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
          {isDefault ? <span className="label">the default</span> : <Badge tone="accent">default: {given}</Badge>}
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
      {value === null ? 'Back to the default' : `Set to ${value}`},{' '}
      <time dateTime={at} title={dateTime(Date.parse(at))}>
        {ago(now - Date.parse(at))}
      </time>{' '}
      by {by ?? 'an account that is gone'}
      {note && `: ${note}`}
    </p>
  );
}
