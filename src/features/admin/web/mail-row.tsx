import { InboxRow } from '#web/ui/inbox.tsx';

import type { OutboxMail } from '../contract.ts';
import { MAIL_STATES } from './mail-states.ts';

export function MailRow({ mail, onOpen }: { mail: OutboxMail; onOpen: () => void }) {
  const { to, subject, state, note, createdAt } = mail;
  return (
    <InboxRow
      title={subject}
      who={`To ${to}`}
      note={note && state === 'failed' && <span className="block text-xs break-words text-down">{note}</span>}
      state={MAIL_STATES[state]}
      createdAt={createdAt}
      onOpen={onOpen}
    />
  );
}
