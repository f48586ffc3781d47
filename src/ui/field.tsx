import { type ComponentProps, type ReactNode, useId } from 'react';

import { cx } from './cx.ts';

export type FieldProps = Omit<ComponentProps<'input'>, 'id'> & {
  label: string;
  /** Shown to the right of the label. */
  beside?: ReactNode;
  /** Shown inside the input, at its right end. */
  inside?: ReactNode;
  /** The validation error. */
  problem?: string | null | undefined;
  /** Id of the element that describes the input. */
  explained?: string | undefined;
};

/** A labeled input. Sixteen pixels on a phone: smaller text makes it zoom in. */
export function Field({ label, beside, inside, problem, explained, className, ...rest }: FieldProps) {
  const id = useId();
  return (
    <div>
      <div className="mb-1 flex min-h-5 items-baseline justify-between gap-3 text-sm">
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        {beside}
      </div>
      <div className="relative">
        <input
          id={id}
          aria-invalid={problem ? true : undefined}
          aria-describedby={cx(problem && `${id}-problem`, explained) || undefined}
          className={cx(
            'h-11 w-full rounded-ctl border border-ink-3/75 bg-bg px-3 text-lg placeholder:text-ink-3 aria-invalid:border-down sm:h-10 sm:text-base',
            className,
          )}
          {...rest}
        />
        {inside}
      </div>
      {problem && (
        <p id={`${id}-problem`} role="alert" className="mt-1 text-sm font-medium text-down">
          {problem}
        </p>
      )}
    </div>
  );
}
