import { BrainCircuit, ChevronDown, Plus } from 'lucide-react';

import type { WatchedMetric } from '#shared/watched.ts';
import { Button } from '#ui/button.tsx';
import { PRIMARY } from '#ui/form.tsx';
import { Menu, MenuItem } from '#ui/menu.tsx';

import { AI_ALERTS } from './templates.ts';

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
export function RuleBar({ dirty, saving, closed, onAdd, onAddAi, onSave }: RuleBarProps) {
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
