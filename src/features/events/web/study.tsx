import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { Card } from '#web/ui/card.tsx';
import { QueryView } from '#web/ui/query-view.tsx';
import { Segmented } from '#web/ui/segmented.tsx';
import { Empty } from '#web/ui/states.tsx';

import type { EventStudy } from '../contract.ts';
import { type StudyKind, studyQuery } from './queries.ts';
import { StudyTable } from './study-table.tsx';
import { dayWords } from './when.ts';

const KINDS: Record<'CPI' | 'PCE' | 'PPI', StudyKind> = { CPI: 'cpi', PCE: 'pce', PPI: 'ppi' };
const NAMES = ['CPI', 'PCE', 'PPI'] as const;
const WINDOWS = ['24h', '3d', '7d'] as const;
type Window = (typeof WINDOWS)[number];
const WINDOW_WORDS: Record<Window, string> = { '24h': '24 hours', '3d': '3 days', '7d': '7 days' };

/** How BTC and ETH moved after past prints, by how the print differed from what was expected. */
export function Study() {
  const [name, choose] = useState<(typeof NAMES)[number]>('CPI');
  const [window, setWindow] = useState<Window>('24h');
  const query = useQuery(studyQuery(KINDS[name]));
  return (
    <Card
      id="study"
      title="After past prints"
      className="min-h-[27rem]"
      action={<Segmented label="Release" value={name} options={NAMES} onChange={choose} />}
    >
      <QueryView
        query={query}
        failed="Failed to load the event study"
        loading={
          <div className="flex-1 px-4 pb-4">
            <output className="sr-only">Loading the event study</output>
            <div className="skel h-80" aria-hidden="true" />
          </div>
        }
        isEmpty={({ events }) => events.length === 0}
        empty={<Empty title="No past print is stored yet" note="The study begins with the first of them." />}
      >
        {(study) => <Loaded study={study} window={window} onWindow={setWindow} />}
      </QueryView>
    </Card>
  );
}

type LoadedProps = { study: EventStudy; window: Window; onWindow: (window: Window) => void };

function Loaded({ study, window, onWindow }: LoadedProps) {
  const { against, from, to, source } = study;
  return (
    <div className="flex flex-1 flex-col gap-3 px-4 pb-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="text-sm text-ink-2">Mean return in the {WINDOW_WORDS[window]} after</p>
        <Segmented label="Window" value={window} options={WINDOWS} onChange={onWindow} />
      </div>
      <StudyTable cells={study.cells.filter((cell) => cell.window === window)} name={study.name} />
      <p className="text-xs text-ink-3">
        Bars are 99 % intervals, as many cells are looked at together. One that crosses the middle line is no evidence
        of a move.
      </p>
      <p className="num mt-auto text-xs text-ink-3">
        {against} {from && to && `${study.events.length} prints from ${dayWords(from)} to ${dayWords(to)}. `}
        Source: {source}.
      </p>
    </div>
  );
}
