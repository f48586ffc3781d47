import type { Probabilities } from '#features/predictions/contract.ts';
import { cx } from '#web/ui/cx.ts';
import { Split } from '#web/ui/micro.tsx';

import { percents } from './words.ts';

/** How likely each outcome is held to be; in the order of the scale, down to the left. */
export function Chances({ of, className }: { of: Probabilities; className?: string }) {
  const { up, flat, down } = percents(of);
  return (
    <div className={cx('min-w-0', className)}>
      <Split
        pieces={[
          { name: 'down', size: of.down, tone: 'bg-down' },
          { name: 'flat', size: of.flat, tone: 'bg-ink-3/50' },
          { name: 'up', size: of.up, tone: 'bg-up' },
        ]}
      />
      <p className="label num mt-1 flex justify-between gap-2 whitespace-nowrap">
        <span>Down {down}%</span>
        <span>Flat {flat}%</span>
        <span>Up {up}%</span>
      </p>
    </div>
  );
}
