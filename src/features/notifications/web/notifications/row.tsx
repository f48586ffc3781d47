import type { ReactNode } from 'react';

import { cx } from '#ui/cx.ts';
import { Switch } from '#ui/inputs.tsx';

type Props = { name: string; note?: ReactNode; children: ReactNode; line?: boolean };

/** A setting: label on the left, control on the right. */
export function Row({ name, note, children, line = true }: Props) {
  return (
    <div className={cx('flex min-h-14 items-center justify-between gap-4 py-1.5', line && 'border-t border-line')}>
      <div className="min-w-0">
        <p className="text-sm font-medium">{name}</p>
        {note && <div className="label">{note}</div>}
      </div>
      {children}
    </div>
  );
}

type SwitchProps = { label: string; on: boolean; disabled?: boolean | undefined; onChange: (on: boolean) => void };

/** A switch with its state in words. */
export function WordedSwitch(props: SwitchProps) {
  return (
    <Switch {...props}>
      <span className="w-6 text-left" aria-hidden="true">
        {props.on ? 'On' : 'Off'}
      </span>
    </Switch>
  );
}

/** A problem with a setting; it does not prevent choosing it. */
export function Warning({ children }: { children: ReactNode }) {
  return (
    <p role="alert" className="mt-2 rounded-ctl bg-warn/10 px-3 py-2 text-sm font-medium text-warn">
      {children}
    </p>
  );
}
