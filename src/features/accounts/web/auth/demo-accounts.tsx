import { useQuery } from '@tanstack/react-query';

import { signInOptionsQuery } from './queries.ts';

type Props = { busy: boolean; onChoose: (account: { email: string; password: string }) => void };

/** Demo mode only: one account per plan, one click each. */
export function DemoAccounts({ busy, onChoose }: Props) {
  const { data } = useQuery(signInOptionsQuery);
  const [first] = data?.demoAccounts ?? [];
  if (!data || !first) return null;
  return (
    <section aria-labelledby="demo-accounts" className="border-t border-line bg-raised/50 p-5 sm:px-6">
      <h3 id="demo-accounts" className="text-sm font-semibold">
        Demo accounts
      </h3>
      <p className="text-sm text-ink-2">
        One click signs you in. Their password: <span className="num whitespace-nowrap text-ink">{first.password}</span>
      </p>
      <ul className="mt-3 grid grid-cols-2 gap-2">
        {data.demoAccounts.map(({ plan, planName, email, password }) => (
          <li key={plan}>
            <button
              type="button"
              aria-disabled={busy}
              onClick={() => onChoose({ email, password })}
              className="w-full rounded-ctl border border-line-strong bg-surface px-2.5 py-2 text-left hover:border-ink-3"
            >
              <span className="block text-sm font-medium">{planName}</span>
              <span className="label block truncate">{email}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
