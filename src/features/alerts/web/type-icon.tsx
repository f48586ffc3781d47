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

import type { AlertType } from '../contract.ts';

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

export function TypeIcon({ type }: { type: AlertType }) {
  const Icon = ICONS[type];
  return (
    <span className="grid size-8 shrink-0 place-items-center rounded-ctl bg-raised text-ink-2" aria-hidden="true">
      <Icon className="size-4" strokeWidth={1.75} />
    </span>
  );
}
