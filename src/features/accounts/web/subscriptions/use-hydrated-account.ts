import { useHydrated } from '#ui/use-hydrated.tsx';
import { type Account, useAccount } from './use-subscription.ts';

const UNKNOWN: Account = { state: 'unknown', failed: false };

/** As `useAccount`, but unknown in the server's markup: for pages that differ by plan. Kept out of the first load. */
export function useHydratedAccount(): Account {
  const account = useAccount();
  return useHydrated() ? account : UNKNOWN;
}
