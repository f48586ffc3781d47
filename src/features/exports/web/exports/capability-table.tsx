import { Check, Minus } from 'lucide-react';

import type { Plan } from '#shared/contract.ts';
import type { PaidLimits } from '#shared/day-limits.ts';
import { Badge } from '#ui/badge.tsx';
import { Card } from '#ui/card.tsx';
import { cx } from '#ui/cx.ts';

import { COLUMNS, rowsOf } from './capability-rows.ts';

type Props = {
  plan: Plan | null;
  /** Undefined while they are not known. */
  limits: PaidLimits | undefined;
};

/** What each plan can export, with that of the reader marked. */
export function CapabilityTable({ plan, limits }: Props) {
  const isOwn = (holds: readonly Plan[]) => plan !== null && holds.includes(plan);
  return (
    <Card id="capabilities" title="What Each Plan Exports">
      <div
        role="region"
        aria-label="Plan comparison"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
        tabIndex={0}
        className="relative overflow-x-auto pb-2"
      >
        <table className="num w-full min-w-[40rem] text-sm">
          <thead>
            <tr className="text-left">
              <th scope="col" className="label px-4 py-2 font-medium">
                Plan
              </th>
              {COLUMNS.map(({ name, holds }) => (
                <th key={name} scope="col" className={cx('px-4 py-2 font-semibold', isOwn(holds) && 'bg-raised/50')}>
                  {name} {isOwn(holds) && <Badge>Yours</Badge>}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rowsOf(limits).map(({ name, values }) => (
              <tr key={name} className="border-t border-line align-top">
                <th scope="row" className="px-4 py-2 text-left font-medium">
                  {name}
                </th>
                {COLUMNS.map((column, i) => (
                  <td key={column.name} className={cx('px-4 py-2 text-ink-2', isOwn(column.holds) && 'bg-raised/50')}>
                    <Value value={values[i] ?? false} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  );
}

function Value({ value }: { value: string | boolean }) {
  if (typeof value === 'string') return value;
  const Icon = value ? Check : Minus;
  return (
    <>
      <Icon className={cx('size-4', value ? 'text-accent' : 'text-ink-3')} aria-hidden="true" />
      <span className="sr-only">{value ? 'Included' : 'Not included'}</span>
    </>
  );
}
