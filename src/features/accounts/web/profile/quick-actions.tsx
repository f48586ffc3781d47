import { Bell, ChartColumn, Download, FileDown, LifeBuoy, type LucideIcon } from 'lucide-react';

import { Card } from '#ui/card.tsx';
import { Link } from '#ui/link.tsx';

type Action = { to: string; name: string; note: string; Icon: LucideIcon };

const ACTIONS: readonly Action[] = [
  { to: '/app/alerts', name: 'Market Alerts', note: 'Recent market alerts', Icon: Bell },
  { to: '/app/data-export', name: 'Data Export', note: 'Export dashboard data', Icon: Download },
];

/** Links to further pages of the app. */
const ADVANCED: readonly Action[] = [
  { to: '/advanced-analytics', name: 'Advanced Analytics', note: 'Charts, correlation and risk', Icon: ChartColumn },
  { to: '/advanced-export', name: 'Advanced Export', note: 'Multiple data types, on a schedule', Icon: FileDown },
];

/** Analytics and the advanced export only for those whose plan has them. */
export function QuickActions({ advanced }: { advanced: boolean }) {
  return (
    <Card id="quick-actions" title="Quick Actions">
      <ul>
        {[...ACTIONS, ...(advanced ? ADVANCED : [])].map((action) => (
          <Item key={action.to} {...action} />
        ))}
      </ul>
    </Card>
  );
}

export function Support() {
  return (
    <Card id="support" title="Help">
      <ul>
        <Item to="/app/contact" name="Contact Support" note="Answered by a real person" Icon={LifeBuoy} />
      </ul>
    </Card>
  );
}

function Item({ to, name, note, Icon }: Action) {
  return (
    <li className="border-t border-line first:border-t-0">
      <Link to={to} className="flex min-h-14 items-center gap-3 rounded-ctl px-4 py-2 hover:bg-raised">
        <Icon className="size-4 shrink-0 text-ink-3" aria-hidden="true" />
        <span className="min-w-0">
          <span className="block text-sm font-medium">{name}</span>
          <span className="label block">{note}</span>
        </span>
      </Link>
    </li>
  );
}
