import { Monitor } from 'lucide-react';
import type { Session } from '#features/accounts/contract/auth.ts';
import { ago, dateTime } from '#shared/format.ts';
import { Badge } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { dayOf } from '#ui/day.ts';
import { useNow } from '#ui/now.ts';

type Props = { session: Session; busy: boolean; onEnd: () => void };

export function SessionRow({ session: { device, network, createdAt, seenAt, current }, busy, onEnd }: Props) {
  const now = useNow(60_000);
  return (
    <li className="flex items-center gap-3 border-t border-line px-4 py-3 first:border-t-0">
      <Monitor className="size-4 shrink-0 text-ink-3" aria-hidden="true" />
      <div className="min-w-0 flex-1 text-sm">
        <p className="flex flex-wrap items-center gap-x-2 font-medium">
          {device}
          {current && <Badge tone="up">This session</Badge>}
        </p>
        <p className="num text-xs break-words text-ink-3">
          {network} · signed in {dayOf(createdAt)} ·{' '}
          <time dateTime={seenAt} title={dateTime(Date.parse(seenAt))}>
            {current ? 'active now' : `last seen ${ago(now - Date.parse(seenAt)).toLowerCase()}`}
          </time>
        </p>
      </div>
      <Button
        aria-label={current ? 'Sign out of this session' : `Sign out of ${device}, ${network}`}
        aria-disabled={busy}
        onClick={onEnd}
        className="max-sm:h-10"
      >
        {busy ? 'Signing out...' : 'Sign out'}
      </Button>
    </li>
  );
}
