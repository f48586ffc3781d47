import { BrainCircuit, ChevronDown, Plus } from 'lucide-react';
import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { WatchedMetric } from '#shared/watched.ts';
import { Button } from '#ui/button.tsx';
import { PRIMARY } from '#ui/form.tsx';
import { guardPage } from '#ui/leaving.ts';
import { Menu, MenuItem } from '#ui/menu.tsx';
import { ErrorState } from '#ui/states.tsx';

import './thresholds.css';
import type { Draft } from './draft.ts';
import { isPrice } from './labels.ts';
import { Conflict, Full, Leaving, NoneYet, Removed } from './notes.tsx';
import { cardId, RuleCard } from './rule-card.tsx';
import { AI_ALERTS, coinMetric, EXAMPLES, type Market, makeDraft, NEW } from './templates.ts';
import { isChanged, isNew, useEdits } from './use-edits.ts';

type AddMenuProps = { disabled: boolean; onAdd: (metric: WatchedMetric, name: string) => void };

/** The four AI predictions, each added with one click. */
const AiMenu = ({ disabled, onAdd }: AddMenuProps) => (
  <Menu
    label="AI Alerts"
    renderOpener={(props) => (
      <Button {...props} disabled={disabled} className="h-10! disabled:cursor-default disabled:opacity-60 max-sm:h-11!">
        <BrainCircuit className="size-4" aria-hidden="true" />
        AI Alerts
        <ChevronDown className="size-3.5 text-ink-3" aria-hidden="true" />
      </Button>
    )}
  >
    {AI_ALERTS.map(([name, metric]) => (
      <MenuItem key={metric} onSelect={() => onAdd(metric, name)}>
        {name}
      </MenuItem>
    ))}
  </Menu>
);

type RuleBarProps = {
  dirty: boolean;
  saving: boolean;
  /** Adding is unavailable: the list is not loaded, or it is full. */
  closed: boolean;
  onAdd: () => void;
  onAddAi: (metric: WatchedMetric, name: string) => void;
  onSave: () => void;
};

/** Actions on the whole list; on the phone within reach of the thumb. */
function RuleBar({ dirty, saving, closed, onAdd, onAddAi, onSave }: RuleBarProps) {
  return (
    <div role="group" aria-label="Custom alerts" className="rule-bar flex flex-wrap items-center gap-2">
      <Button
        aria-label="Add Threshold"
        disabled={closed}
        onClick={onAdd}
        className="h-10! disabled:cursor-default disabled:opacity-60 max-sm:h-11!"
      >
        <Plus className="size-4" aria-hidden="true" />
        <span>
          Add <span className="max-sm:hidden">Threshold</span>
        </span>
      </Button>
      <AiMenu disabled={closed} onAdd={onAddAi} />
      <output className="ml-auto text-sm text-ink-2 max-sm:hidden">{dirty && !saving && 'Unsaved changes'}</output>
      <button type="button" disabled={!dirty || saving} onClick={onSave} className={`${PRIMARY} max-sm:ml-auto`}>
        {saving ? 'Saving...' : 'Save All'}
      </button>
    </div>
  );
}

type Asked = { leave: () => void; stay: () => void };

/** While `on`, leaving the page by link, Back or closing asks for confirmation. Null while not leaving. */
function useLeaveGuard(on: boolean): Asked | null {
  const [go, setGo] = useState<(() => void) | null>(null);
  useEffect(() => {
    if (!on) return undefined;
    const free = guardPage((next) =>
      setGo(() => () => {
        free();
        next();
      }),
    );
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', onUnload);
    return () => {
      free();
      removeEventListener('beforeunload', onUnload);
    };
  }, [on]);
  if (!go) return null;
  return {
    stay: () => setGo(null),
    leave: () => {
      setGo(null);
      go();
    },
  };
}

/** Alert counts as currently edited. */
function Summary({ drafts }: { drafts: readonly Draft[] | null }) {
  const counts: [name: string, count: number | undefined][] = [
    ['Total Alerts', drafts?.length],
    ['Active Alerts', drafts?.filter(({ enabled }) => enabled).length],
    ['Price Alerts', drafts?.filter(({ metric }) => isPrice(metric)).length],
  ];
  return (
    <dl aria-label="Alert Summary" className="mb-3 grid grid-cols-3 gap-3">
      {counts.map(([name, count]) => (
        <div key={name} className="card flex flex-col-reverse justify-end px-4 py-2.5">
          <dt className="label">{name}</dt>
          <dd className="num min-h-6 text-xl font-semibold tracking-[-0.02em]">{count ?? '–'}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Longer lists start collapsed. */
const OPEN_AT_MOST = { wide: 4, narrow: 1 };
const NARROW_PX = 640;
const ROWS = ['a', 'b', 'c'];

/** Moves the focus into a card once rendered: to the first error, else to its first field. */
function enterCard(key: string): void {
  requestAnimationFrame(() => {
    const card = document.getElementById(cardId(key));
    card?.scrollIntoView({ block: 'nearest' });
    const wrong = card?.querySelector<HTMLElement>('[aria-invalid=true]');
    // On a phone the keyboard would cover the chart.
    const field = matchMedia('(pointer: coarse)').matches ? null : card?.querySelector<HTMLElement>('input');
    (wrong ?? field ?? card)?.focus({ preventScroll: wrong === null });
  });
}

type Props = {
  market: Market;
  /** The plan's rule limit, and the plan's name. */
  limit: { rules: number; plan: string };
  /** Id or symbol of a coin to create an alert for. */
  coin: string | null;
  /** Called when that alert is in the list. */
  onCoinAdded: () => void;
};

export function Thresholds({ market, limit, coin, onCoinAdded }: Props) {
  const { query, latest, edits, drafts, act, saving, refusal, saveAll, dirty, conflict } = useEdits();
  const leaving = useLeaveGuard(dirty);
  const [opened, setOpened] = useState<Readonly<Record<string, boolean>>>({});
  const [first, setFirst] = useState<number | null>(null);
  if (query.data && first === null) setFirst(query.data.rules.length);
  const most = innerWidth < NARROW_PX ? OPEN_AT_MOST.narrow : OPEN_AT_MOST.wide;
  const isOpen = ({ key, id }: Draft) => opened[key] ?? (id === null || (first ?? 0) <= most);

  const setOpen = useCallback((key: string, open: boolean) => setOpened((all) => ({ ...all, [key]: open })), []);
  const onChange = useCallback((draft: Draft) => act({ kind: 'change', draft }), [act]);
  const onRemove = useCallback((key: string) => act({ kind: 'remove', key }), [act]);
  const add = (draft: Draft) => {
    act({ kind: 'add', draft });
    setOpen(draft.key, true);
    enterCard(draft.key);
  };
  const saveNow = async () => {
    const wrong = await saveAll();
    if (!wrong) return;
    setOpen(wrong.key, true);
    enterCard(wrong.key);
  };
  useSaveKey(() => {
    if (dirty && !saving) void saveNow();
  });

  const kept = drafts.filter(({ key }) => !edits.removed.has(key));
  const full = kept.length >= limit.rules;
  const closed = !query.data || full;
  const name = coin?.toLowerCase();
  const requested = market.coins.find(({ id, symbol }) => id === name || symbol.toLowerCase() === name);
  const addForCoin = useEffectEvent((id: string) => {
    onCoinAdded();
    add(makeDraft({ ...NEW, metric: coinMetric(id) }, market));
  });
  const requestedId = closed ? undefined : requested?.id;
  useEffect(() => {
    if (!requestedId) return undefined;
    const frame = requestAnimationFrame(() => addForCoin(requestedId));
    return () => cancelAnimationFrame(frame);
  }, [requestedId]);
  return (
    <>
      <Summary drafts={query.data ? kept : null} />
      <RuleBar
        dirty={dirty}
        saving={saving}
        closed={closed}
        onAdd={() => add(makeDraft(NEW, market))}
        onAddAi={(metric, name) => add(makeDraft({ metric, condition: 'changes_to_bullish', name }, market))}
        onSave={() => void saveNow()}
      />
      {full && <Full limit={limit} />}
      {refusal && refusal.key === null && (
        <p role="alert" className="mb-3 rounded-ctl border border-down/40 bg-down/10 px-3 py-2 text-sm font-medium">
          {refusal.message}
        </p>
      )}
      {conflict && (
        <div className="mb-3">
          <Conflict onReload={() => act({ kind: 'discard' })} onKeep={() => act({ kind: 'rebase' })} />
        </div>
      )}
      {!query.data && !query.isError && <Loading />}
      {!query.data && query.isError && (
        <div className="card">
          <ErrorState
            message="Failed to load thresholds"
            detail={query.error.message}
            onRetry={() => void query.refetch()}
          />
        </div>
      )}
      {query.data && drafts.length === 0 && (
        <NoneYet onAdd={(i) => add(makeDraft(EXAMPLES[i]?.start ?? NEW, market))} />
      )}
      {drafts.length > 0 && <h2 className="sr-only">Alerts</h2>}
      <ul aria-label="Alerts" className="grid gap-3">
        {drafts.map((draft) =>
          edits.removed.has(draft.key) ? (
            <Removed key={draft.key} draft={draft} onUndo={() => act({ kind: 'restore', key: draft.key })} />
          ) : (
            <RuleCard
              key={draft.key}
              draft={draft}
              rule={latest.rules.find(({ id }) => id === draft.id) ?? null}
              market={market}
              edited={isNew(edits, draft) || isChanged(edits, draft)}
              open={isOpen(draft)}
              refused={refusal?.key === draft.key ? refusal.message : null}
              onChange={onChange}
              onOpen={setOpen}
              onRemove={onRemove}
            />
          ),
        )}
      </ul>
      {leaving && <Leaving onLeave={leaving.leave} onStay={leaving.stay} />}
    </>
  );
}

/** Ctrl+S and ⌘S save the alerts, not the page. */
function useSaveKey(onSave: () => void): void {
  const save = useRef(onSave);
  useEffect(() => {
    save.current = onSave;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey)
        return;
      event.preventDefault();
      save.current();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}

function Loading() {
  return (
    <div className="grid gap-3">
      <output className="sr-only">Loading thresholds</output>
      {ROWS.map((row) => (
        <div key={row} className="card p-4" aria-hidden="true">
          <div className="skel mb-3 h-8 w-72 max-w-full" />
          <div className="skel h-40" />
        </div>
      ))}
    </div>
  );
}
