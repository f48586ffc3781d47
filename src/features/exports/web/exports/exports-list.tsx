import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { CallError } from '#ui/api/client.ts';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { CardFrame } from '#ui/card-frame.tsx';
import { useToken } from '#ui/session.ts';
import { Empty } from '#ui/states.tsx';

import { ExportRow } from './export-row.tsx';
import { historyQuery } from './queries.ts';

type Props = {
  title: string;
  /** How many are shown, the newest first. */
  most?: number;
  /** The export that the address names. */
  marked?: string | null;
  action?: ReactNode;
  /** What is said when the list is refused: to those who are not signed in, and to a lower plan. */
  refusal: readonly [signedOut: string, lower: string];
};

/** What the person has exported. A list that cannot be read is an empty one, which says so. */
export function ExportsList({ title, most, marked = null, action, refusal }: Props) {
  const { data, error, refetch } = useQuery(historyQuery(useToken()));
  const card = { id: 'exports', title, className: 'min-h-56' };
  if (!data && !error) return <CardFrame {...card} />;
  const items = (data ?? []).slice(0, most);
  return (
    <Card {...card} action={items.length > 0 && action}>
      {items.length > 0 ? (
        <ul aria-label={title}>
          {items.map((item) => (
            <ExportRow key={item.id} item={item} marked={item.id === marked} />
          ))}
        </ul>
      ) : (
        <>
          <Empty title="No exports yet" note="Your exports appear here with their files and manifests." />
          {error && !data && (
            <div role="alert" className="flex flex-wrap items-center justify-center gap-3 px-4 pb-6 text-sm text-ink-2">
              {refusalOf(error, refusal)}
              <Button className="max-sm:h-10" onClick={() => void refetch()}>
                Retry
              </Button>
            </div>
          )}
        </>
      )}
    </Card>
  );
}

function refusalOf(error: Error, [signedOut, lower]: Props['refusal']): string {
  const status = error instanceof CallError ? error.status : 0;
  if (status === 401) return signedOut;
  return status === 403 ? lower : 'Couldn’t refresh the list.';
}
