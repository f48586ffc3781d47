import { useQueryClient } from '@tanstack/react-query';

import { ago, dateTime } from '#shared/format.ts';
import { call } from '#web/api/client.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { dayOf } from '#web/ui/day.ts';
import { FormError } from '#web/ui/form.tsx';
import { useNow } from '#web/ui/now.ts';
import { Empty } from '#web/ui/states.tsx';
import { toast } from '#web/ui/toast.ts';
import { useSubmit } from '#web/ui/use-submit.ts';

import { type AdminUser, endUserSessions, type UserDetail } from '../contract.ts';
import { refreshUser } from './queries.ts';

type Props = { user: AdminUser; sessions: UserDetail['sessions'] };

/** Where the person is signed in; one or all of it can be ended. */
export function UserSessions({ user: { id }, sessions }: Props) {
  const queries = useQueryClient();
  const now = useNow(60_000);
  const { busy, failure, submit } = useSubmit('Failed to sign out', async (signal, session: string | null) => {
    const { ended } = await call(endUserSessions, { params: { id: String(id) }, body: { session } }, signal);
    toast('success', ended === 1 ? '1 session was signed out' : `${ended} sessions were signed out`);
    await refreshUser(queries, id);
  });
  return (
    <Card id="user-sessions" title="Sessions" note={<span className="num label">{sessions.length}</span>}>
      {sessions.length === 0 ? (
        <Empty title="Signed in nowhere" />
      ) : (
        <ul>
          {sessions.map((session) => (
            <li
              key={session.id}
              className="flex items-center gap-3 border-t border-line px-4 py-2.5 text-sm first:border-t-0"
            >
              <div className="min-w-0 flex-1">
                <p className="font-medium">{session.device}</p>
                <p className="num text-xs break-words text-ink-3">
                  {session.network} · signed in {dayOf(session.createdAt)} ·{' '}
                  <time dateTime={session.seenAt} title={dateTime(Date.parse(session.seenAt))}>
                    last seen {ago(now - Date.parse(session.seenAt)).toLowerCase()}
                  </time>
                </p>
              </div>
              <Button
                aria-label={`Sign out ${session.device}, ${session.network}`}
                aria-disabled={busy}
                onClick={() => void submit(session.id)}
                className="max-sm:h-10"
              >
                Sign out
              </Button>
            </li>
          ))}
        </ul>
      )}
      {(sessions.length > 0 || failure) && (
        <div className="grid gap-2 border-t border-line px-4 py-3">
          <Button aria-disabled={busy} onClick={() => void submit(null)} className="w-fit max-sm:h-10">
            {busy ? 'Signing out...' : 'Sign out everywhere'}
          </Button>
          <FormError failure={failure} />
        </div>
      )}
    </Card>
  );
}
