import { keysAreOn } from '#web/ui/settings.ts';
import { toggleTheme } from '#web/ui/theme.ts';

type Shell = { open: (overlay: 'palette' | 'settings') => void; go: (to: string) => void };

/** One action per key; 'g d' is g, then d. */
const actionsOf = ({ open, go }: Shell): Readonly<Record<string, () => unknown>> => ({
  '/': () => open('palette'),
  '?': () => open('settings'),
  t: toggleTheme,
  'g d': () => go('/app'),
  'g s': () => go('/app/sources'),
});

const SECOND_KEY_MS = 1500;
const BUSY = 'input, textarea, select, [contenteditable], dialog[open]';

/** Single keys act while nothing is being typed and they are not switched off. */
export function listenToKeys(shell: Shell): () => void {
  const actions = actionsOf(shell);
  let first = '';
  let firstAt = Number.NEGATIVE_INFINITY;
  const onKey = (event: KeyboardEvent) => {
    const { key, metaKey, ctrlKey, altKey, target, timeStamp } = event;
    if (metaKey || ctrlKey || altKey || (target as Element).closest?.(BUSY) || !keysAreOn()) return;
    const keys = timeStamp - firstAt < SECOND_KEY_MS ? `${first} ${key}` : key;
    first = key;
    firstAt = key === 'g' ? timeStamp : Number.NEGATIVE_INFINITY;
    const action = actions[keys];
    if (!action) return;
    event.preventDefault();
    action();
  };
  addEventListener('keydown', onKey);
  return () => removeEventListener('keydown', onKey);
}
