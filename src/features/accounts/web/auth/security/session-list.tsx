import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { endSession, endSessions, type Session } from '#features/accounts/contract/auth.ts';
import { CallError } from '#ui/api/client.ts';
import { callWithProof } from '#ui/api/proof.ts';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { QueryView } from '#ui/query-view.tsx';
import { useToken } from '#ui/session.ts';
import { toast } from '#ui/toast.ts';
import { sessionsQuery } from './queries.ts';
import { SessionRow } from './session-row.tsx';

const CARD = { id: 'sessions', title: 'Sessions', className: 'min-h-56' };
const GONE = 404;

type Props = {
  /** Signs this browser out. */
  onSignOut: () => void;
};

export function SessionList({ onSignOut }: Props) {
  const query = useQuery(sessionsQuery(useToken()));
  return (
    <QueryView query={query} card={CARD} failed="Failed to load your sessions">
      {({ sessions }) => <Loaded sessions={sessions} onSignOut={onSignOut} />}
    </QueryView>
  );
}

function Loaded({ sessions, onSignOut }: Props & { sessions: readonly Session[] }) {
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
