import type { ReactNode } from 'react';

/** Details of a row in a few short labeled lines. */
export function Facts({ of }: { of: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className="num grid gap-1">
      {of.map(([name, value]) => (
        <div key={name} className="flex items-baseline gap-x-2 whitespace-nowrap">
          <dt className="label w-14 shrink-0">{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
