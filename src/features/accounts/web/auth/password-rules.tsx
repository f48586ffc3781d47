import { Check, Circle } from 'lucide-react';
import { PASSWORD_RULES } from '#features/accounts/contract/auth.ts';
import { cx } from '#ui/cx.ts';

/** Live checklist of a new password. */
export function PasswordRules({ id, password }: { id: string; password: string }) {
  return (
    <ul id={id} aria-label="Password requirements" className="grid gap-1 text-sm">
      {PASSWORD_RULES.map(({ text, holds }) => {
        const met = holds(password);
        const Icon = met ? Check : Circle;
        return (
          <li key={text} className={cx('flex items-center gap-2', met ? 'text-up' : 'text-ink-2')}>
            <Icon className="size-3.5 shrink-0" aria-hidden="true" />
            {text}
            <span className="sr-only">{met ? ', met' : ', not met'}</span>
          </li>
        );
      })}
    </ul>
  );
}
