import { Modal } from '#ui/modal.tsx';
import { keysAreOn } from '#ui/settings.ts';

import { PAGE_KEYS, SEARCH_KEYS, VIEW_KEYS } from './keys.ts';

type Line = readonly [does: string, ways: readonly string[]];

const linesOf = (keys: typeof PAGE_KEYS): Line[] => Object.entries(keys).map(([key, { does }]) => [does, [key]]);

/** Global shortcuts come from their handlers; the others belong to the element they are pressed in. */
const GROUPS: readonly (readonly [title: string, lines: readonly Line[]])[] = [
  ['Go to', linesOf(PAGE_KEYS)],
  [
    'Search',
    [
      ...linesOf(SEARCH_KEYS).map(([does, ways]): Line => [does, [...ways, 'Ctrl K']]),
      ['Move through results', ['↑', '↓']],
      ['Open result', ['Enter']],
    ],
  ],
  [
    'Lists, menus and charts',
    [
      ['Move from a coin to its numbers', ['← →', '↑ ↓']],
      ['Show the source of a number', ['Enter']],
      ['Move through a menu', ['↑ ↓', 'Home', 'End']],
      ['Switch tabs', ['← →', 'Home', 'End']],
      ['Move along a chart or calendar', ['← →']],
    ],
  ],
  [
    'Page and dialogs',
    [...linesOf(VIEW_KEYS), ['Move to the next control', ['Tab']], ['Close the open dialog or menu', ['Esc']]],
  ],
];

const KBD = 'rounded-[4px] border border-line-strong px-1.5 font-sans text-xs font-medium';

/** 'g d' is read as it is pressed: g, then d. */
function Way({ keys }: { keys: string }) {
  const [first, then] = /^\w \w$/.test(keys) ? keys.split(' ') : [keys];
  return (
    <span>
      <kbd className={KBD}>{first}</kbd>
      {then && (
        <>
          <span className="text-ink-3"> then </span>
          <kbd className={KBD}>{then}</kbd>
        </>
      )}
    </span>
  );
}

/** Every key, by where it is of use. */
export function KeysDialog({ onClose }: { onClose: () => void }) {
  return (
    <Modal title="Keyboard shortcuts" onClose={onClose}>
      {!keysAreOn() && (
        <p className="mb-3 text-sm text-warn">Single-key shortcuts are off. Turn them on in Settings and shortcuts.</p>
      )}
      <div className="grid gap-4">
        {GROUPS.map(([title, lines]) => (
          <section key={title} aria-label={title}>
            <h3 className="label mb-1">{title}</h3>
            <dl className="text-sm">
              {lines.map(([does, ways]) => (
                <div key={does} className="flex min-h-9 items-center justify-between gap-4 border-t border-line">
                  <dt className="text-ink-2">{does}</dt>
                  <dd className="flex shrink-0 gap-1.5">
                    {ways.map((keys) => (
                      <Way key={keys} keys={keys} />
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Modal>
  );
}
