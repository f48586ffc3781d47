import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { exportsTopic } from '#features/exports/contract/exports.ts';
import type { TopicData } from '#shared/contract.ts';
import { useToken } from '#ui/session.ts';
import { exportQuery, historyQuery, isMaking, refreshExports } from './queries.ts';

type News = TopicData<typeof exportsTopic>;

/** Lays what the stream tells of exports over the lists; when one has ended, or is not listed yet, they are read again. */
export function useNews(): void {
  const queries = useQueryClient();
  const token = useToken();
  useEffect(() => {
    const { queryKey } = historyQuery(token);
    return queries.getQueryCache().subscribe((event) => {
      if (event.type !== 'updated' || event.action.type !== 'success') return;
      if (event.query.queryKey[0] !== 'export-news') return;
      const { id, state, progress } = event.action.data as News;
      const isListed = queries.getQueryData(queryKey)?.some((item) => item.id === id) ?? false;
      if (!isListed || !isMaking({ state })) {
        void refreshExports(queries);
        return;
      }
      queries.setQueryData(queryKey, (old) =>
        old?.map((item) => (item.id === id ? { ...item, state, progress } : item)),
      );
      queries.setQueryData(exportQuery(token, id).queryKey, (old) => old && { ...old, state, progress });
    });
  }, [queries, token]);
}
