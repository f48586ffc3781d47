import { useQuery } from '@tanstack/react-query';

import { dashboardQuery } from '#features/dashboard/web/queries.ts';
import { TEXT_LINK } from '#web/ui/form.tsx';
import { Link } from '#web/ui/link.tsx';

/** Demo mode: leads to where one sees what is sent. */
export function PhoneOffer() {
  const { data } = useQuery(dashboardQuery);
  if (data?.dataMode !== 'demo') return null;
  return (
    <p className="text-sm text-ink-2">
      Demo mode sends no mail, push or Telegram message outside:{' '}
      <Link to="/app/phone" className={TEXT_LINK}>
        see what would reach your phone
      </Link>
    </p>
  );
}
