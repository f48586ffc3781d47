import { Check } from 'lucide-react';

import { ago } from '#shared/format.ts';
import { useNow } from '#web/ui/now.ts';

import type { Alert } from '../contract.ts';

const MOST = 3;
const MINUTE_MS = 60_000;

/** The newest of those that were acknowledged. */
export function AcknowledgedList({ alerts }: { alerts: readonly Alert[] }) {
  const now = useNow(MINUTE_MS);
  const done = alerts.filter(({ acknowledged }) => acknowledged).slice(0, MOST);
  if (done.length === 0) return null;
  return (
    <div className="mt-auto border-t border-line bg-raised/40 px-4 py-2.5">
      <h3 className="label" id="acknowledged-alerts">
        Acknowledged
      </h3>
      <ul aria-labelledby="acknowledged-alerts">
        {done.map(({ id, message, timestamp }) => (
          <li key={id} className="flex items-center gap-2 pt-1.5 text-xs text-ink-2">
            <Check className="size-3 shrink-0 text-ink-3" aria-hidden="true" />
            <span className="min-w-0 flex-1 truncate" title={message}>
              {message}
            </span>
            <span className="num text-ink-3">{ago(now - Date.parse(timestamp))}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
