import { X } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';

import { Button } from '#ui/button.tsx';
import { keysAreOn, type Palette, paletteNow, setKeys, setPalette } from '#ui/settings.ts';

import type { Overlay } from './dialogs.tsx';

type Props = { onOpen: (overlay: Overlay) => void; onClose: () => void };

const PALETTES: readonly (readonly [Palette, string])[] = [
  ['green-red', 'Green and red'],
  ['blue-orange', 'Blue and orange (red-green color-blind friendly)'],
];

/** The choices kept in this browser. */
export function SettingsDialog({ onOpen, onClose }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [palette, choose] = useState(paletteNow);
  const [keys, setKeysOn] = useState(keysAreOn);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby="settings"
      onClose={onClose}
      closedby="any"
      className="fixed inset-0 m-auto w-[min(30rem,calc(100vw-1.5rem))] max-w-none rounded-card border border-line-strong bg-surface p-0 text-ink floating backdrop:bg-black/50"
    >
      <div className="p-4 sm:p-5">
        <div className="flex items-center justify-between">
          <h2 id="settings" className="text-lg font-semibold tracking-[-0.01em]">
            Settings and shortcuts
          </h2>
          <button
            type="button"
            aria-label="Close"
            onClick={onClose}
            className="-m-2 grid size-10 place-items-center rounded-ctl text-ink-3 hover:bg-raised hover:text-ink"
          >
            <X className="size-4" aria-hidden="true" />
          </button>
        </div>
        <fieldset className="mt-4">
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
                setKeys(!keys);
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
      </div>
    </dialog>
  );
}

function Choice({ children }: { children: ReactNode }) {
  return <label className="flex min-h-10 cursor-pointer items-center gap-2.5 text-sm">{children}</label>;
}
