import { useQuery } from '@tanstack/react-query';

import type { DataMode } from '#shared/provenance.ts';

import { type MailList, signInOptionsQuery } from './queries.ts';

type Props = { delivery: MailList['delivery']; dataMode: DataMode | undefined };

/** Whether mail leaves this machine, and what follows for those who sign up. */
export function DeliveryNote({ delivery, dataMode }: Props) {
  const { data } = useQuery(signInOptionsQuery);
  if (delivery === 'smtp')
    return <p className="text-sm text-ink-2">Mail is sent through the configured SMTP server.</p>;
  if (dataMode === 'demo')
    return (
      <p className="text-sm text-ink-2">
        Demo mode: no mail leaves this machine. Everything that would have been sent is kept here.
      </p>
    );
  if (dataMode === undefined) return null;
  return (
    <div role="note" className="rounded-ctl border border-warn/40 bg-warn/10 px-3 py-2 text-sm text-warn">
      <p className="font-semibold">No mail leaves this machine: SMTP_URL is not set</p>
      {data?.confirmationRequired === false && (
        <p>
          New accounts are signed in without confirming their address, so anyone can sign up with an address of others.
        </p>
      )}
      {data?.confirmationRequired === true && (
        <p>New accounts must confirm their address, and the link for it reaches nobody but the readers of this page.</p>
      )}
    </div>
  );
}
