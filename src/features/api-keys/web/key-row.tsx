import { ago, dateTime } from '#shared/format.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { dayOf } from '#web/ui/day.ts';
import { useNow } from '#web/ui/now.ts';

import type { ApiKey } from '../contract.ts';
import { callsText, SCOPES } from './words.ts';

type Props = { apiKey: ApiKey; onOpen: (what: 'regenerate' | 'deactivate') => void };

const ACT = 'max-sm:h-10';
const MINUTE_MS = 60_000;

export function KeyRow({ apiKey, onOpen }: Props) {
  const { name, api_key: hint, scopes, created_at, last_used, usage_count, old_key_until } = apiKey;
  const nowMs = useNow(MINUTE_MS);
  const used = last_used ? `last used ${ago(nowMs - Date.parse(last_used)).toLowerCase()}` : 'never used';
  return (
    <li className="border-t border-line px-4 py-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2.5">
        <div className="min-w-0 flex-1 text-sm max-sm:w-full max-sm:flex-none">
          <p className="flex flex-wrap items-center gap-x-2 font-medium">
            <span className="min-w-0 break-words">{name}</span>
            {scopes.map((scope) => (
              <Badge key={scope} tone={scope === 'alerts:write' ? 'warn' : 'plain'}>
                {SCOPES[scope][0]}
              </Badge>
            ))}
          </p>
          <p className="font-mono text-xs break-all text-ink-2">{hint}</p>
          <p className="num text-xs break-words text-ink-3">
            Created {dayOf(created_at)} · {used} · {callsText(usage_count)}
          </p>
          {old_key_until && Date.parse(old_key_until) > nowMs && (
            <p className="num mt-1 text-xs font-medium text-warn">
              The key before it works until {dateTime(Date.parse(old_key_until))}
            </p>
          )}
        </div>
        <div role="group" aria-label={name} className="flex flex-wrap gap-1.5">
          <Button className={ACT} onClick={() => onOpen('regenerate')}>
            Regenerate
          </Button>
          <Button className={ACT} onClick={() => onOpen('deactivate')}>
            Deactivate
          </Button>
        </div>
      </div>
    </li>
  );
}
