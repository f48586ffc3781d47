import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { getMail, OutboxMail } from '#features/operations/contract/admin.ts';
import { dateTime } from '#shared/format.ts';
import { type Reply } from '#ui/api/client.ts';
import { Badge } from '#ui/badge.tsx';
import { MailFrame } from '#ui/mail-frame.tsx';
import { Modal } from '#ui/modal.tsx';
import { QueryView } from '#ui/query-view.tsx';
import { Segmented } from '#ui/segmented.tsx';
import { useToken } from '#ui/session.ts';
import { MAIL_STATES } from './mail-states.ts';
import { oneMailQuery } from './queries.ts';

export type MailDialogProps = { mail: OutboxMail; onClose: () => void };

const VIEWS = ['HTML', 'Text'] as const;

export function MailDialog({ mail, onClose }: MailDialogProps) {
  const query = useQuery(oneMailQuery(useToken(), mail.id));
  return (
    <Modal title={mail.subject} wide onClose={onClose}>
      <Facts mail={mail} />
      <QueryView query={query} failed="Failed to load the email" loading={<div className="skel mt-3 h-[60vh]" />}>
        {(whole) => <Body {...whole} />}
      </QueryView>
    </Modal>
  );
}

function Facts({ mail: { to, state, note, kind, createdAt, sentAt } }: { mail: OutboxMail }) {
  return (
    <dl className="grid gap-x-6 gap-y-1 text-sm sm:grid-cols-2">
      <Fact name="To">{to}</Fact>
      <Fact name="State">
        <Badge tone={MAIL_STATES[state].tone}>{MAIL_STATES[state].words}</Badge>
        {note && <span className="ml-2 break-words text-ink-2">{note}</span>}
      </Fact>
      <Fact name="Written">{dateTime(Date.parse(createdAt))}</Fact>
      <Fact name="Sent">{sentAt ? dateTime(Date.parse(sentAt)) : 'Not sent'}</Fact>
      <Fact name="Kind">{kind}</Fact>
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex gap-2">
      <dt className="w-14 shrink-0 text-ink-3">{name}</dt>
      <dd className="num min-w-0 break-words">{children}</dd>
    </div>
  );
}

function Body({ html, text, subject, linksHidden }: Reply<typeof getMail>) {
  const [view, setView] = useState<(typeof VIEWS)[number]>('HTML');
  return (
    <div className="mt-3">
      {linksHidden && (
        <p className="mb-2 text-sm text-ink-2">
          Links that give access to this account are hidden. They work only in the email that was sent.
        </p>
      )}
      <Segmented label="Email format" value={view} options={VIEWS} onChange={setView} className="mb-2" />
      {view === 'HTML' ? (
        <MailFrame subject={subject} html={html} className="h-[60vh]" />
      ) : (
        <pre
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keys
          tabIndex={0}
          className="h-[60vh] overflow-auto rounded-ctl border border-line bg-bg p-3 text-sm whitespace-pre-wrap"
        >
          {text}
        </pre>
      )}
    </div>
  );
}
