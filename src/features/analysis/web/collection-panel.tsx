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
import { useId, useState } from 'react';

import { ago } from '#shared/format.ts';
import { Button } from '#web/ui/button.tsx';
import { cx } from '#web/ui/cx.ts';
import { useNow } from '#web/ui/now.ts';

import type { CollectionStep } from '../contract.ts';
import { type Known, type StepState, type StepView, useCollection } from './use-collection.ts';

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
  /** When each step last brought something, as the page knows it. */
  known: Known;
  onRefresh: () => void;
};

/** For admins: collects and analyses now, and shows how the real jobs go. */
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
  return at === null ? 'Never yet' : `Last time: ${ago(now - Date.parse(at))}`;
}
