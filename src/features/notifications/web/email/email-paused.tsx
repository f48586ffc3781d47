import { useQuery, useQueryClient } from '@tanstack/react-query';
import { MailWarning } from 'lucide-react';
import { resumeEmail } from '#features/notifications/contract/email.ts';
import { call } from '#ui/api/client.ts';
import { Button } from '#ui/button.tsx';
import { useToken } from '#ui/session.ts';
import { useSubmit } from '#ui/use-submit.ts';
import { emailStatusQuery } from './queries.ts';

/** Explains why notification email is paused for a user who wants it, and what to do. Hidden while email is sent. */
export function EmailPaused() {
  const token = useToken();
  const queries = useQueryClient();
  const { data } = useQuery(emailStatusQuery(token));
  const { busy, failure, submit } = useSubmit('Failed to resume emails', async (signal) => {
    queries.setQueryData(emailStatusQuery(token).queryKey, await call(resumeEmail, {}, signal));
  });
  if (!data?.suppressed) return null;
  const { address, suppressed } = data;
  return (
    <section aria-label="Emails are paused" className="card flex gap-3 border-warn/40 bg-warn/10 p-4 text-sm">
      <MailWarning className="mt-0.5 size-5 shrink-0 text-warn" aria-hidden="true" />
      <div className="grid min-w-0 gap-2">
        <p className="break-words">
          <strong className="font-medium">Alerts are not being emailed to {address}.</strong> {suppressed.note}
        </p>
        {suppressed.reason === 'refused' ? (
          <p className="text-ink-2">
            Use a different address, or request an account email: one successful delivery ends the pause.
          </p>
        ) : (
          <div>
            <Button disabled={busy} onClick={() => void submit()}>
              {busy ? 'Resuming…' : 'Resume Emails'}
            </Button>
          </div>
        )}
        {failure && (
          <p role="alert" className="font-medium text-down">
            {failure.message}
          </p>
        )}
      </div>
    </section>
  );
}
