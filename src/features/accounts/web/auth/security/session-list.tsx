import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Monitor } from 'lucide-react';
import { useState } from 'react';

import { endSession, endSessions, type Session } from '#features/accounts/contract/auth.ts';
import { ago, dateTime } from '#shared/format.ts';
import { CallError } from '#ui/api/client.ts';
import { callWithProof } from '#ui/api/proof.ts';
import { Badge } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { dayOf } from '#ui/day.ts';
import { useNow } from '#ui/now.ts';
import { QueryView } from '#ui/query-view.tsx';
import { useToken } from '#ui/session.ts';
import { toast } from '#ui/toast.ts';

import { sessionsQuery } from './queries.ts';

type SessionRowProps = { session: Session; busy: boolean; onEnd: () => void };

function SessionRow({ session: { device, network, createdAt, seenAt, current }, busy, onEnd }: SessionRowProps) {
  const now = useNow(60_000);
  return (
    <li className="flex items-center gap-3 border-t border-line px-4 py-3 first:border-t-0">
      <Monitor className="size-4 shrink-0 text-ink-3" aria-hidden="true" />
      <div className="min-w-0 flex-1 text-sm">
        <p className="flex flex-wrap items-center gap-x-2 font-medium">
          {device}
          {current && <Badge tone="up">This session</Badge>}
        </p>
        <p className="num text-xs break-words text-ink-3">
          {network} · signed in {dayOf(createdAt)} ·{' '}
          <time dateTime={seenAt} title={dateTime(Date.parse(seenAt))}>
            {current ? 'active now' : `last seen ${ago(now - Date.parse(seenAt)).toLowerCase()}`}
          </time>
        </p>
      </div>
      <Button
        aria-label={current ? 'Sign out of this session' : `Sign out of ${device}, ${network}`}
        aria-disabled={busy}
        onClick={onEnd}
        className="max-sm:h-10"
      >
        {busy ? 'Signing out...' : 'Sign out'}
      </Button>
    </li>
  );
}

const CARD = { id: 'sessions', title: 'Sessions', className: 'min-h-56' };
const GONE = 404;

type SessionListProps = {
  /** Signs this browser out. */
  onSignOut: () => void;
};

export function SessionList({ onSignOut }: SessionListProps) {
  const query = useQuery(sessionsQuery(useToken()));
  return (
    <QueryView query={query} card={CARD} failed="Failed to load your sessions">
      {({ sessions }) => <Loaded sessions={sessions} onSignOut={onSignOut} />}
    </QueryView>
  );
}

function Loaded({ sessions, onSignOut }: SessionListProps & { sessions: readonly Session[] }) {
  const queries = useQueryClient();
  const [ending, setEnding] = useState<string | null>(null);
  const others = sessions.filter(({ current }) => !current).length;

  async function end(which: string, act: () => Promise<string | null>): Promise<void> {
    if (ending) return;
    setEnding(which);
    try {
      const done = await act();
      if (done) toast('success', done);
    } catch (error) {
      toast('error', error instanceof CallError ? error.message : 'Failed to sign out');
      if (!(error instanceof CallError) || error.status !== GONE) return;
    } finally {
      setEnding(null);
    }
    await queries.invalidateQueries({ queryKey: ['sessions'] });
  }

  const endOne = ({ id, device }: Session) =>
    end(id, async () => ((await callWithProof(endSession, { params: { id } })) ? `${device} was signed out` : null));
  const endOthers = () =>
    end('others', async () => {
      const reply = await callWithProof(endSessions, { body: { keepCurrent: true } });
      return reply && `${reply.ended} other ${reply.ended === 1 ? 'session was' : 'sessions were'} signed out`;
    });
  const endAll = () =>
    end('all', async () => {
      if (await callWithProof(endSessions, { body: { keepCurrent: false } })) onSignOut();
      return null;
    });

  return (
    <Card
      {...CARD}
      note={<span className="label">{sessions.length === 1 ? '1 session' : `${sessions.length} sessions`}</span>}
    >
      <ul>
        {sessions.map((session) => (
          <SessionRow
            key={session.id}
            session={session}
            busy={ending === session.id}
            onEnd={session.current ? onSignOut : () => void endOne(session)}
          />
        ))}
      </ul>
      <div className="mt-auto flex flex-wrap gap-2 border-t border-line px-4 py-3">
        {others > 0 && (
          <Button aria-disabled={ending === 'others'} onClick={() => void endOthers()} className="max-sm:h-10">
            Sign out of all other sessions
          </Button>
        )}
        <Button aria-disabled={ending === 'all'} onClick={() => void endAll()} className="max-sm:h-10">
          Sign out everywhere
        </Button>
      </div>
    </Card>
  );
}
