import { areShortcutsEnabled } from '#ui/settings.ts';
import { toggleTheme } from '#ui/theme.ts';

import type { Overlay } from './dialogs.tsx';

type Shell = { open: (overlay: Overlay) => void; go: (to: string) => void };
type Shortcut = { does: string; act: (shell: Shell) => void };

const to = (address: string, does: string): Shortcut => ({ does, act: ({ go }) => go(address) });

/** One action per key; 'g d' is g, then d. */
export const PAGE_KEYS: Readonly<Record<string, Shortcut>> = {
  'g d': to('/app', 'Dashboard'),
  'g e': to('/app/events', 'Upcoming Events'),
  'g h': to('/app/history', 'Historical Data'),
  'g r': to('/app/track-record', 'Track Record'),
  'g s': to('/app/sources', 'Data Sources'),
};

export const SEARCH_KEYS: Readonly<Record<string, Shortcut>> = {
  '/': { does: 'Search coins, pages and actions', act: ({ open }) => open('palette') },
};

export const VIEW_KEYS: Readonly<Record<string, Shortcut>> = {
  '?': { does: 'Show this list', act: ({ open }) => open('keys') },
  t: { does: 'Switch color theme', act: toggleTheme },
};

const SINGLE_KEYS: Readonly<Record<string, Shortcut>> = { ...PAGE_KEYS, ...SEARCH_KEYS, ...VIEW_KEYS };

const SECOND_KEY_MS = 1500;
const BUSY = 'input, textarea, select, [contenteditable], dialog[open]';

/** Single keys work while nothing is being typed and unless they are turned off. */
export function listenToKeys(shell: Shell): () => void {
  let first = '';
  let firstAt = Number.NEGATIVE_INFINITY;
  const onKey = (event: KeyboardEvent) => {
    const { key, metaKey, ctrlKey, altKey, target, timeStamp } = event;
    if (metaKey || ctrlKey || altKey || (target as Element).closest?.(BUSY) || !areShortcutsEnabled()) return;
    const keys = timeStamp - firstAt < SECOND_KEY_MS ? `${first} ${key}` : key;
    first = key;
    firstAt = key === 'g' ? timeStamp : Number.NEGATIVE_INFINITY;
    const shortcut = SINGLE_KEYS[keys];
    if (!shortcut) return;
    event.preventDefault();
    shortcut.act(shell);
  };
  addEventListener('keydown', onKey);
  return () => removeEventListener('keydown', onKey);
}
