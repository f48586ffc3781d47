import { useId } from 'react';

import type { ChangeFilter } from '#ui/address-filter.ts';
import { Select } from '#ui/select.tsx';

import { ASSET_ORDER, ASSETS, TIMEFRAME_ORDER, TIMEFRAMES, typeChoices, type View } from './view.ts';

type ChoiceProps<T extends string> = {
  label: string;
  value: T;
  options: readonly (readonly [value: T, text: string])[];
  onChoose: (value: T) => void;
};

function Choice<T extends string>({ label, value, options, onChoose }: ChoiceProps<T>) {
  const id = useId();
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className="label">
        {label}
      </label>
      <Select id={id} value={value} onText={(text) => onChoose(text as T)} className="max-sm:h-11! max-sm:w-full">
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </Select>
    </div>
  );
}

/** Chart options; all of them are in the URL. */
export function Filters({ view, onChange }: { view: View; onChange: ChangeFilter<View> }) {
  const { asset, timeframe, chartType, compare, events } = view;
  return (
    <>
      <Choice
        label="Asset"
        value={asset}
        options={ASSET_ORDER.map((symbol) => [symbol, `${symbol} ${ASSETS[symbol]}`] as const)}
        onChoose={(next) => onChange({ asset: next, ...(next === compare ? { compare: null } : {}) })}
      />
      <Choice
        label="Timeframe"
        value={timeframe}
        options={TIMEFRAME_ORDER.map((each) => [each, TIMEFRAMES[each]] as const)}
        onChoose={(next) => onChange({ timeframe: next })}
      />
      <Choice
        label="Chart type"
        value={chartType}
        options={typeChoices}
        onChoose={(next) => onChange({ chartType: next })}
      />
      <Choice
        label="Compare with"
        value={compare ?? ''}
        options={[
          ['', 'Nothing'],
          ...ASSET_ORDER.filter((symbol) => symbol !== asset).map((symbol) => [symbol, ASSETS[symbol]] as const),
        ]}
        onChoose={(next) => onChange({ compare: next === '' ? null : next })}
      />
      <label className="flex h-8 items-center gap-2 px-1 text-sm max-sm:h-11!">
        <input
          type="checkbox"
          checked={events}
          onChange={(event) => onChange({ events: event.target.checked })}
          className="size-4 accent-(--accent)"
        />
        Events
      </label>
    </>
  );
}
