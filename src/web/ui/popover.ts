import type { ToggleEvent } from 'react';

const GAP = 6;
const EDGE = 8;
const ROOM = 400;

/** Puts an open popover beside what opened it, on the side with room; it may grow later without leaving the screen. */
export function placeBeside(opener: Element | null, event: ToggleEvent<HTMLElement>): void {
  if (event.newState !== 'open' || !opener) return;
  const box = opener.getBoundingClientRect();
  const { style, offsetWidth } = event.currentTarget;
  const below = innerHeight - box.bottom;
  const down = below >= ROOM || below >= box.top;
  style.left = `${Math.max(EDGE, Math.min(box.left, document.documentElement.clientWidth - offsetWidth - EDGE))}px`;
  style.top = down ? `${box.bottom + GAP}px` : 'auto';
  style.bottom = down ? 'auto' : `${innerHeight - box.top + GAP}px`;
  style.maxHeight = `${(down ? below : box.top) - GAP - EDGE}px`;
}
