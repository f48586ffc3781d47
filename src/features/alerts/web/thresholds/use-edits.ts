import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo, useReducer, useState } from 'react';
import type { Threshold } from '#features/alerts/contract/thresholds.ts';
import { CallError } from '#ui/api/client.ts';
import { useToken } from '#ui/session.ts';
import { toast } from '#ui/toast.ts';
import { type Draft, isValid, sameRule, toDraft, toInput } from './draft.ts';
import { type Loaded, save, thresholdsQuery } from './queries.ts';

/** Unsaved edits over the list they were made on. */
type Edits = {
  /** The list at the first edit; null while nothing is edited. */
  base: Loaded | null;
  added: readonly Draft[];
  changed: ReadonlyMap<number, Draft>;
  /** Keys of removed rules, existing or added. */
  removed: ReadonlySet<string>;
  /** Keys of rules that were added here and have since been saved. */
  keys: ReadonlyMap<number, string>;
};

const NO_EDITS: Edits = { base: null, added: [], changed: new Map(), removed: new Set(), keys: new Map() };

type Act =
  | { kind: 'add'; draft: Draft }
  | { kind: 'change'; draft: Draft }
  | { kind: 'remove' | 'restore'; key: string }
  /** `sent` was saved, in the order of `list`; later edits remain unsaved. */
  | { kind: 'saved'; sent: readonly Draft[]; list: Loaded }
  /** Applies the edits to another version of the list. */
  | { kind: 'rebase' }
  | { kind: 'discard' };
/** `latest` is the list as last fetched. */
type EditAct = Act & { latest: Loaded };

const draftKey = (edits: Edits, id: number): string => edits.keys.get(id) ?? `rule-${id}`;
const without = <T>(set: ReadonlySet<T>, member: T) => new Set([...set].filter((each) => each !== member));
const findOriginal = (edits: Edits, list: Loaded, id: number): Draft | undefined => {
  const rule = list.rules.find((each) => each.id === id);
  return rule && toDraft(rule, draftKey(edits, id));
};

/** Added here and not saved: once saved it retains its key. */
const isAdded = ({ added }: Edits, key: string): boolean => added.some((draft) => draft.key === key);

const isDirty = (edits: Edits): boolean =>
  edits.changed.size > 0 ||
  edits.added.some(({ key }) => !edits.removed.has(key)) ||
  [...edits.removed].some((key) => !isAdded(edits, key));

export const isNew = (edits: Edits, draft: Draft): boolean => isAdded(edits, draft.key);
export const isChanged = (edits: Edits, draft: Draft): boolean => draft.id !== null && edits.changed.has(draft.id);

function change(edits: Edits, draft: Draft, list: Loaded): Edits {
  if (isNew(edits, draft))
    return { ...edits, added: edits.added.map((each) => (each.key === draft.key ? draft : each)) };
  if (draft.id === null) return edits;
  const original = findOriginal(edits, list, draft.id);
  const changed = new Map(edits.changed);
  if (original && sameRule(original, draft)) changed.delete(draft.id);
  else changed.set(draft.id, draft);
  return { ...edits, changed };
}

function saved(edits: Edits, sent: readonly Draft[], list: Loaded): Edits {
  const keys = new Map(edits.keys);
  for (const [i, draft] of sent.entries()) {
    const rule = list.rules[i];
    if (rule && draft.id === null) keys.set(rule.id, draft.key);
  }
  let next: Edits = { ...NO_EDITS, keys };
  const before = new Map(sent.map((draft, i) => [draft.key, { draft, id: list.rules[i]?.id }] as const));
  for (const draft of [...edits.added, ...edits.changed.values()]) {
    const known = before.get(draft.key);
    if (!known) next = edits.removed.has(draft.key) ? next : { ...next, added: [...next.added, draft] };
    else if (known.draft !== draft && known.id !== undefined) next = change(next, { ...draft, id: known.id }, list);
  }
  const removed = [...edits.removed].filter((key) => before.has(key));
  return { ...next, removed: new Set(removed), base: list };
}

/**
 * Added rules that the list now contains: they were saved here, but the response was lost. Each rule of the list
 * matches one of them.
 */
function arrived({ base, added }: Edits, { rules }: Loaded): ReadonlySet<Draft> {
  const before = new Set(base?.rules.map(({ id }) => id));
  const news = rules.filter(({ id }) => !before.has(id)).map((rule) => toDraft(rule, ''));
  const found = new Set<Draft>();
  for (const draft of added) {
    const at = news.findIndex((each) => sameRule({ ...each, id: null }, draft));
    if (at < 0) continue;
    news.splice(at, 1);
    found.add(draft);
  }
  return found;
}

function rebase(edits: Edits, latest: Loaded): Edits {
  const saved = arrived(edits, latest);
  const ids = new Set(latest.rules.map(({ id }) => id));
  const lost = [...edits.changed.values()].filter(({ id }) => id !== null && !ids.has(id));
  const known = new Set([...ids].map((id) => draftKey(edits, id)));
  let next: Edits = {
    ...edits,
    base: latest,
    added: [
      ...edits.added.filter((draft) => !saved.has(draft)),
      ...lost.map((draft) => ({ ...draft, id: null, key: `new-of-${draft.id}` })),
    ],
    changed: new Map(),
    removed: new Set([...edits.removed].filter((key) => isAdded(edits, key) || known.has(key))),
  };
  for (const draft of edits.changed.values())
    if (draft.id !== null && ids.has(draft.id)) next = change(next, draft, latest);
  return next;
}

function act(edits: Edits, action: EditAct): Edits {
  const { latest } = action;
  const list = edits.base ?? latest;
  switch (action.kind) {
    case 'add':
      return { ...edits, added: [action.draft, ...edits.added] };
    case 'change':
      return change(edits, action.draft, list);
    case 'remove':
      return { ...edits, removed: new Set([...edits.removed, action.key]) };
    case 'restore':
      return { ...edits, removed: without(edits.removed, action.key) };
    case 'saved':
      return saved(edits, action.sent, action.list);
    case 'rebase':
      return rebase(edits, latest);
    default:
      return { ...NO_EDITS, keys: edits.keys };
  }
}

function editing(edits: Edits, action: EditAct): Edits {
  const next = act(edits, action);
  return { ...next, base: isDirty(next) ? (next.base ?? action.latest) : null };
}

/** The list as shown, with added rules on top. */
function currentDrafts(edits: Edits, list: Loaded): Draft[] {
  const own = list.rules.map((rule) => edits.changed.get(rule.id) ?? toDraft(rule, draftKey(edits, rule.id)));
  return [...edits.added, ...own];
}

const serializeRules = ({ rules }: Loaded): string => JSON.stringify(rules.map((rule) => [rule.id, ruleContent(rule)]));
const ruleContent = ({ name, description, metric, condition, value, enabled, options }: Threshold) => [
  name,
  description,
  metric,
  condition,
  value,
  enabled,
  options,
];

/** Whether the list was changed elsewhere since the first edit here; states and current values do not count. */
const changedElsewhere = ({ base }: Edits, latest: Loaded): boolean =>
  base !== null && base.tag !== latest.tag && serializeRules(base) !== serializeRules(latest);

/** Why the list was not saved; `key` is the affected rule, if known. */
type Refusal = { key: string | null; message: string };

/** 'Number 3: …' and 'thresholds.2.value: …' refer to a position in the list. */
const PLACE = /^(?:Number (\d+): |thresholds\.(\d+)\b)/;

function toRefusal(error: unknown, drafts: readonly Draft[]): Refusal {
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

/** The list with its unsaved edits, and how it is saved. */
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
  const drafts = useMemo(() => currentDrafts(edits, base), [edits, base]);
  const kept = drafts.filter(({ key }) => !edits.removed.has(key));

  async function send(tag: string | null): Promise<void> {
    const list = await save(kept.map(toInput), tag);
    await queries.cancelQueries({ queryKey: options.queryKey });
    queries.setQueryData(options.queryKey, list);
    dispatch({ kind: 'saved', sent: kept, list, latest: list });
    toast('success', SAVED, SAVED_MS);
  }

  /** Another tab may have saved the same list, or only invisible changes: then the edits are applied on top. */
  async function sendAgain(): Promise<void> {
    const { data } = await query.refetch();
    if (data && !changedElsewhere(edits, data)) await send(data.tag);
  }

  async function saveAll(): Promise<Draft | null> {
    if (saving) return null;
    refuse(null);
    const unsound = kept.find((draft) => !isValid(draft));
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
      const refused = toRefusal(error, kept);
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
