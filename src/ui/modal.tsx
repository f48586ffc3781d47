import { X } from 'lucide-react';
import { type ReactNode, type SyntheticEvent, useEffect, useId, useRef } from 'react';

import { cx } from './cx.ts';

type Props = {
  title: string;
  onClose: () => void;
  /** It cannot be closed at the moment. */
  locked?: boolean;
  wide?: boolean;
  /** A click outside closes it too: nothing entered is lost. */
  lightDismiss?: boolean;
  children: ReactNode;
};

/** Closes a dialog on Escape: leaving the top layer restyles the whole page, so the dialog is hidden first. */
export function hideThenClose(event: SyntheticEvent<HTMLDialogElement>): void {
  const { currentTarget: dialog } = event;
  // A file field reports the same event when its picker is canceled.
  if (event.target !== dialog) return;
  event.preventDefault();
  dialog.style.visibility = 'hidden';
  requestAnimationFrame(() => setTimeout(() => dialog.close()));
}

/** A native modal dialog for a task: a click outside does not discard it, and focus returns to its opener. */
export function Modal({ title, onClose, locked = false, wide = false, lightDismiss = false, children }: Props) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const opener = useRef<Element>(null);
  useEffect(() => {
    opener.current ??= document.activeElement;
    dialog.current?.showModal();
    dialog.current?.querySelector<HTMLElement>('input, select, textarea')?.focus();
    return () => {
      if (opener.current instanceof HTMLElement) opener.current.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onClose={onClose}
      onCancel={hideThenClose}
      closedby={locked ? 'none' : lightDismiss ? 'any' : 'closerequest'}
      className={cx(
        'fixed inset-0 m-auto max-w-none rounded-card border border-line-strong bg-surface p-0 text-ink floating backdrop:bg-black/50',
        wide ? 'w-[min(52rem,calc(100vw-1.5rem))]' : 'w-[min(30rem,calc(100vw-1.5rem))]',
      )}
    >
      <div className="p-4 sm:p-5">
        <div className="mb-3 flex min-h-6 items-center justify-between gap-3">
          <h2 id={id} className="min-w-0 text-lg font-semibold tracking-[-0.01em] break-words">
            {title}
          </h2>
          {!locked && (
            <button
              type="button"
              aria-label="Close"
              onClick={onClose}
              className="-m-2 grid size-10 shrink-0 place-items-center rounded-ctl text-ink-3 hover:bg-raised hover:text-ink"
            >
              <X className="size-4" aria-hidden="true" />
            </button>
          )}
        </div>
        {children}
      </div>
    </dialog>
  );
}
