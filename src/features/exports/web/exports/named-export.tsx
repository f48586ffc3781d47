import { useQuery } from '@tanstack/react-query';
import { Card } from '#ui/card.tsx';
import { QueryView } from '#ui/query-view.tsx';
import { useToken } from '#ui/session.ts';

import { ExportRow } from './exports-list.tsx';
import { exportQuery } from './queries.ts';

const CARD = { id: 'named-export', title: 'Linked Export', className: 'min-h-24' };

/** The target of an email link. */
export function NamedExport({ id }: { id: string }) {
  const query = useQuery(exportQuery(useToken(), id));
  return (
    <QueryView
      query={query}
      card={CARD}
      failed="This export was not found. It was deleted or belongs to another account."
    >
      {(item) => (
        <Card {...CARD}>
          <ul aria-label={CARD.title}>
            <ExportRow item={item} marked />
          </ul>
        </Card>
      )}
    </QueryView>
  );
}
