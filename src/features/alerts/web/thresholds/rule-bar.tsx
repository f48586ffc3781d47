import { Plus } from 'lucide-react';

import type { WatchedMetric } from '#shared/watched.ts';
import { Button } from '#ui/button.tsx';
import { PRIMARY } from '#ui/form.tsx';

import { AiMenu } from './add-menu.tsx';

type Props = {
  dirty: boolean;
  saving: boolean;
  /** Nothing can be added: the list is not here, or it is full. */
  closed: boolean;
  onAdd: () => void;
  onAddAi: (metric: WatchedMetric, name: string) => void;
  onSave: () => void;
};

/** What is done with the whole list; on the phone it stays below the thumb. */
export function RuleBar({ dirty, saving, closed, onAdd, onAddAi, onSave }: Props) {
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
