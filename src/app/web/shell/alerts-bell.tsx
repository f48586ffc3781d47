import { useQuery } from '@tanstack/react-query';
import { Bell } from 'lucide-react';
import { type ToggleEvent, useEffect, useId, useRef, useState } from 'react';

import type { Alert } from '#features/alerts/contract/alerts.ts';
import { AlertsPanel } from '#features/alerts/web/alerts/alerts-panel.tsx';
import {
  alertsQuery,
  badgeText,
  lastSeenNow,
  saveLastSeen,
  useAlertCounts,
  useLastSeen,
} from '#features/alerts/web/alerts/queries.ts';
import { placeBeside } from '#ui/popover.ts';
import { useToken } from '#ui/session.ts';

import { IconButton } from './icon-button.tsx';

/** The screen reader announcement of alerts newer than `before`. */
function newAlertsText(alerts: readonly Alert[], before: number): string {
  const [newest, ...others] = alerts.filter(({ id, acknowledged }) => id > before && !acknowledged);
  if (!newest) return '';
  return others.length === 0
    ? `New alert: ${newest.message}`
    : `${others.length + 1} new alerts. Latest: ${newest.message}`;
}

/** One announcement for all alerts; those of the first load are silent. */
function useNews(alerts: readonly Alert[] | undefined): string {
  const [heard, hear] = useState<{ id: number; words: string } | null>(null);
  const newest = alerts?.[0]?.id ?? 0;
  if (alerts && (!heard || newest > heard.id))
    hear({ id: newest, words: heard ? newAlertsText(alerts, heard.id) : '' });
  return heard?.words ?? '';
}

/** The bell on plans with alerts: the number of new ones, and the panel that lists them. */
export function AlertsBell() {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const query = useQuery(alertsQuery(useToken(), 20));
  const lastSeen = useLastSeen();
  const [shown, show] = useState<{ seen: number | null } | null>(null);
  const news = useNews(query.data);
  const newest = query.data?.[0]?.id;
  const { unread } = useAlertCounts(query.data ?? [], lastSeen);

  const isOpen = shown !== null;
  useEffect(() => {
    if (isOpen && newest !== undefined && newest !== lastSeenNow()) saveLastSeen(newest);
  }, [isOpen, newest]);

  const onToggle = (event: ToggleEvent<HTMLDivElement>) => {
    placeBeside(button.current, event, 'end');
    show(event.newState === 'open' ? { seen: lastSeenNow() } : null);
  };
  return (
    <>
      <IconButton
        ref={button}
        popoverTarget={id}
        aria-label={unread > 0 ? `Market alerts, ${badgeText(unread)} unread` : 'Market alerts'}
        aria-expanded={isOpen}
        className="relative"
      >
        <Bell className="size-[17px]" aria-hidden="true" />
        {unread > 0 && (
          <span
            className="num absolute top-0.5 right-0 min-w-4 rounded-full bg-down px-1 text-center text-[10px] leading-4 font-semibold text-surface"
            aria-hidden="true"
          >
            {badgeText(unread)}
          </span>
        )}
      </IconButton>
      <output aria-live="polite" className="sr-only">
        {news}
      </output>
      <div
        ref={panel}
        id={id}
        popover="auto"
        role={isOpen ? 'dialog' : undefined}
        aria-labelledby={isOpen ? `${id}-title` : undefined}
        onToggle={onToggle}
        className="fixed inset-auto m-0 w-[min(26rem,calc(100vw-1.5rem))] overflow-y-auto rounded-card border border-line-strong bg-surface p-0 text-ink floating"
      >
        {shown && (
          <AlertsPanel
            query={query}
            seen={shown.seen}
            titleId={`${id}-title`}
            onClose={() => panel.current?.hidePopover()}
          />
        )}
      </div>
    </>
  );
}
