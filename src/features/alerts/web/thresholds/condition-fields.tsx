import type { Condition } from '#features/alerts/contract/thresholds.ts';
import { COIN_PREFIX } from '#shared/figures.ts';
import { DIRECTIONS, WATCHED } from '#shared/watched.ts';
import { SelectField, TextField } from '#ui/inputs.tsx';
import { CoinField } from './coin-field.tsx';
import type { ConditionDraft } from './draft.ts';
import {
  availableConditions,
  CONDITION_WORDS,
  conditionUnit,
  findMeasure,
  isCoin,
  isDirection,
  METRIC_GROUPS,
} from './labels.ts';
import { coinMetric, type Market, withCondition, withDirection, withMetric } from './templates.ts';

const ANY_COIN = 'coin';

type Found = { metric?: string | undefined; value?: string | undefined };
const NO_PROBLEMS: Found = {};

type Props<D> = {
  draft: D;
  market: Market;
  /** Prefix of the control names, for cards with two of them. */
  prefix?: string;
  problems?: Found;
  onChange: (draft: D) => void;
};

/** Metric, condition and value. */
export function ConditionFields<D extends ConditionDraft>({
  draft,
  market,
  prefix = '',
  problems = NO_PROBLEMS,
  onChange,
}: Props<D>) {
  const { metric, condition, value } = draft;
  const coin = isCoin(metric);
  const label = (name: string) => (prefix ? `${prefix} ${name.toLowerCase()}` : name);
  return (
    <>
      <div className={coin ? undefined : 'col-span-full'}>
        <SelectField
          label={label('Metric')}
          value={coin ? ANY_COIN : metric}
          problem={coin ? undefined : problems.metric}
          onText={(next) => onChange(withMetric(draft, next === ANY_COIN ? COIN_PREFIX : next, market))}
        >
          {METRIC_GROUPS.map(([group, metrics]) => (
            <optgroup key={group} label={group}>
              {metrics.map((each) => (
                <option key={each} value={each}>
                  {WATCHED[each].name}
                </option>
              ))}
              {group === 'Prices' && <option value={ANY_COIN}>Any coin…</option>}
            </optgroup>
          ))}
        </SelectField>
      </div>
      {coin && (
        <CoinField
          coins={market.coins}
          value={metric.slice(COIN_PREFIX.length)}
          problem={problems.metric}
          onChoose={({ id }) => onChange(withMetric(draft, coinMetric(id), market))}
        />
      )}
      <SelectField
        label={label('Condition')}
        value={condition}
        onText={(next) => onChange(withCondition(draft, next as Condition, market))}
      >
        {availableConditions(metric).map((each) => (
          <option key={each} value={each}>
            {CONDITION_WORDS[each]}
          </option>
        ))}
      </SelectField>
      {isDirection(metric) ? (
        <SelectField label={label('Value')} value={value} onText={(next) => onChange(withDirection(draft, next))}>
          {DIRECTIONS.toReversed().map((each) => (
            <option key={each}>{each}</option>
          ))}
        </SelectField>
      ) : (
        <TextField
          label={label('Value')}
          inputMode={findMeasure(metric, condition).signed ? 'text' : 'decimal'}
          unit={conditionUnit(metric, condition)}
          value={value}
          problem={problems.value}
          note={
            condition === 'leaves_range'
              ? 'Percent beyond the analyst’s first 80% range of the day (UTC); 0 is the edge'
              : undefined
          }
          onText={(next) => onChange({ ...draft, value: next })}
          className="num"
        />
      )}
    </>
  );
}
