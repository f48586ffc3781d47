import { ago, dateTime } from '#shared/format.ts';
import { Badge } from '#web/ui/badge.tsx';
import { useNow } from '#web/ui/now.ts';

import type { OutboxMail } from '../contract.ts';
import { MAIL_STATES } from './mail-states.ts';

export function MailRow({
  mail: { to, subject, state, note, createdAt },
  onOpen,
}: {
  mail: OutboxMail;
  onOpen: () => void;
}) {
  const now = useNow(60_000);
  const at = Date.parse(createdAt);
  return (
    <li className="border-t border-line first:border-t-0">
      <button
        type="button"
        onClick={onOpen}
        className="grid min-h-14 w-full grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 px-4 py-2 text-left text-sm hover:bg-raised focus-visible:-outline-offset-2"
      >
        <span className="min-w-0">
          <span className="block font-medium break-words">{subject}</span>
          <span className="block truncate text-xs text-ink-3">To {to}</span>
          {note && state === 'failed' && <span className="block text-xs break-words text-down">{note}</span>}
        </span>
        <span className="grid justify-items-end gap-0.5">
          <Badge tone={MAIL_STATES[state].tone}>{MAIL_STATES[state].words}</Badge>
          <time dateTime={createdAt} title={dateTime(at)} className="num label">
            {ago(now - at)}
          </time>
        </span>
      </button>
    </li>
  );
}
