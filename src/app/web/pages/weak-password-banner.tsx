import { ShieldAlert } from 'lucide-react';

import { ButtonLink } from '#ui/button-link.tsx';

/** Stays until the password is changed or a second factor is on. */
export function WeakPasswordBanner() {
  return (
    <section
      aria-labelledby="weak-password"
      className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-line bg-warn/10 px-3 py-2 text-sm sm:px-6"
    >
      <ShieldAlert className="size-4 shrink-0 text-warn" aria-hidden="true" />
      <p className="min-w-52 flex-1">
        <strong id="weak-password" className="font-semibold text-warn">
          Your password is easy to guess.
        </strong>{' '}
        Change it, or turn on two-factor sign-in.
      </p>
      <ButtonLink to="/app/profile?tab=security" className="h-8 px-3 max-sm:h-10">
        Security Settings
      </ButtonLink>
    </section>
  );
}
