import { FlaskConical, Plus, Undo2 } from 'lucide-react';
import { useEffect, useRef } from 'react';

import { Button } from '#ui/button.tsx';
import { PRIMARY, SECONDARY } from '#ui/form.tsx';
import { Link } from '#ui/link.tsx';
import { Modal } from '#ui/modal.tsx';

import type { Draft } from './draft.ts';
import { EXAMPLES } from './templates.ts';

type ConflictProps = { onReload: () => void; onKeep: () => void };

/** Another tab or device has saved the list since it was edited here. */
export function Conflict({ onReload, onKeep }: ConflictProps) {
  const note = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Newer browsers return a promise, which React would treat as a cleanup function.
    note.current?.scrollIntoView({ block: 'center' });
  }, []);
  return (
    <div ref={note} role="alert" className="card flex flex-wrap items-center gap-3 border-warn/40 bg-warn/10 p-4">
      <div className="min-w-44 flex-1">
        <p className="font-semibold">These alerts were changed in another tab or on another device.</p>
        <p className="text-sm text-ink-2">
          Reload shows the current list and discards your unsaved changes. Keep mine applies your changes on top; where
          both changed an alert, yours wins when you save.
        </p>
      </div>
      <div className="flex gap-2">
        <Button className="h-10!" onClick={onReload}>
          Reload
        </Button>
        <Button className="h-10!" onClick={onKeep}>
          Keep mine
        </Button>
      </div>
    </div>
  );
}

/** Replaces a card until the list is saved. */
export function Removed({ draft, onUndo }: { draft: Draft; onUndo: () => void }) {
  return (
    <li className="flex min-h-12 flex-wrap items-center gap-x-3 rounded-card border border-dashed border-line-strong px-4 py-1 text-sm text-ink-2">
      <span className="min-w-0 flex-1 truncate">
        <b className="font-semibold">{draft.name}</b>{' '}
        {draft.id === null ? 'will be removed' : 'will be deleted when you save'}
      </span>
      <Button kind="quiet" aria-label={`Undo: keep ${draft.name}`} className="max-sm:h-11" onClick={onUndo}>
        <Undo2 className="size-3.5" aria-hidden="true" />
        Undo
      </Button>
    </li>
  );
}

/** Three example rules to try. */
export function NoneYet({ onAdd }: { onAdd: (example: number) => void }) {
  return (
    <section aria-labelledby="first-alert" className="card p-4 sm:p-6">
      <h2 id="first-alert" className="text-lg font-semibold tracking-[-0.01em]">
        See when a rule would have fired before you save it
      </h2>
      <p className="mt-1 max-w-[68ch] text-ink-2">
        Each alert is backtested on the last 90 days as you edit it. Drag the level on the chart until it fires as often
        as you’d like. Saved alerts fire once per crossing and show when the data arrived.
      </p>
      <p className="label mt-5">Start from an example. These are not investment advice.</p>
      <ul className="mt-2 grid gap-3 md:grid-cols-3">
        {EXAMPLES.map(({ title, why }, i) => (
          <li key={title} className="flex flex-col rounded-card border border-line p-4">
            <p className="flex items-center gap-2 font-semibold">
              <FlaskConical className="size-4 shrink-0 text-ink-3" aria-hidden="true" />
              {title}
            </p>
            <p className="mt-1 mb-3 flex-1 text-sm text-ink-2">{why}</p>
            <Button className="h-10! self-start" aria-label={`Add example: ${title}`} onClick={() => onAdd(i)}>
              <Plus className="size-4" aria-hidden="true" />
              Add example
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Confirmation before leaving unsaved changes. */
export function Leaving({ onLeave, onStay }: { onLeave: () => void; onStay: () => void }) {
  return (
    <Modal title="Leave without saving?" onClose={onStay}>
      <p className="text-sm text-ink-2">
        Your changes to these alerts are not saved yet and will be lost if you leave.
      </p>
      <div className="mt-4 flex flex-wrap justify-end gap-2">
        <button type="button" onClick={onLeave} className={SECONDARY}>
          Leave
        </button>
        <button type="button" onClick={onStay} className={PRIMARY}>
          Stay
        </button>
      </div>
    </Modal>
  );
}

/** The plan's rule limit is reached. */
export function Full({ limit: { rules, plan } }: { limit: { rules: number; plan: string } }) {
  return (
    <output className="mb-3 block rounded-ctl border border-warn/40 bg-warn/10 px-3 py-2 text-sm">
      <b className="font-semibold">
        {plan} includes up to {rules} custom alerts.
      </b>{' '}
      Delete one to add another, or{' '}
      <Link to="/app/subscription" className="font-medium text-accent underline underline-offset-2">
        compare plans
      </Link>
      .
    </output>
  );
}
