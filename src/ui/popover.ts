import type { ToggleEvent } from 'react';

const GAP = 6;
const EDGE = 8;
const ROOM = 400;

/**
 * Places an open popover next to its opener, on the side with room; it may grow later without leaving the screen. It is
 * aligned with the start of the opener, or with its end.
 */
export function placeBeside(
  opener: Element | null,
  event: ToggleEvent<HTMLElement>,
  align: 'start' | 'end' = 'start',
): void {
  if (event.newState !== 'open' || !opener) return;
  const box = opener.getBoundingClientRect();
  const { style, offsetWidth } = event.currentTarget;
  const below = innerHeight - box.bottom;
  const down = below >= ROOM || below >= box.top;
  const left = align === 'end' ? box.right - offsetWidth : box.left;
  style.left = `${Math.max(EDGE, Math.min(left, document.documentElement.clientWidth - offsetWidth - EDGE))}px`;
  style.top = down ? `${box.bottom + GAP}px` : 'auto';
  style.bottom = down ? 'auto' : `${innerHeight - box.top + GAP}px`;
  style.maxHeight = `${(down ? below : box.top) - GAP - EDGE}px`;
}
