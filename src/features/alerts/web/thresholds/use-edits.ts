import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo, useReducer, useState } from 'react';
import { CallError } from '#ui/api/client.ts';
import { useToken } from '#ui/session.ts';
import { toast } from '#ui/toast.ts';

import { type Draft, inputOf, isSound } from './draft.ts';
import { changedElsewhere, draftsOf, type EditAct, editing, isDirty, NO_EDITS } from './edits.ts';
import { type Loaded, save, thresholdsQuery } from './queries.ts';

/** Why the list was not saved; `key` is the affected rule, if known. */
type Refusal = { key: string | null; message: string };

/** 'Number 3: …' and 'thresholds.2.value: …' name a place in the list. */
const PLACE = /^(?:Number (\d+): |thresholds\.(\d+)\b)/;

function refusalOf(error: unknown, drafts: readonly Draft[]): Refusal {
  if (!(error instanceof CallError)) return { key: null, message: 'Something went wrong on this page.' };
  const [named = '', number, index] = PLACE.exec(error.message) ?? [];
  const at = number ? Number(number) - 1 : Number(index ?? -1);
  const message = number ? error.message.slice(named.length) : error.message;
  return { key: drafts[at]?.key ?? null, message };
}

const SAVED_MS = 15_000;
const SAVED = 'Custom alert thresholds saved successfully!';
const FAILED = 'Failed to save thresholds. Please try again.';
const EMPTY: Loaded = { rules: [], tag: null };

type Change = EditAct extends infer A ? (A extends unknown ? Omit<A, 'latest'> : never) : never;

/** The list with what was changed in it, and how it is saved. */
export function useEdits() {
  const token = useToken();
  const queries = useQueryClient();
  const options = thresholdsQuery(token);
  const query = useQuery(options);
  const latest = query.data ?? EMPTY;
  const [edits, dispatch] = useReducer(editing, NO_EDITS);
  const [saving, setSaving] = useState(false);
  const [refusal, refuse] = useState<Refusal | null>(null);

  const act = useCallback(
    (change: Change) => {
      const list = queries.getQueryData<Loaded>(['thresholds', token]) ?? EMPTY;
      dispatch({ ...change, latest: list });
    },
    [queries, token],
  );

  const base = edits.base ?? latest;
  const drafts = useMemo(() => draftsOf(edits, base), [edits, base]);
  const kept = drafts.filter(({ key }) => !edits.removed.has(key));

  async function send(tag: string | null): Promise<void> {
    const list = await save(kept.map(inputOf), tag);
    await queries.cancelQueries({ queryKey: options.queryKey });
    queries.setQueryData(options.queryKey, list);
    dispatch({ kind: 'saved', sent: kept, list, latest: list });
    toast('success', SAVED, SAVED_MS);
  }

  /** Another tab may have saved the very same, or nothing that a person would see: then ours goes on top. */
  async function sendAgain(): Promise<void> {
    const { data } = await query.refetch();
    if (data && !changedElsewhere(edits, data)) await send(data.tag);
  }

  async function saveAll(): Promise<Draft | null> {
    if (saving) return null;
    refuse(null);
    const unsound = kept.find((draft) => !isSound(draft));
    if (unsound) {
      toast('error', 'An alert needs your attention before it can be saved.');
      return unsound;
    }
    setSaving(true);
    try {
      await send(base.tag).catch((error: unknown) => {
        if (error instanceof CallError && error.status === 412) return sendAgain();
        throw error;
      });
      return null;
    } catch (error) {
      toast('error', FAILED);
      const refused = refusalOf(error, kept);
      refuse(refused);
      return kept.find(({ key }) => key === refused.key) ?? null;
    } finally {
      setSaving(false);
    }
  }

  return {
    query,
    latest,
    edits,
    drafts,
    act,
    saving,
    refusal,
    saveAll,
    dirty: isDirty(edits),
    conflict: changedElsewhere(edits, latest),
  };
}
