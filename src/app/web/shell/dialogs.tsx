import { type ReactNode, useEffect, useState } from 'react';
import { Button } from '#ui/button.tsx';
import { Modal } from '#ui/modal.tsx';
import { areShortcutsEnabled, type Palette, paletteNow, setPalette, setShortcutsEnabled } from '#ui/settings.ts';
import { PAGE_KEYS, SEARCH_KEYS, VIEW_KEYS } from './keys.ts';
import { markNewsRead } from './news-read.ts';

type Props = { onOpen: (overlay: Overlay) => void; onClose: () => void };

const PALETTES: readonly (readonly [Palette, string])[] = [
  ['green-red', 'Green and red'],
  ['blue-orange', 'Blue and orange (red-green color-blind friendly)'],
];

/** Settings stored in this browser. */
function SettingsDialog({ onOpen, onClose }: Props) {
  const [palette, choose] = useState(paletteNow);
  const [keys, setKeysOn] = useState(areShortcutsEnabled);
  return (
    <Modal title="Settings and shortcuts" lightDismiss onClose={onClose}>
      <fieldset>
        <legend className="label">Up and down colors</legend>
        {PALETTES.map(([value, text]) => (
          <Choice key={value}>
            <input
              type="radio"
              name="palette"
              checked={palette === value}
              onChange={() => {
                setPalette(value);
                choose(value);
              }}
              className="size-4 shrink-0 accent-(--accent)"
            />
            {text}
          </Choice>
        ))}
        <p className="num mt-1 flex gap-4 text-sm" aria-hidden="true">
          <span className="change" data-dir="up">
            +2.61%
          </span>
          <span className="change" data-dir="down">
            {'\u2212'}1.12%
          </span>
        </p>
      </fieldset>
      <section aria-labelledby="keys" className="mt-5">
        <h3 id="keys" className="label">
          Keyboard shortcuts
        </h3>
        <Choice>
          <input
            type="checkbox"
            checked={keys}
            onChange={() => {
              setShortcutsEnabled(!keys);
              setKeysOn(!keys);
            }}
            className="size-4 shrink-0 accent-(--accent)"
          />
          Single-key shortcuts work when you are not typing
        </Choice>
        <div className="mt-3 flex flex-wrap gap-2">
          <Button className="max-sm:h-10" onClick={() => onOpen('keys')}>
            All keyboard shortcuts
          </Button>
          <Button className="max-sm:h-10" onClick={() => onOpen('news')}>
            What’s new
          </Button>
        </div>
      </section>
    </Modal>
  );
}

function Choice({ children }: { children: ReactNode }) {
  return <label className="flex min-h-10 cursor-pointer items-center gap-2.5 text-sm">{children}</label>;
}

type Line = readonly [does: string, ways: readonly string[]];

const toLines = (keys: typeof PAGE_KEYS): Line[] => Object.entries(keys).map(([key, { does }]) => [does, [key]]);

/** Global shortcuts come from their handlers; the others belong to the focused element. */
const GROUPS: readonly (readonly [title: string, lines: readonly Line[]])[] = [
  ['Go to', toLines(PAGE_KEYS)],
  [
    'Search',
    [
      ...toLines(SEARCH_KEYS).map(([does, ways]): Line => [does, [...ways, 'Ctrl K']]),
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
    [...toLines(VIEW_KEYS), ['Move to the next control', ['Tab']], ['Close the open dialog or menu', ['Esc']]],
  ],
];

const KBD = 'rounded-[4px] border border-line-strong px-1.5 font-sans text-xs font-medium';

/** 'g d' means pressing g, then d. */
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

/** All keys, by where they apply. */
function KeysDialog({ onClose }: { onClose: () => void }) {
  return (
    <Modal title="Keyboard shortcuts" onClose={onClose}>
      {!areShortcutsEnabled() && (
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

/** The changes of each version, in the user-facing words of the changelog. */
function NewsDialog({ onClose }: { onClose: () => void }) {
  useEffect(markNewsRead, []);
  return (
    <Modal title="What’s new" onClose={onClose}>
      <div className="grid gap-4">
        {__NEWS__.map(({ version, lines }) => (
          <section key={version} aria-label={`Version ${version}`}>
            <h3 className="label mb-1">Version {version}</h3>
            <ul className="text-sm text-ink-2">
              {lines.map((line) => (
                <li key={line} className="border-t border-line py-2">
                  {line}
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </Modal>
  );
}

/** Dialogs above every page. The palette has a separate file. */
export type Overlay = 'palette' | 'settings' | 'keys' | 'news';

export type DialogsProps = {
  open: Exclude<Overlay, 'palette'>;
  onOpen: (overlay: Overlay) => void;
  onClose: () => void;
};

export function Dialogs({ open, onOpen, onClose }: DialogsProps) {
  if (open === 'keys') return <KeysDialog onClose={onClose} />;
  if (open === 'news') return <NewsDialog onClose={onClose} />;
  return <SettingsDialog onOpen={onOpen} onClose={onClose} />;
}
