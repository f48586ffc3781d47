import { useQuery, useQueryClient } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import { useState } from 'react';
import type { OutboxMail } from '#features/operations/contract/admin.ts';
import type { DataMode } from '#shared/provenance.ts';
import { Card } from '#ui/card.tsx';
import { CornerButton } from '#ui/corner-button.tsx';
import { Inbox, type InboxPage, InboxRow, LoadMore } from '#ui/inbox.tsx';
import { part } from '#ui/part.tsx';
import { QueryView } from '#ui/query-view.tsx';
import { SearchBox } from '#ui/search-box.tsx';
import { useToken } from '#ui/session.ts';
import { Empty } from '#ui/states.tsx';
import type { MailDialogProps } from './mail-dialog.tsx';
import { MAIL_STATES } from './mail-states.ts';
import { type MailList, mailQuery, signInOptionsQuery } from './queries.ts';

type Props = { delivery: MailList['delivery']; dataMode: DataMode | undefined };

/** Whether email leaves this machine, and what that means for sign-ups. */
function DeliveryNote({ delivery, dataMode }: Props) {
  const { data } = useQuery(signInOptionsQuery);
  if (delivery === 'smtp')
    return <p className="text-sm text-ink-2">Email is sent through the configured SMTP server.</p>;
  if (dataMode === 'demo')
    return (
      <p className="text-sm text-ink-2">
        Demo mode: no email leaves this machine. Everything that would have been sent is stored here.
      </p>
    );
  if (dataMode === undefined) return null;
  return (
    <div role="note" className="rounded-ctl border border-warn/40 bg-warn/10 px-3 py-2 text-sm text-warn">
      <p className="font-semibold">No email leaves this server: SMTP_URL is not set</p>
      {data?.confirmationRequired === false && (
        <p>
          New accounts are signed in without confirming their address, so anyone can sign up with someone else’s
          address.
        </p>
      )}
      {data?.confirmationRequired === true && (
        <p>New accounts must confirm their address, but the confirmation link is only visible on this page.</p>
      )}
    </div>
  );
}

function MailRow({ mail, onOpen }: { mail: OutboxMail; onOpen: () => void }) {
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

const MailDialog = part<MailDialogProps>({
  name: 'The mail',
  load: async () => (await import('./mail-dialog.tsx')).MailDialog,
});

const CARD = { id: 'mail', title: 'Email', className: 'relative min-h-96' };
const FAILED = 'Failed to load admin data';
/** Maximum length of an email address. */
const LONGEST_SEARCH = 254;

export function MailTab({ dataMode }: { dataMode: DataMode | undefined }) {
  const queries = useQueryClient();
  const [q, search] = useState('');
  const [round, setRound] = useState(0);
  const [open, setOpen] = useState<OutboxMail | null>(null);
  const first = useQuery(mailQuery(useToken(), q, null));
  return (
    <Card {...CARD}>
      <CornerButton
        onClick={() => {
          void queries.resetQueries({ queryKey: ['admin-mail'] });
          setRound(round + 1);
        }}
      >
        <RotateCw className="size-3.5" aria-hidden="true" />
        Refresh
      </CornerButton>
      <div className="grid gap-3 px-4 pt-1 pb-3">
        <div className="min-h-10 sm:min-h-4">
          {first.data && <DeliveryNote delivery={first.data.delivery} dataMode={dataMode} />}
        </div>
        <SearchBox label="Search by address or subject" value={q} longest={LONGEST_SEARCH} onSearch={search} />
      </div>
      <Inbox key={`${round} ${q}`} renderPage={(page) => <MailPage {...page} q={q} onOpen={setOpen} />} />
      {open && <MailDialog mail={open} onClose={() => setOpen(null)} />}
    </Card>
  );
}

type PagesProps = { q: string; onOpen: (mail: OutboxMail) => void };

type PageProps = PagesProps & InboxPage;

function MailPage({ q, before, last, onOpen, onMore }: PageProps) {
  const query = useQuery(mailQuery(useToken(), q, before));
  const state = (
    <QueryView
      query={query}
      failed={FAILED}
      loading={<Loading />}
      isEmpty={({ mails }) => mails.length === 0}
      empty={q ? <Empty title="No emails found" /> : <Empty title="No emails yet" note="Account emails appear here." />}
    >
      {() => null}
    </QueryView>
  );
  const mails = query.data?.mails ?? [];
  const oldest = mails.at(-1);
  return (
    <>
      {mails.length === 0 && <li className="flex flex-1 flex-col">{state}</li>}
      {mails.map((mail) => (
        <MailRow key={mail.id} mail={mail} onOpen={() => onOpen(mail)} />
      ))}
      {last && query.data?.more && oldest && <LoadMore onMore={() => onMore(oldest.id)} />}
    </>
  );
}

function Loading() {
  return (
    <div className="grid gap-3 px-4 py-3">
      <output className="sr-only">Loading emails</output>
      <div className="skel h-8" aria-hidden="true" />
      <div className="skel h-8" aria-hidden="true" />
      <div className="skel h-8" aria-hidden="true" />
    </div>
  );
}
