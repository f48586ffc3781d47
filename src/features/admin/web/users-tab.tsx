import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { useToken } from '#web/session.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { CardFrame } from '#web/ui/card-frame.tsx';
import { part } from '#web/ui/part.tsx';
import { QueryView } from '#web/ui/query-view.tsx';
import { SearchBox } from '#web/ui/search-box.tsx';
import { useSearchParams } from '#web/ui/search-params.ts';
import { Empty } from '#web/ui/states.tsx';
import { type AdminUser, MOST_USERS } from '../contract.ts';
import type { DeleteUserProps } from './delete-user-dialog.tsx';
import { userCountQuery, usersQuery } from './queries.ts';
import type { SetPlanProps } from './set-plan-dialog.tsx';
import { UsersTable, type UsersTableProps } from './users-table.tsx';

const SetPlanDialog = part<SetPlanProps>({
  name: 'The dialog',
  load: async () => (await import('./set-plan-dialog.tsx')).SetPlanDialog,
});

const DeleteUserDialog = part<DeleteUserProps>({
  name: 'The dialog',
  load: async () => (await import('./delete-user-dialog.tsx')).DeleteUserDialog,
});
const USER = { id: 'user', title: 'User', className: 'min-h-96' };
const UserPage = part<{ id: string }>({
  name: 'The user',
  load: async () => (await import('./user-page.tsx')).UserPage,
  loading: <CardFrame {...USER} />,
  frame: (state) => <CardFrame {...USER}>{state}</CardFrame>,
});

const CARD = { id: 'users', title: 'User Management', className: 'min-h-96' };
const FAILED = 'Failed to load admin data';
/** As long as an address can be. */
const LONGEST_SEARCH = 254;
/** Rows drawn at a time. */
const STEP = 100;

const count = (n: number) => n.toLocaleString('en-US');

/** How many there are, also beyond the list; until that is known the list says at least how many. */
function useTotal(q: string, listed: number | undefined): { text: string; known: number | undefined } {
  const { data } = useQuery(userCountQuery(useToken(), q, listed));
  if (listed !== MOST_USERS) return { text: count(listed ?? 0), known: listed };
  return { text: data ? count(data.total) : `${MOST_USERS}+`, known: data?.total };
}

/** The list, or the one person whom the address names. */
export function UsersTab() {
  const [params] = useSearchParams();
  const user = params.get('user');
  return user === null ? <UserList /> : <UserPage key={user} id={user} />;
}

function UserList() {
  const token = useToken();
  const [q, search] = useState('');
  const [chosen, choose] = useState<AdminUser | null>(null);
  const [leaving, remove] = useState<AdminUser | null>(null);
  const all = useQuery(usersQuery(token, ''));
  const found = useQuery({ ...usersQuery(token, q), placeholderData: (earlier) => earlier });
  const total = useTotal('', all.data?.length);
  const matching = useTotal(q, found.data?.length);
  return (
    <QueryView query={all} card={CARD} failed={FAILED}>
      {() => (
        <Card
          {...CARD}
          note={
            <output className="label num">
              {matching.text} of {total.text} users
            </output>
          }
        >
          <div className="px-4 pt-1 pb-3">
            <SearchBox label="Search by email" value={q} longest={LONGEST_SEARCH} onSearch={search} />
            {found.data && matching.known !== undefined && found.data.length < matching.known && (
              <p className="num pt-2 text-sm text-ink-2">
                {count(found.data.length)} of {count(matching.known)} shown, search to narrow
              </p>
            )}
          </div>
          <QueryView
            query={found}
            failed={FAILED}
            isEmpty={(rows) => rows.length === 0}
            empty={<Empty title="No users found" />}
          >
            {(rows) => <Found key={q} users={rows} onSetPlan={choose} onDelete={remove} />}
          </QueryView>
          {chosen && <SetPlanDialog user={chosen} onClose={() => choose(null)} />}
          {leaving && <DeleteUserDialog user={leaving} onClose={() => remove(null)} />}
        </Card>
      )}
    </QueryView>
  );
}

function Found({ users, ...acts }: UsersTableProps) {
  const [shown, setShown] = useState(STEP);
  return (
    <>
      <UsersTable users={users.slice(0, shown)} {...acts} />
      {shown < users.length && (
        <div className="border-t border-line px-4 py-3 text-center">
          <Button onClick={() => setShown(shown + STEP)} className="max-sm:h-10">
            Show {Math.min(STEP, users.length - shown)} more
          </Button>
        </div>
      )}
    </>
  );
}
