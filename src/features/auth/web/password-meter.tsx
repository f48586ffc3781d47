import { cx } from '#web/ui/cx.ts';

import { STRENGTHS, strengthOf } from './strength.ts';

/** Advises, never refuses: only a password that everyone uses is refused, by the server. */
export function PasswordMeter({ id, password, email }: { id: string; password: string; email: string }) {
  const level = strengthOf(password, email);
  const strength = STRENGTHS[level];
  return (
    <div id={id} className="mt-2">
      <div className="flex gap-1" aria-hidden="true">
        {STRENGTHS.map(({ name }, at) => (
          <span
            key={name}
            className={cx(
              'h-1 flex-1 rounded-full',
              password && at <= level ? (level === 0 ? 'bg-warn' : 'bg-accent') : 'bg-line-strong',
            )}
          />
        ))}
      </div>
      <output className="mt-1 block min-h-5 text-xs text-ink-2">
        {password && strength
          ? `Password strength: ${strength.name}. ${strength.advice}`
          : 'No rules. Three or four words make a good one.'}
      </output>
    </div>
  );
}
