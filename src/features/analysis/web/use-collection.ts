import { useEffect, useState, useSyncExternalStore } from 'react';

import { CallError, call } from '#web/api/client.ts';

import { type CollectionStep, collectData, runAnalysis } from '../contract.ts';
import { collection } from './collection-store.ts';

export type Action = 'collect' | 'analyse';
export type StepState = 'idle' | 'waiting' | 'running' | 'complete' | 'failed';
export type StepView = { state: StepState; note: string | null };

type Plan = {
  send: () => Promise<unknown>;
  failed: string;
  steps: readonly CollectionStep[];
  /** The earliest moment at which a step may turn complete, after the press. */
  earliestMs: Partial<Record<CollectionStep, number>>;
  refreshMs: number;
};

const PLANS: Record<Action, Plan> = {
  collect: {
    send: () => call(collectData, {}),
    failed: 'Failed to trigger data collection',
    steps: ['market', 'analysis', 'backtest'],
    earliestMs: { market: 2000, analysis: 4000, backtest: 6000 },
    refreshMs: 7000,
  },
  analyse: {
    send: () => call(runAnalysis, {}),
    failed: 'Failed to run AI analysis',
    steps: ['analysis'],
    earliestMs: { analysis: 3000 },
    refreshMs: 4000,
  },
};

/** A job ends or is ended by then. */
const LONGEST_MS = 12 * 60_000;
const SILENT = 'Nothing was heard of it for twelve minutes';

/** `after`: what was heard before it began does not count. `known`: what the page showed of each step then. */
type Run = { action: Action; after: number; known: Known; passedMs: number; over: boolean; error: string | null };
/** Changes of a step's own result, which end it too where its event was missed. */
export type Known = Record<CollectionStep, string | null>;

type Options = { known: Known; onRefresh: () => void };

/** A collection or an analysis, as its own events tell it. */
export function useCollection({ known, onRefresh }: Options) {
  const heard = useSyncExternalStore(collection.subscribe, collection.get, collection.get);
  const [run, setRun] = useState<Run | null>(null);
  const plan = run && PLANS[run.action];

  const viewOf = (step: CollectionStep): StepView => {
    const last = heard[step];
    if (!run || !plan?.steps.includes(step)) return { state: last?.state ?? 'idle', note: last?.note ?? null };
    if (run.error !== null) return { state: 'failed', note: run.error };
    const news = last && last.nth > run.after ? last : undefined;
    if (news?.state === 'failed') return { state: 'failed', note: news.note };
    const isDone = news?.state === 'complete' || (news === undefined && known[step] !== run.known[step]);
    if (isDone && run.passedMs >= (plan.earliestMs[step] ?? 0)) return { state: 'complete', note: null };
    if (run.over) return { state: news?.state ?? 'failed', note: news ? null : 'A step before it failed' };
    return { state: news || last?.state === 'running' ? 'running' : 'waiting', note: null };
  };
  const views = { market: viewOf('market'), analysis: viewOf('analysis'), backtest: viewOf('backtest') };

  const own = plan ? plan.steps.map((step) => views[step].state) : [];
  const hasFailed = own.includes('failed');
  const isComplete = own.length > 0 && own.every((state) => state === 'complete');
  const isOver = run !== null && (run.over || hasFailed || (isComplete && run.passedMs >= (plan?.refreshMs ?? 0)));

  if (run && isOver && !run.over) setRun({ ...run, over: true });

  const running = run !== null && !run.over;
  const action = run?.action;
  useEffect(() => {
    if (!running || !action) return undefined;
    const { earliestMs, refreshMs } = PLANS[action];
    const pass = (ms: number) => setTimeout(() => setRun((now) => now && { ...now, passedMs: ms }), ms);
    const timers = [...Object.values(earliestMs), refreshMs].map(pass);
    const last = setTimeout(() => setRun((now) => now && { ...now, error: SILENT }), LONGEST_MS);
    return () => {
      for (const timer of [...timers, last]) clearTimeout(timer);
    };
  }, [running, action]);

  const finished = run?.over === true && run.error === null;
  useEffect(() => {
    if (finished) onRefresh();
  }, [finished, onRefresh]);

  const start = (action: Action) => {
    const { send, failed } = PLANS[action];
    setRun({ action, after: collection.count(), known, passedMs: 0, over: false, error: null });
    send().catch((error: unknown) => {
      const words = error instanceof CallError ? `${failed}: ${error.message}` : failed;
      setRun((now) => now && { ...now, error: words });
    });
  };

  return { views, start, running: running && !isOver ? (action ?? null) : null, error: run?.error ?? null };
}
