import { ReleaseModal } from '#features/inflation/web/release-modal.tsx';

import { TourPlace } from '../shell/tour-place.tsx';
import { useAddress } from './use-address.ts';

/** Dialogs that open automatically: release notes, and the offer of the tour. */
export function DashboardGuests() {
  const [tour, setTour] = useAddress('tour', true);
  return (
    <>
      <ReleaseModal />
      <TourPlace asked={tour !== null} setAsked={setTour} />
    </>
  );
}
