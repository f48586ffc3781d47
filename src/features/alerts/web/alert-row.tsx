import { Badge } from '#web/ui/badge.tsx';
import { cx } from '#web/ui/cx.ts';
import { Link } from '#web/ui/link.tsx';
import { useNow } from '#web/ui/now.ts';

import type { Alert } from '../contract.ts';
import { AcknowledgeButton } from './acknowledge-button.tsx';
import { ReceiptButton } from './receipt-button.tsx';
import { SeverityWord } from './severity-mark.tsx';
import { TypeIcon } from './type-icon.tsx';
import { isOver, placeOf, TYPE_WORDS } from './words.ts';

const MINUTE_MS = 60_000;

type Props = {
  alert: Alert;
  /** It came since the list was last looked at. */
  fresh?: boolean;
  /** `short`: two lines of the message at most where the card grows with it. `wide`: the button has its word beside it. */
  look?: 'plain' | 'short' | 'wide';
  onLeave?: () => void;
};

/** What happened, how much it matters, when, where it comes from, and where it leads. */
export function AlertRow({ alert, fresh = false, look = 'plain', onLeave }: Props) {
  const now = useNow(MINUTE_MS);
  const { message, severity, type, acknowledged } = alert;
  const place = placeOf(alert);
  const short = look === 'short';
  return (
    <li className="flex items-center gap-3 border-t border-line px-4 py-2.5">
      <TypeIcon type={type} />
      <div className="min-w-0 flex-1">
        <p
          className={cx(
            'text-sm',
            short && 'line-clamp-2 min-[88rem]:line-clamp-none',
            acknowledged ? 'text-ink-2' : 'font-medium',
          )}
          title={short ? message : undefined}
        >
          {message}
          {fresh && (
            <span className="ml-2 inline-block size-1.5 rounded-full bg-accent align-middle" title="New">
              <span className="sr-only">New</span>
            </span>
          )}
        </p>
        <div className="num flex flex-wrap items-center gap-x-2 text-2xs text-ink-3">
          <SeverityWord severity={severity} />
          {!short && <span className="max-sm:sr-only">{TYPE_WORDS[type]}</span>}
          <ReceiptButton alert={alert} />
          {isOver(alert, now) && <Badge>Past event</Badge>}
          {place && (
            <Link
              to={place[0]}
              onClick={onLeave}
              className="inline-flex min-h-6 items-center font-medium text-accent hover:underline"
            >
              {place[1]}
            </Link>
          )}
        </div>
      </div>
      <AcknowledgeButton alert={alert} worded={look === 'wide'} />
    </li>
  );
}
