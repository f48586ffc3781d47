import { useEffect, useState } from 'react';

import { part } from '#ui/part.tsx';
import { isTourPending } from '#ui/settings.ts';

import type { TourProps } from './tour.tsx';

const Tour = part<TourProps>({
  load: async () => (await import('./tour.tsx')).Tour,
  failed: () => null,
});

const IDLE_MS = 5_000;
const ACTS = ['pointerdown', 'keydown', 'scroll'] as const;

/** Calls `then` once there was no input or scrolling for a while, the page is visible and no dialog is open. */
function onIdle(then: () => void): () => void {
  let timer: ReturnType<typeof setTimeout>;
  const wait = () => {
    clearTimeout(timer);
    timer = setTimeout(() => (document.hidden || document.querySelector('dialog[open]') ? wait() : then()), IDLE_MS);
  };
  const leave = () => {
    clearTimeout(timer);
    for (const act of ACTS) removeEventListener(act, wait);
  };
  for (const act of ACTS) addEventListener(act, wait, { passive: true });
  wait();
  return leave;
}

type Props = {
  /** The address requests it, until the parameter is removed. */
  asked: boolean;
  setAsked: (asked: null) => void;
};

/** Offers the tour once to people, never to automated browsers; both can request it through the address. */
export function TourPlace({ asked, setAsked }: Props) {
  const [shown, show] = useState<'offered' | 'asked' | 'over' | null>(null);
  const [onOver] = useState(() => () => show('over'));
  if (asked && shown !== 'asked') show('asked');
  const isAwaited = shown === null;
  useEffect(() => {
    if (asked) setAsked(null);
  }, [asked, setAsked]);
  useEffect(() => {
    if (!isAwaited || navigator.webdriver || !isTourPending()) return undefined;
    // Another tab may have answered in the meantime.
    const leave = onIdle(() => {
      leave();
      show(isTourPending() ? 'offered' : 'over');
    });
    return leave;
  }, [isAwaited]);
  if (shown !== 'offered' && shown !== 'asked') return null;
  return <Tour key={shown} asked={shown === 'asked'} onOver={onOver} />;
}
