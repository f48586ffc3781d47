import {
  ArrowDownToLine,
  ArrowUpFromLine,
  BellRing,
  BrainCircuit,
  CalendarClock,
  ChartPie,
  CirclePause,
  Coins,
  Flame,
  Gauge,
  Landmark,
  type LucideIcon,
  Percent,
  Scale,
  TrendingDown,
  TrendingUp,
} from 'lucide-react';
import { type ToggleEvent, useId, useRef, useState } from 'react';
import type { Alert, AlertType } from '#features/alerts/contract/alerts.ts';
import { ago } from '#shared/format.ts';
import { Badge } from '#ui/badge.tsx';
import { CERTIFICATE } from '#ui/certificate.tsx';
import { cx } from '#ui/cx.ts';
import { Link } from '#ui/link.tsx';
import { useNow } from '#ui/now.ts';
import { part } from '#ui/part.tsx';
import { placeBeside } from '#ui/popover.ts';
import { AcknowledgeButton } from './acknowledge-button.tsx';
import type { AlertReceiptProps } from './alert-receipt.tsx';
import { alertLink, isOver, TYPE_WORDS } from './labels.ts';
import { SeverityWord } from './severity-mark.tsx';

const ICONS: Record<AlertType, LucideIcon> = {
  PRICE_BULLISH_MOVE: TrendingUp,
  PRICE_BEARISH_MOVE: TrendingDown,
  EXCHANGE_INFLOW: ArrowDownToLine,
  EXCHANGE_OUTFLOW: ArrowUpFromLine,
  STABLECOIN_GROWTH: Coins,
  STABLECOIN_DECLINE: Coins,
  BTC_DOMINANCE_SHIFT: ChartPie,
  SSR_LEVEL: Scale,
  FUNDING_EXTREME_BULLISH: Percent,
  FUNDING_EXTREME_BEARISH: Percent,
  LIQUIDATION_SPIKE: Flame,
  FEAR_GREED_EXTREME: Gauge,
  AI_CONSENSUS_BULLISH: BrainCircuit,
  AI_CONSENSUS_BEARISH: BrainCircuit,
  INFLATION_SURPRISE: Landmark,
  UPCOMING_EVENT: CalendarClock,
  CUSTOM_THRESHOLD: BellRing,
  RULES_PAUSED: CirclePause,
};

function TypeIcon({ type }: { type: AlertType }) {
  const Icon = ICONS[type];
  return (
    <span className="grid size-8 shrink-0 place-items-center rounded-ctl bg-raised text-ink-2" aria-hidden="true">
      <Icon className="size-4" strokeWidth={1.75} />
    </span>
  );
}

const STEP_MS = 15_000;

const AlertReceipt = part<AlertReceiptProps>({
  name: 'Alert receipt',
  load: async () => (await import('./alert-receipt.tsx')).AlertReceipt,
  loading: <div className="skel m-4 h-40" />,
});

/** The time it was raised; opens the timeline from its source. */
function ReceiptButton({ alert }: { alert: Alert }) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  const now = useNow(STEP_MS);
  const onToggle = (event: ToggleEvent<HTMLDivElement>) => {
    placeBeside(button.current, event);
    setOpen(event.newState === 'open');
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        popoverTarget={id}
        className="relative z-1 min-h-6 cursor-help rounded-chip whitespace-nowrap decoration-ink-3 decoration-dotted underline-offset-4 hover:underline"
      >
        <time dateTime={alert.timestamp}>{ago(now - Date.parse(alert.timestamp))}</time>
        <span className="sr-only">. Where it comes from: {alert.message}</span>
      </button>
      <div id={id} popover="auto" onToggle={onToggle} className={CERTIFICATE}>
        {open && <AlertReceipt alert={alert} />}
      </div>
    </>
  );
}

const MINUTE_MS = 60_000;

type Props = {
  alert: Alert;
  /** It arrived since the list was last viewed. */
  fresh?: boolean;
  /** `short`: at most two lines of the message where the card grows with it. `wide`: the button has its label. */
  look?: 'plain' | 'short' | 'wide';
  onLeave?: () => void;
};

/** What happened, severity, time, source and link. */
export function AlertRow({ alert, fresh = false, look = 'plain', onLeave }: Props) {
  const now = useNow(MINUTE_MS);
  const { message, severity, type, acknowledged } = alert;
  const place = alertLink(alert);
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
