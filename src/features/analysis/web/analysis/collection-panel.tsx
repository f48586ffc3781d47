import {
  Check,
  ChevronDown,
  Circle,
  CircleDashed,
  Database,
  LoaderCircle,
  Sparkles,
  TriangleAlert,
} from 'lucide-react';
import { useEffect, useId, useState, useSyncExternalStore } from 'react';
import { type CollectionStep, collectData, runAnalysis } from '#features/analysis/contract/analysis.ts';
import { ago } from '#shared/format.ts';
import { CallError, call } from '#ui/api/client.ts';
import { Button } from '#ui/button.tsx';
import { cx } from '#ui/cx.ts';
import { useNow } from '#ui/now.ts';
import { collection } from './collection-store.ts';

type Action = 'collect' | 'analyse';
type StepState = 'idle' | 'waiting' | 'running' | 'complete' | 'failed';
type StepView = { state: StepState; note: string | null };

type Plan = {
  send: () => Promise<unknown>;
  failed: string;
  steps: readonly CollectionStep[];
  /** The earliest time after the click at which a step may be shown as complete. */
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

/** A job ends or is terminated by then. */
const LONGEST_MS = 12 * 60_000;
const SILENT = 'No update for 12 minutes';

/** `after`: earlier events are ignored. `known`: each step's state when the run began. */
type Run = { action: Action; after: number; known: Known; passedMs: number; over: boolean; error: string | null };
/** Changes of a step's result, which also end it when its event was missed. */
export type Known = Record<CollectionStep, string | null>;

type Options = { known: Known; onRefresh: () => void };

/** A collection or an analysis, as reported by its events. */
function useCollection({ known, onRefresh }: Options) {
  const progress = useSyncExternalStore(collection.subscribe, collection.get, collection.get);
  const [run, setRun] = useState<Run | null>(null);
  const plan = run && PLANS[run.action];

  const toStepView = (step: CollectionStep): StepView => {
    const last = progress[step];
    if (!run || !plan?.steps.includes(step)) return { state: last?.state ?? 'idle', note: last?.note ?? null };
    if (run.error !== null) return { state: 'failed', note: run.error };
    const news = last && last.nth > run.after ? last : undefined;
    if (news?.state === 'failed') return { state: 'failed', note: news.note };
    const isDone = news?.state === 'complete' || (news === undefined && known[step] !== run.known[step]);
    if (isDone && run.passedMs >= (plan.earliestMs[step] ?? 0)) return { state: 'complete', note: null };
    if (run.over) return { state: news?.state ?? 'failed', note: news ? null : 'A previous step failed' };
    return { state: news || last?.state === 'running' ? 'running' : 'waiting', note: null };
  };
  const views = { market: toStepView('market'), analysis: toStepView('analysis'), backtest: toStepView('backtest') };

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

const STEPS: readonly (readonly [CollectionStep, string])[] = [
  ['market', 'Market data'],
  ['analysis', 'AI analysis'],
  ['backtest', 'Backtest results'],
];

const LOOK: Record<StepState, readonly [words: string, tone: string, Icon: typeof Circle]> = {
  idle: ['Idle', 'text-ink-3', Circle],
  waiting: ['Incomplete', 'text-ink-3', CircleDashed],
  running: ['Running', 'text-accent', LoaderCircle],
  complete: ['Complete', 'text-up', Check],
  failed: ['Failed', 'text-down', TriangleAlert],
};

export type CollectionPanelProps = {
  /** Latest result of each step, as known to the page. */
  known: Known;
  onRefresh: () => void;
};

/** For admins: collects and analyses now, and shows the progress of the jobs. */
export function CollectionPanel({ known, onRefresh }: CollectionPanelProps) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const { views, start, running, error } = useCollection({ known, onRefresh });
  const doing = { collect: 'Collecting', analyse: 'Analyzing' } as const;
  return (
    <section aria-labelledby={`${id}-title`} className="card mb-3">
      <div className="relative flex min-h-12 items-center gap-3 px-4">
        <h2 id={`${id}-title`} className="text-base font-semibold tracking-[-0.01em]">
          <button
            type="button"
            aria-expanded={open}
            aria-controls={id}
            onClick={() => setOpen(!open)}
            className="after:absolute after:inset-0"
          >
            Data Collection
          </button>
        </h2>
        <output className="label ml-auto" aria-live="polite">
          {running ? doing[running] : 'Idle'}
        </output>
        <ChevronDown
          className={cx('size-4 text-ink-3 transition-transform', open && 'rotate-180')}
          aria-hidden="true"
        />
      </div>
      <div id={id}>
        {open && (
          <div className="grid gap-3 border-t border-line p-4">
            <div className="flex flex-wrap gap-2">
              <Button disabled={running !== null} onClick={() => start('collect')} className="disabled:opacity-60">
                <Database className="size-3.5" aria-hidden="true" />
                {running === 'collect' ? 'Collecting\u2026' : 'Collect Data'}
              </Button>
              <Button disabled={running !== null} onClick={() => start('analyse')} className="disabled:opacity-60">
                <Sparkles className="size-3.5" aria-hidden="true" />
                {running === 'analyse' ? 'Analyzing\u2026' : 'AI Analysis'}
              </Button>
            </div>
            {error !== null && (
              <p role="alert" className="text-sm font-medium text-down">
                {error}
              </p>
            )}
            <ul className="grid gap-2 sm:grid-cols-3">
              {STEPS.map(([step, name]) => (
                <Item key={step} name={name} view={views[step]} at={known[step]} />
              ))}
            </ul>
          </div>
        )}
      </div>
    </section>
  );
}

function Item({ name, view: { state, note }, at }: { name: string; view: StepView; at: string | null }) {
  const [words, tone, Icon] = LOOK[state];
  return (
    <li className="min-w-0 rounded-ctl border border-line px-3 py-2">
      <div className="flex items-center gap-2">
        <Icon className={cx('size-4 shrink-0', tone, state === 'running' && 'animate-spin')} aria-hidden="true" />
        <h3 className="text-sm font-medium">{name}</h3>
        <span className={cx('ml-auto text-xs font-semibold', tone)}>{words}</span>
      </div>
      <p className={cx('mt-1 text-2xs break-words', state === 'failed' ? 'text-down' : 'text-ink-3')}>
        {state === 'failed' && note !== null ? note : <LastTime at={at} />}
      </p>
    </li>
  );
}

function LastTime({ at }: { at: string | null }) {
  const now = useNow();
  return at === null ? 'Never' : `Last time: ${ago(now - Date.parse(at))}`;
}
