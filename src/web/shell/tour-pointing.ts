const EDGE = 12;
/** Below the header, which stays where it is. */
const TOP = 68;
const RING = 6;
const PHONE = 640;

/** Scrolls to it unless it can be seen above a card that stands at the end of the screen; the header never moves. */
export function bringIntoView(target: Element, card: HTMLElement): void {
  if (!target.closest('main, footer')) return;
  const { top, bottom, height } = target.getBoundingClientRect();
  const room = innerHeight - card.offsetHeight - 3 * EDGE;
  if (top >= TOP && bottom <= room) return;
  const wanted = Math.max(TOP, (room - height) / 2);
  scrollBy({ top: top - wanted, behavior: 'instant' });
}

/** The ring around what is meant, and the card beside it: at the end of the screen on a phone. */
export function pointAt(target: Element | undefined, ring: HTMLElement, card: HTMLElement): void {
  const box = target?.getBoundingClientRect();
  Object.assign(ring.style, {
    left: `${(box?.left ?? 0) - RING}px`,
    top: `${(box?.top ?? 0) - RING}px`,
    width: box ? `${box.width + 2 * RING}px` : '0',
    height: box ? `${box.height + 2 * RING}px` : '0',
  });
  const { offsetWidth: width, offsetHeight: height } = card;
  const last = innerHeight - height - EDGE;
  const below = (box?.bottom ?? 0) + RING + EDGE;
  const above = (box?.top ?? 0) - RING - EDGE - height;
  const isCovered = box !== undefined && box.bottom + RING > last;
  let top = last;
  if (innerWidth < PHONE) top = isCovered ? EDGE : last;
  else if (box && below <= last) top = below;
  else if (box && above >= EDGE) top = above;
  const left = innerWidth < PHONE ? EDGE : Math.min(box?.left ?? EDGE, innerWidth - width - EDGE);
  Object.assign(card.style, { top: `${top}px`, left: `${Math.max(EDGE, left)}px` });
}
