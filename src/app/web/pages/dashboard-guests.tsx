import { ReleaseModal } from '#features/inflation/web/release-modal.tsx';

import { TourPlace } from '../shell/tour-place.tsx';
import { useAddress } from './use-address.ts';

/** What comes to the dashboard by itself: the news of a release, and the offer of the tour. */
export function DashboardGuests() {
  const [tour, setTour] = useAddress('tour', true);
  return (
    <>
      <ReleaseModal />
      <TourPlace asked={tour !== null} setAsked={setTour} />
    </>
  );
}
