import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useSyncExternalStore } from 'react';

import { useToken } from '#ui/session.ts';

import { autosaveOf, type Change } from './autosave.ts';
import { preferencesQuery } from './queries.ts';

/** Lays something over the choices; the whole of them is saved with it. */
export type OnChange = (change: Change) => void;

/** The choices as they are shown: what is stored, and over it what is not saved yet. */
export function usePreferences() {
  const token = useToken();
  const queries = useQueryClient();
  const query = useQuery(preferencesQuery(token));
  const autosave = useMemo(() => autosaveOf(queries, token ?? ''), [queries, token]);
  const unsaved = useSyncExternalStore(autosave.subscribe, autosave.unsaved);
  const saving = unsaved.length > 0;
  useEffect(() => {
    if (!saving) return undefined;
    const hold = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', hold);
    return () => removeEventListener('beforeunload', hold);
  }, [saving]);
  const shown = query.data && unsaved.reduce((preferences, change) => change(preferences), query.data);
  return { token, query, shown, saving, change: autosave.change };
}
