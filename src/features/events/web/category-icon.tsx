import {
  Bitcoin,
  BriefcaseBusiness,
  CalendarDays,
  ChartColumn,
  Landmark,
  type LucideIcon,
  Percent,
  Scale,
  TrendingUp,
} from 'lucide-react';

import type { EventCategory } from '../contract.ts';

const ICONS: Record<EventCategory, LucideIcon> = {
  fed: Landmark,
  monetary_policy: Percent,
  crypto: Bitcoin,
  inflation: TrendingUp,
  regulation: Scale,
  earnings: ChartColumn,
  employment: BriefcaseBusiness,
  other: CalendarDays,
};

export function CategoryIcon({ category }: { category: EventCategory }) {
  const Icon = ICONS[category];
  return (
    <span className="grid size-9 shrink-0 place-items-center rounded-ctl bg-raised text-ink-2" aria-hidden="true">
      <Icon className="size-4" strokeWidth={1.75} />
    </span>
  );
}
