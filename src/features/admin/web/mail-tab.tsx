import { useQuery, useQueryClient } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import { useState } from 'react';

import type { DataMode } from '#shared/provenance.ts';
import { useToken } from '#web/session.ts';
import { Card } from '#web/ui/card.tsx';
import { CornerButton } from '#web/ui/corner-button.tsx';
import { Inbox, type InboxPage, LoadMore } from '#web/ui/inbox.tsx';
import { part } from '#web/ui/part.tsx';
import { QueryView } from '#web/ui/query-view.tsx';
import { SearchBox } from '#web/ui/search-box.tsx';
import { Empty } from '#web/ui/states.tsx';
import type { OutboxMail } from '../contract.ts';
import { DeliveryNote } from './delivery-note.tsx';
import type { MailDialogProps } from './mail-dialog.tsx';
import { MailRow } from './mail-row.tsx';
import { mailQuery } from './queries.ts';

const MailDialog = part<MailDialogProps>({
  name: 'The mail',
  load: async () => (await import('./mail-dialog.tsx')).MailDialog,
});

const CARD = { id: 'mail', title: 'Mail', className: 'relative min-h-96' };
const FAILED = 'Failed to load admin data';
/** As long as an address can be. */
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
        {first.data && <DeliveryNote delivery={first.data.delivery} dataMode={dataMode} />}
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
      empty={
        q ? <Empty title="No mail found" /> : <Empty title="No mail yet" note="Mail about accounts appears here." />
      }
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
      <output className="sr-only">Loading mail</output>
      <div className="skel h-8" aria-hidden="true" />
      <div className="skel h-8" aria-hidden="true" />
      <div className="skel h-8" aria-hidden="true" />
    </div>
  );
}
