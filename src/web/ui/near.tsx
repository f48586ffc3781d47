import { type ReactNode, useEffect, useRef, useState } from 'react';

type Props = {
  /** Holds the place, at the height the content will have. */
  frame: ReactNode;
  className?: string;
  children: ReactNode;
};

/** Shows its children once the place comes near the screen, and keeps them. */
export function Near({ frame, className, children }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const [near, setNear] = useState(false);
  useEffect(() => {
    if (near || !place.current) return undefined;
    const watcher = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setNear(true);
      },
      { rootMargin: '900px' },
    );
    watcher.observe(place.current);
    return () => watcher.disconnect();
  }, [near]);
  return (
    <div ref={place} className={className}>
      {near ? children : frame}
    </div>
  );
}
