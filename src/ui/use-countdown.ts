import { useEffect, useEffectEvent, useState } from 'react';

/** Seconds left; at zero `onEnd` runs, once. */
export function useCountdown(seconds: number, onEnd: () => void): number {
  const [left, setLeft] = useState(seconds);
  const end = useEffectEvent(onEnd);
  useEffect(() => {
    const ticking = setInterval(() => setLeft((now) => Math.max(0, now - 1)), 1000);
    const ending = setTimeout(() => end(), seconds * 1000);
    return () => {
      clearInterval(ticking);
      clearTimeout(ending);
    };
  }, [seconds]);
  return left;
}
