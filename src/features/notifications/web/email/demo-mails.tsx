import { useQuery } from '@tanstack/react-query';
import { ArrowLeft } from 'lucide-react';
import { useState } from 'react';
import type { DemoMailHead } from '#features/notifications/contract/email.ts';
import { ago } from '#shared/format.ts';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { MailFrame } from '#ui/mail-frame.tsx';
import { useNow } from '#ui/now.ts';
import { QueryView } from '#ui/query-view.tsx';
import { useToken } from '#ui/session.ts';
import { Empty } from '#ui/states.tsx';
import { demoMailQuery, demoMailsQuery } from './queries.ts';

type Props = { className: string };

/** Demo mode: the mailbox of the signed-in user. An opened email replaces the list. */
export function DemoMails({ className }: Props) {
  const [open, setOpen] = useState<DemoMailHead | null>(null);
  const query = useQuery(demoMailsQuery(useToken()));
  const place = { id: 'demo-mails', title: 'Mail', className };
  return (
    <QueryView
      query={query}
      card={place}
      failed="Failed to load your emails"
      isEmpty={({ mails }) => mails.length === 0}
      empty={<Empty title="No emails yet" note="Emails that would be sent to you appear here." />}
    >
      {({ address, mails }) => (
        <Card {...place} note={<p className="truncate text-xs text-ink-3">to {address}</p>}>
          {open ? <OneMail mail={open} onBack={() => setOpen(null)} /> : <MailList mails={mails} onOpen={setOpen} />}
        </Card>
      )}
    </QueryView>
  );
}

function MailList({ mails, onOpen }: { mails: readonly DemoMailHead[]; onOpen: (mail: DemoMailHead) => void }) {
  const now = useNow(10_000);
  return (
    <ul className="flex-1 overflow-y-auto border-t border-line">
      {mails.map((mail) => (
        <li key={mail.id} className="border-b border-line">
          <button
            type="button"
            onClick={() => onOpen(mail)}
            className="block min-h-11 w-full px-4 py-3 text-left text-sm hover:bg-raised focus-visible:-outline-offset-2"
          >
            <span className="block font-medium break-words">{mail.subject}</span>
            <span className="num text-xs text-ink-3">{ago(now - Date.parse(mail.at))}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

function OneMail({ mail, onBack }: { mail: DemoMailHead; onBack: () => void }) {
  const query = useQuery(demoMailQuery(useToken(), mail.id));
  return (
    <div className="flex flex-1 flex-col gap-3 overflow-y-auto border-t border-line px-4 pt-3 pb-4 text-sm">
      <div>
        <Button onClick={onBack} className="max-sm:h-10">
          <ArrowLeft className="size-3.5" aria-hidden="true" />
          All emails
        </Button>
      </div>
      <h3 className="font-semibold break-words">{mail.subject}</h3>
      <QueryView query={query} failed="Failed to load the email" loading={<div className="skel flex-1" />}>
        {({ html, subject }) => <MailFrame subject={subject} html={html} className="min-h-96 flex-1" />}
      </QueryView>
    </div>
  );
}
