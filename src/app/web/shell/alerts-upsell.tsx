import { Bell, X } from 'lucide-react';
import { type ToggleEvent, useId, useRef, useState } from 'react';

import { ALERT_KINDS } from '#features/accounts/web/subscriptions/upsells.ts';
import { ButtonLink } from '#ui/button-link.tsx';
import { placeBeside } from '#ui/popover.ts';
import { Tag } from '#ui/tag.tsx';

import { IconButton } from './icon-button.tsx';
import { PlanPrice } from './plan-price.tsx';

/** The bell on plans without alerts: it explains them. */
export function AlertsUpsell() {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  const onToggle = (event: ToggleEvent<HTMLDivElement>) => {
    placeBeside(button.current, event, 'end');
    setOpen(event.newState === 'open');
  };
  return (
    <>
      <IconButton ref={button} popoverTarget={id} aria-label="Market alerts, Pro" aria-expanded={open}>
        <Bell className="size-[17px]" aria-hidden="true" />
      </IconButton>
      <div
        ref={panel}
        id={id}
        popover="auto"
        role="dialog"
        aria-labelledby={`${id}-title`}
        onToggle={onToggle}
        className="fixed inset-auto m-0 w-84 max-w-[calc(100vw-1rem)] overflow-y-auto rounded-card border border-line-strong bg-surface p-4 text-ink floating"
      >
        <div className="flex items-center gap-2">
          <h2 id={`${id}-title`} className="text-base font-semibold">
            Market Alerts
          </h2>
          <Tag>Pro</Tag>
          <button
            type="button"
            aria-label="Close"
            popoverTarget={id}
            popoverTargetAction="hide"
            className="-my-2 -mr-2 ml-auto grid size-10 place-items-center rounded-ctl text-ink-3 hover:bg-raised hover:text-ink"
          >
            <X className="size-4" aria-hidden="true" />
          </button>
        </div>
        <p className="mt-1 text-sm text-ink-2">Pro alerts you to:</p>
        <ul className="mt-2 divide-y divide-line border-y border-line text-sm">
          {ALERT_KINDS.map((kind) => (
            <li key={kind} className="py-2">
              {kind}
            </li>
          ))}
        </ul>
        <ButtonLink
          to="/app/subscription"
          onClick={() => panel.current?.hidePopover()}
          className="mt-4 flex h-10 w-full"
        >
          Upgrade to Pro
        </ButtonLink>
        <p className="label num mt-2 text-center">
          <PlanPrice plan="pro" />
        </p>
      </div>
    </>
  );
}
