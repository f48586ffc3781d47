import type { ReactNode } from 'react';

import '#ui/inputs.css';

type Props<T extends string> = {
  legend: string;
  options: readonly T[];
  names: Readonly<Record<T, string>>;
  value: T;
  disabled?: boolean;
  onChange: (value: T) => void;
};

/** A single choice, as native radios styled as buttons. */
export function Choices<T extends string>({ legend, options, names, value, disabled, onChange }: Props<T>) {
  return (
    <fieldset disabled={disabled}>
      <legend className="mb-1.5 text-sm font-medium">{legend}</legend>
      <div className="flex flex-wrap gap-1.5">
        {options.map((option) => (
          <label
            key={option}
            className="day-box relative grid h-10 cursor-pointer place-items-center rounded-ctl border border-line-strong px-3 text-sm font-medium"
          >
            <input
              type="radio"
              name={legend}
              checked={option === value}
              onChange={() => onChange(option)}
              className="absolute inset-0 cursor-pointer appearance-none"
            />
            {names[option]}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

type TileProps = {
  type: 'radio' | 'checkbox';
  name: string;
  /** Name shared by the radios of a group. */
  group: string;
  note: string;
  checked: boolean;
  disabled?: boolean;
  onChange: (checked: boolean) => void;
};

/** A choice with an explanatory line. */
export function Tile({ type, name, group, note, checked, disabled = false, onChange }: TileProps) {
  return (
    <label className="flex cursor-pointer gap-2.5 rounded-ctl border border-line-strong px-3 py-2.5 has-checked:border-accent has-checked:bg-accent/10">
      <input
        type={type}
        name={group}
        aria-label={name}
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.target.checked)}
        className="mt-0.5 size-4 shrink-0 accent-(--accent)"
      />
      <span className="min-w-0">
        <span className="block text-sm font-medium">{name}</span>
        <span className="label block">{note}</span>
      </span>
    </label>
  );
}

type BoxProps = { name: string; note?: ReactNode; checked: boolean; onChange: (checked: boolean) => void };

export function Box({ name, note, checked, onChange }: BoxProps) {
  return (
    <label className="flex min-h-10 cursor-pointer items-center gap-2.5 text-sm">
      <input
        type="checkbox"
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
        className="size-4 shrink-0 accent-(--accent)"
      />
      <span>
        {name}
        {note && <span className="label block">{note}</span>}
      </span>
    </label>
  );
}
