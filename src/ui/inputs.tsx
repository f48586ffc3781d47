import { type ComponentProps, type ReactNode, useId } from 'react';

import './inputs.css';

import { cx } from './cx.ts';
import { Select } from './select.tsx';

/** Sixteen pixels on a phone: smaller text makes it zoom in. */
export const INPUT =
  'h-11 w-full min-w-0 rounded-ctl border border-ink-3/75 bg-bg px-3 text-lg placeholder:text-ink-3 aria-invalid:border-down sm:h-10 sm:text-base';

type LabelledProps = {
  label: string;
  problem?: string | null | undefined;
  note?: string | undefined;
  /** Shown inside, at the right end. */
  unit?: string;
  children: (control: {
    id: string;
    'aria-invalid': true | undefined;
    'aria-describedby': string | undefined;
  }) => ReactNode;
};

/** A labeled control, with its error below. */
export function Labelled({ label, problem, note, unit, children }: LabelledProps) {
  const id = useId();
  const below = problem ?? note;
  return (
    <div className="min-w-0">
      <label htmlFor={id} className="mb-1 block text-sm font-medium">
        {label}
      </label>
      <div className="relative">
        {children({
          id,
          'aria-invalid': problem ? true : undefined,
          'aria-describedby': below ? `${id}-below` : undefined,
        })}
        {unit && (
          <span
            className="absolute inset-y-0 right-3 flex items-center text-sm text-ink-3"
            style={{ pointerEvents: 'none' }}
          >
            {unit}
          </span>
        )}
      </div>
      {below && (
        <p
          id={`${id}-below`}
          role={problem ? 'alert' : undefined}
          className={cx('mt-1', problem ? 'text-sm font-medium text-down' : 'label')}
        >
          {below}
        </p>
      )}
    </div>
  );
}

type TextProps = Omit<ComponentProps<'input'>, 'id' | 'onChange'> &
  Omit<LabelledProps, 'children'> & { onText: (text: string) => void };

export function TextField({ label, problem, note, unit, onText, className, ...rest }: TextProps) {
  return (
    <Labelled label={label} problem={problem} note={note} {...(unit ? { unit } : {})}>
      {(control) => (
        <input
          {...control}
          autoComplete="off"
          onChange={(event) => onText(event.target.value)}
          className={cx(INPUT, unit && 'pr-12', className)}
          {...rest}
        />
      )}
    </Labelled>
  );
}

type SelectProps = Omit<LabelledProps, 'children' | 'unit'> & {
  value: string;
  onText: (value: string) => void;
  children: ReactNode;
};

export function SelectField({ label, problem, note, value, onText, children }: SelectProps) {
  return (
    <Labelled label={label} problem={problem} note={note}>
      {(control) => (
        <Select {...control} size="form" value={value} onText={onText}>
          {children}
        </Select>
      )}
    </Labelled>
  );
}

type SwitchProps = {
  label: string;
  on: boolean;
  disabled?: boolean | undefined;
  onChange: (on: boolean) => void;
  children?: ReactNode;
};

export function Switch({ label, on, disabled, onChange, children }: SwitchProps) {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={on}
      aria-label={label}
      disabled={disabled}
      onClick={() => onChange(!on)}
      className="inline-flex h-11 shrink-0 items-center gap-2 rounded-ctl px-2 text-sm font-medium hover:bg-raised disabled:cursor-default disabled:opacity-60 sm:h-9"
    >
      <span className="switch-track" aria-hidden="true" />
      {children}
    </button>
  );
}
