import { cx } from './cx.ts';

type Props<T extends string> = {
  label: string;
  value: T;
  options: readonly T[];
  onChange: (value: T) => void;
  className?: string;
};

/** Native radios: arrow keys and form semantics come with them. */
export function Segmented<T extends string>({ label, value, options, onChange, className }: Props<T>) {
  return (
    <fieldset className={cx('inline-flex rounded-ctl bg-raised p-0.5', className)}>
      <legend className="sr-only">{label}</legend>
      {options.map((option) => (
        <label
          key={option}
          className="relative grid h-7 min-w-10 cursor-pointer place-items-center rounded-[6px] px-2 text-xs font-medium text-ink-3 transition-colors hover:text-ink has-checked:bg-surface has-checked:text-ink has-checked:[box-shadow:0_1px_2px_rgb(0_0_0/.12)] has-focus-visible:outline-2 has-focus-visible:outline-accent"
        >
          <input
            type="radio"
            name={label}
            className="absolute inset-0 cursor-pointer appearance-none"
            checked={option === value}
            onChange={() => onChange(option)}
          />
          {option}
        </label>
      ))}
    </fieldset>
  );
}
