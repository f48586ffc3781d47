import { useEffect, useState } from 'react';
import { ReleaseModal } from '#features/inflation/web/release-modal.tsx';
import { part } from '#ui/part.tsx';
import { isTourPending } from '#ui/settings.ts';
import type { TourProps } from '../shell/tour.tsx';
import { useAddress } from './use-address.ts';

const Tour = part<TourProps>({
  load: async () => (await import('../shell/tour.tsx')).Tour,
  failed: () => null,
});

const IDLE_MS = 5_000;
const INPUTS = ['pointerdown', 'keydown', 'scroll'] as const;

/** Runs once there was no input or scrolling for a while, the page is visible and no dialog is open. */
function onIdle(run: () => void): () => void {
  let timer: ReturnType<typeof setTimeout>;
  const restart = () => {
    clearTimeout(timer);
    timer = setTimeout(() => (document.hidden || document.querySelector('dialog[open]') ? restart() : run()), IDLE_MS);
  };
  const stop = () => {
    clearTimeout(timer);
    for (const input of INPUTS) removeEventListener(input, restart);
  };
  for (const input of INPUTS) addEventListener(input, restart, { passive: true });
  restart();
  return stop;
}

type Props = {
  /** The address requests it, until the parameter is removed. */
  isRequested: boolean;
  clearRequest: () => void;
};

/** Offers the tour once to people, never to automated browsers; both can request it through the address. */
function TourOffer({ isRequested, clearRequest }: Props) {
  const [shown, show] = useState<'offered' | 'requested' | 'over' | null>(null);
  const [onOver] = useState(() => () => show('over'));
  if (isRequested && shown !== 'requested') show('requested');
  const isAwaited = shown === null;
  useEffect(() => {
    if (isRequested) clearRequest();
  }, [isRequested, clearRequest]);
  useEffect(() => {
    if (!isAwaited || navigator.webdriver || !isTourPending()) return undefined;
    // Another tab may have answered in the meantime.
    const stop = onIdle(() => {
      stop();
      show(isTourPending() ? 'offered' : 'over');
    });
    return stop;
  }, [isAwaited]);
  if (shown !== 'offered' && shown !== 'requested') return null;
  return <Tour key={shown} isRequested={shown === 'requested'} onOver={onOver} />;
}

/** Dialogs that open automatically: release notes, and the offer of the tour. */
export function DashboardDialogs() {
  const [tour, setTour] = useAddress('tour', true);
  return (
    <>
      <ReleaseModal />
      <TourOffer isRequested={tour !== null} clearRequest={() => setTour(null)} />
    </>
  );
}
