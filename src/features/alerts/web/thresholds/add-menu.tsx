import { BrainCircuit, ChevronDown } from 'lucide-react';

import type { WatchedMetric } from '#shared/watched.ts';
import { Button } from '#ui/button.tsx';
import { Menu, MenuItem } from '#ui/menu.tsx';

import { AI_ALERTS } from './templates.ts';

type Props = { disabled: boolean; onAdd: (metric: WatchedMetric, name: string) => void };

/** The four AI predictions, each an alert at one press. */
export const AiMenu = ({ disabled, onAdd }: Props) => (
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
