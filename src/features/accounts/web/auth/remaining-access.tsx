import { useState } from 'react';
import type { RemainingAccess as Access } from '#features/accounts/contract/auth.ts';
import { FormError, FormNote, SECONDARY } from '#ui/form.tsx';
import { useSubmit } from '#ui/use-submit.ts';
import { endAccess } from './queries.ts';

const KINDS: Record<Access['kind'], string> = {
  api_key: 'API key',
  webhook: 'Webhook',
  telegram: 'Telegram',
  passkey: 'Passkey',
};

type Props = { remaining: readonly Access[]; endToken: string };

/** What a reset does not end, with one button that does. */
export function RemainingAccess({ remaining, endToken }: Props) {
  const [ended, setEnded] = useState(false);
  const { busy, failure, submit } = useSubmit('Failed to revoke access', async (signal) => {
    await endAccess(endToken, signal);
    setEnded(true);
  });
  if (ended) return <FormNote>All other access has been revoked.</FormNote>;
  return (
    <section aria-labelledby="remaining" className="grid gap-3 rounded-ctl border border-warn/40 bg-warn/10 p-3">
      <h2 id="remaining" className="text-sm font-medium">
        These still have access to your account. Revoke all access if you do not recognize an entry.
      </h2>
      <ul className="grid max-h-60 gap-1.5 overflow-y-auto text-sm">
        {remaining.map(({ kind, name }, i) => (
          // oxlint-disable-next-line react/no-array-index-key -- the list never changes, and names repeat
          <li key={i} className="flex gap-2">
            <span className="w-20 shrink-0 text-ink-2">{KINDS[kind]}</span>
            <span className="min-w-0 break-words">{name}</span>
          </li>
        ))}
      </ul>
      <FormError failure={failure} />
      <button type="button" aria-disabled={busy} onClick={() => void submit()} className={SECONDARY}>
        {busy ? 'Revoking access...' : 'Revoke all access'}
      </button>
    </section>
  );
}
