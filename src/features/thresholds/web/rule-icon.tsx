import {
  Activity,
  ArrowLeftRight,
  BrainCircuit,
  ChartPie,
  DollarSign,
  Gauge,
  type LucideIcon,
  Scale,
  Volume2,
} from 'lucide-react';

import { COIN_PREFIX } from '#shared/watched.ts';
import { CoinMark } from '#web/ui/coin-mark.tsx';

import { type Coin, isDirection, isPrice } from './words.ts';

const ICONS: Readonly<Record<string, LucideIcon>> = {
  ssr: Scale,
  btc_dominance: ChartPie,
  exchange_flow: ArrowLeftRight,
  fear_greed: Gauge,
  vix: Activity,
  dxy: DollarSign,
  volume_24h: Volume2,
};
const SYMBOLS: Readonly<Record<string, string>> = { btc_price: 'BTC', eth_price: 'ETH', sol_price: 'SOL' };

/** What is watched, as a picture. */
export function RuleIcon({ metric, coins }: { metric: string; coins: readonly Coin[] }) {
  if (isPrice(metric)) {
    const id = metric.slice(COIN_PREFIX.length);
    return <CoinMark symbol={SYMBOLS[metric] ?? coins.find((coin) => coin.id === id)?.symbol ?? '?'} size={36} />;
  }
  const Icon = isDirection(metric) ? BrainCircuit : (ICONS[metric] ?? Activity);
  return (
    <span className="grid size-9 shrink-0 place-items-center rounded-full bg-raised text-ink-2" aria-hidden="true">
      <Icon className="size-4.5" strokeWidth={1.75} />
    </span>
  );
}
