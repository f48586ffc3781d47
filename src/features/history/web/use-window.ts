import { type RefObject, useEffect, useState } from 'react';

const ROW = 40;
const MARGIN = 20;
/** Fewer rows are all drawn. */
const FEW = 150;
const ASSUMED_HEIGHT = 640;

/** Which rows of a scrolled list are drawn, and how high what stands before and after them is. */
export function useWindow(box: RefObject<HTMLElement | null>, count: number) {
  const [scrolled, setScrolled] = useState({ top: 0, height: ASSUMED_HEIGHT });
  useEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const read = () => setScrolled({ top: element.scrollTop, height: element.clientHeight || ASSUMED_HEIGHT });
    read();
    element.addEventListener('scroll', read, { passive: true });
    return () => element.removeEventListener('scroll', read);
  }, [box]);
  if (count <= FEW) return { first: 0, end: count, before: 0, after: 0, row: ROW };
  const most = Math.max(0, count - 1);
  const first = Math.max(0, Math.min(most, Math.floor(scrolled.top / ROW)) - MARGIN);
  const end = Math.min(count, Math.ceil((scrolled.top + scrolled.height) / ROW) + MARGIN);
  return { first, end, before: first * ROW, after: (count - end) * ROW, row: ROW };
}
