import { cx } from './cx.ts';

type Props<T extends string> = {
  label: string;
  value: T;
  options: readonly T[];
  onChange: (value: T) => void;
  className?: string;
};

/** Native radios, for arrow keys and form semantics. */
export function Segmented<T extends string>({ label, value, options, onChange, className }: Props<T>) {
  return (
    <fieldset className={cx('inline-flex rounded-ctl bg-raised p-0.5', className)}>
      <legend className="sr-only">{label}</legend>
      {options.map((option) => (
        <label
          key={option}
          className="relative grid h-7 min-w-10 cursor-pointer place-items-center px-2 text-xs font-medium text-ink-3 transition-colors segment hover:text-ink"
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
