import {
  Activity,
  ArrowLeftRight,
  BrainCircuit,
  ChartPie,
  ChevronDown,
  DollarSign,
  Gauge,
  type LucideIcon,
  Scale,
  Trash2,
  Volume2,
} from 'lucide-react';
import { memo } from 'react';
import type { Threshold } from '#features/alerts/contract/thresholds.ts';
import { COIN_PREFIX } from '#shared/figures.ts';
import { Badge } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { CoinMark } from '#ui/coin-mark.tsx';
import { cx } from '#ui/cx.ts';
import { Switch, TextField } from '#ui/inputs.tsx';
import { LazyMount } from '#ui/lazy-mount.tsx';
import { Advanced } from './advanced.tsx';
import { ConditionFields } from './condition-fields.tsx';
import { type Draft, findProblems, toValue } from './draft.ts';
import { type Coin, conditionSentence, isDirection, isPrice, metricName } from './labels.ts';
import { Preview } from './preview.tsx';
import { RuleFacts, StateBadge } from './rule-facts.tsx';
import { type Market, nameFor } from './templates.ts';

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

/** Icon of the watched metric. */
function RuleIcon({ metric, coins }: { metric: string; coins: readonly Coin[] }) {
  if (isPrice(metric)) {
    const id = metric.slice(COIN_PREFIX.length);
    const tracked = SYMBOLS[metric];
    if (tracked) return <CoinMark symbol={tracked} size={36} />;
    return <CoinMark symbol={coins.find((coin) => coin.id === id)?.symbol ?? '?'} id={id} size={36} />;
  }
  const Icon = isDirection(metric) ? BrainCircuit : (ICONS[metric] ?? Activity);
  return (
    <span className="grid size-9 shrink-0 place-items-center rounded-full bg-raised text-ink-2" aria-hidden="true">
      <Icon className="size-4.5" strokeWidth={1.75} />
    </span>
  );
}

type Props = {
  draft: Draft;
  /** As saved; null for a new one. */
  rule: Threshold | null;
  market: Market;
  edited: boolean;
  open: boolean;
  /** Why the server refused it. */
  refused: string | null;
  onChange: (draft: Draft) => void;
  onOpen: (key: string, open: boolean) => void;
  onRemove: (key: string) => void;
};

export const cardId = (key: string): string => `alert-${key}`;

/** One rule with its editor and backtest. */
export const RuleCard = memo(function RuleCard(props: Props) {
  const { draft, rule, market, edited, open, refused, onOpen } = props;
  const id = cardId(draft.key);
  const sentence = conditionSentence({ ...draft, value: toValue(draft) }, market.coins);
  return (
    <li>
      <article
        aria-labelledby={`${id}-name`}
        id={id}
        tabIndex={-1}
        className={cx('card scroll-my-20', edited && 'border-accent/40')}
      >
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2.5 pr-2 pl-4">
          <RuleIcon metric={draft.metric} coins={market.coins} />
          <div className="min-w-44 flex-1">
            <h3 id={`${id}-name`} className={cx('truncate text-base font-semibold', !draft.enabled && 'text-ink-2')}>
              {draft.name.trim() || 'Unnamed alert'}
            </h3>
            <p className="flex flex-wrap items-center gap-x-2 gap-y-0.5 text-sm text-ink-3">
              <Marks rule={rule} edited={edited} />
              {sentence !== draft.name && <span className="num min-w-0 truncate">{sentence}</span>}
            </p>
          </div>
          <div className="flex items-center max-sm:ml-auto">
            <Switch
              label={`${draft.name}: enabled`}
              on={draft.enabled}
              onChange={(enabled) => props.onChange({ ...draft, enabled })}
            >
              <span className="w-14 text-left">{draft.enabled ? 'Enabled' : 'Disabled'}</span>
            </Switch>
            <Button
              kind="quiet"
              aria-label={`Delete ${draft.name}`}
              className="h-11! text-ink-3! sm:h-9!"
              onClick={() => props.onRemove(draft.key)}
            >
              <Trash2 className="size-4" aria-hidden="true" />
            </Button>
            <Button
              kind="quiet"
              aria-expanded={open}
              aria-controls={`${id}-body`}
              aria-label={`${open ? 'Collapse' : 'Expand'} ${draft.name}`}
              className="h-11! text-ink-3! sm:h-9!"
              onClick={() => onOpen(draft.key, !open)}
            >
              <ChevronDown className={cx('size-4 transition-transform', open && 'rotate-180')} aria-hidden="true" />
            </Button>
          </div>
        </div>
        {refused && (
          <p role="alert" className="border-t border-down/40 bg-down/10 px-4 py-2 text-sm font-medium text-down">
            {refused}
          </p>
        )}
        <div id={`${id}-body`} hidden={!open}>
          {open && <Body {...props} />}
        </div>
      </article>
    </li>
  );
});

function Marks({ rule, edited }: { rule: Threshold | null; edited: boolean }) {
  return (
    <>
      {rule && <StateBadge rule={rule} />}
      {edited && <Badge tone="accent">{rule ? 'Unsaved changes' : 'Not saved yet'}</Badge>}
    </>
  );
}

function Body({ draft, rule, market, edited, onChange }: Props) {
  const problems = findProblems(draft);
  const change = (next: Draft) =>
    onChange(draft.name === nameFor(draft, market) ? { ...next, name: nameFor(next, market) } : next);
  return (
    <div className="rule-body border-t border-line p-4">
      <RuleFacts rule={rule} metric={draft.metric} name={metricName(draft.metric, market.coins)} edited={edited} />
      <div className="rule-pairs gap-3">
        <ConditionFields draft={draft} market={market} problems={problems} onChange={change} />
      </div>
      <LazyMount onScroll className="min-w-0" frame={<div className="min-h-80" />}>
        <Preview draft={draft} coins={market.coins} onValue={(value) => change({ ...draft, value })} />
      </LazyMount>
      <div className="grid grid-cols-1 content-start gap-3">
        <TextField
          label="Name"
          value={draft.name}
          maxLength={80}
          problem={problems.name}
          onText={(name) => onChange({ ...draft, name })}
        />
        <TextField
          label="Description"
          value={draft.description}
          maxLength={500}
          placeholder="Description"
          onText={(description) => onChange({ ...draft, description })}
        />
        <Advanced draft={draft} market={market} problems={problems} onChange={onChange} />
      </div>
    </div>
  );
}
