import { useQueryClient } from '@tanstack/react-query';
import {
  BellOff,
  BellRing,
  CircleCheck,
  CircleDashed,
  CircleDot,
  CirclePause,
  Hourglass,
  type LucideIcon,
  RotateCcw,
  TimerOff,
} from 'lucide-react';
import { type RuleState, rearmThreshold, type Threshold } from '#features/alerts/contract/thresholds.ts';
import { ago, dateTime } from '#shared/format.ts';
import { findWatched } from '#shared/watched.ts';
import { call } from '#ui/api/client.ts';
import { Badge, type Tone } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { Figure } from '#ui/figure.tsx';
import { useNow } from '#ui/now.ts';
import { toast } from '#ui/toast.ts';
import { useSubmit } from '#ui/use-submit.ts';
import { findMeasure, glossaryTerm, stateWord } from './labels.ts';
import { measured } from './numbers.ts';

const LOOKS: Readonly<Record<RuleState, readonly [Tone, LucideIcon]>> = {
  armed: ['up', CircleDot],
  pending: ['accent', Hourglass],
  fired: ['warn', BellRing],
  paused: ['warn', CirclePause],
  done: ['plain', CircleCheck],
  expired: ['plain', TimerOff],
  no_data: ['down', CircleDashed],
  off: ['plain', BellOff],
};

export function StateBadge({ rule }: { rule: Threshold }) {
  const [tone, Icon] = LOOKS[rule.state];
  return (
    <Badge tone={tone}>
      <Icon className="size-3" aria-hidden="true" />
      {stateWord(rule)}
    </Badge>
  );
}

const MINUTE_MS = 60_000;

type Props = {
  /** As saved; null for a new one. */
  rule: Threshold | null;
  metric: string;
  name: string;
  /** The displayed rule differs from the saved one. */
  edited: boolean;
};

/** Status of a saved rule: note, current value, last fire, evaluation interval. */
export function RuleFacts({ rule, metric, name, edited }: Props) {
  const now = useNow(MINUTE_MS);
  const cadence = findWatched(metric)?.cadence;
  const current = edited ? null : rule?.current;
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1.5 text-sm">
      {rule?.note && !edited && <p className="font-medium text-ink-2">{rule.note}</p>}
      <div className="num flex flex-wrap items-center gap-x-4 gap-y-1 text-ink-3">
        {rule && current && (
          <span>
            Now{' '}
            <Figure
              meta={{ ...current.meta, metric: glossaryTerm(rule.metric) }}
              name={name}
              className="font-medium text-ink"
            >
              {measured(current.value, findMeasure(rule.metric, rule.condition))}
            </Figure>
          </span>
        )}
        {rule && (
          <span title={rule.lastFiredAt ? dateTime(Date.parse(rule.lastFiredAt)) : undefined}>
            {rule.lastFiredAt === null
              ? 'Has not fired yet'
              : `Fired ${rule.fires} ${rule.fires === 1 ? 'time' : 'times'}, last ${ago(now - Date.parse(rule.lastFiredAt))}`}
          </span>
        )}
        <span>Evaluated {edited || !rule ? cadence : rule.cadence}</span>
      </div>
      {rule?.canRearm && !edited && <Rearm rule={rule} />}
    </div>
  );
}

function Rearm({ rule }: { rule: Threshold }) {
  const queries = useQueryClient();
  const { busy, failure, submit } = useSubmit('Failed to rearm the alert', async (signal) => {
    await call(rearmThreshold, { params: { id: rule.id } }, signal);
    await queries.invalidateQueries({ queryKey: ['thresholds'] });
    toast('success', `${rule.name} rearmed`);
  });
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button className="max-sm:h-11" aria-disabled={busy} onClick={() => void submit()}>
        <RotateCcw className="size-3.5" aria-hidden="true" />
        {busy ? 'Rearming...' : 'Rearm'}
      </Button>
      {failure && (
        <p role="alert" className="text-sm text-down">
          {failure.message}
        </p>
      )}
    </div>
  );
}
