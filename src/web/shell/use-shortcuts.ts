import { useEffect, useRef } from 'react';

import { keysAreOn } from '#web/ui/settings.ts';

/** One action per key; 'g d' is g, then d. */
export type Shortcuts = Readonly<Record<string, () => void>>;

const SECOND_KEY_MS = 1500;
const TYPING = 'input, textarea, select, [contenteditable], dialog[open]';

/** Ctrl+K always; single keys while nothing is being typed and they are not switched off. */
export function useShortcuts(actions: Shortcuts): void {
  const current = useRef(actions);
  useEffect(() => {
    current.current = actions;
  });
  useEffect(() => {
    let first = '';
    let firstAt = 0;
    const onKey = (event: KeyboardEvent) => {
      const { key, metaKey, ctrlKey, altKey, target, timeStamp } = event;
      let keys = '';
      if (metaKey || ctrlKey) keys = key.toLowerCase() === 'k' ? 'mod+k' : '';
      else if (!altKey && !(target as Element).closest?.(TYPING) && keysAreOn()) {
        keys = timeStamp - firstAt < SECOND_KEY_MS ? `${first} ${key}` : key;
        [first, firstAt] = [key, key === 'g' ? timeStamp : Number.NEGATIVE_INFINITY];
      }
      const action = current.current[keys];
      if (!action) return;
      event.preventDefault();
      action();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}
