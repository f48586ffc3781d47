import { CalendarDays, Database, History, LayoutDashboard, ListChecks, type LucideIcon } from 'lucide-react';

export type PageLink = { to: string; name: string; Icon: LucideIcon };

/** Open to everyone, and part of the first view, which the server draws. */
export const MAIN_PAGES: readonly PageLink[] = [
  { to: '/app', name: 'Dashboard', Icon: LayoutDashboard },
  { to: '/app/events', name: 'Upcoming Events', Icon: CalendarDays },
  { to: '/app/history', name: 'Historical Data', Icon: History },
  { to: '/app/track-record', name: 'Track Record', Icon: ListChecks },
  { to: '/app/sources', name: 'Data Sources', Icon: Database },
];
