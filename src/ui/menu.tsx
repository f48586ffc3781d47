import {
  createContext,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  type ToggleEvent,
  use,
  useId,
  useRef,
  useState,
} from 'react';

import { Link } from './link.tsx';
import { placeBeside } from './popover.ts';

const ITEM =
  'flex h-11 w-full items-center gap-2.5 rounded-ctl px-2.5 text-base hover:bg-raised focus-visible:bg-raised disabled:opacity-60';

const STEPS: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowDown: (at, count) => (at + 1) % count,
  ArrowUp: (at, count) => (at <= 0 ? count : at) - 1,
  Home: () => 0,
  End: (_, count) => count - 1,
};

const Close = createContext(() => {});

/** Props that make a button open the menu. */
export type OpenerProps = {
  ref: Ref<HTMLButtonElement>;
  popoverTarget: string;
  'aria-haspopup': 'menu';
  'aria-expanded': boolean;
  onKeyDown: (event: KeyboardEvent) => void;
};

type Props = {
  label: string;
  renderOpener: (props: OpenerProps) => ReactNode;
  /** Above the entries, not one of them. */
  head?: ReactNode;
  /** MenuItem and MenuLink. */
  children: ReactNode;
};

/**
 * A button with a menu. Arrow keys, Home, End and first letters move through it. A click outside and Escape close it,
 * and focus returns to the button: the browser handles that.
 */
export function Menu({ label, renderOpener, head, children }: Props) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  const [close] = useState(() => () => menu.current?.hidePopover());
  const items = () => [...(menu.current?.querySelectorAll<HTMLElement>('[role=menuitem]:not(:disabled)') ?? [])];

  const onToggle = (event: ToggleEvent<HTMLDivElement>) => {
    placeBeside(button.current, event, 'end');
    setOpen(event.newState === 'open');
    // Called late: the keyboard may already have focused another entry.
    if (event.newState === 'open' && !items().includes(document.activeElement as HTMLElement)) items()[0]?.focus();
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Tab') close();
    const all = items();
    const at = all.indexOf(document.activeElement as HTMLElement);
    const step = STEPS[event.key];
    if (step) {
      event.preventDefault();
      all[step(at, all.length)]?.focus();
    } else if (/^\S$/.test(event.key) && !event.ctrlKey && !event.metaKey && !event.altKey) {
      const letter = event.key.toLowerCase();
      [...all.slice(at + 1), ...all].find((item) => item.textContent.trim().toLowerCase().startsWith(letter))?.focus();
    }
  };
  const onButtonKey = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    menu.current?.togglePopover(true);
    items()
      .at(event.key === 'ArrowDown' ? 0 : -1)
      ?.focus();
  };

  return (
    <>
      {renderOpener({
        ref: button,
        popoverTarget: id,
        'aria-haspopup': 'menu',
        'aria-expanded': open,
        onKeyDown: onButtonKey,
      })}
      <div
        ref={menu}
        id={id}
        popover="auto"
        onToggle={onToggle}
        className="fixed inset-auto m-0 w-64 max-w-[calc(100vw-1rem)] overflow-y-auto rounded-card border border-line-strong bg-surface p-1.5 text-ink floating"
      >
        {head}
        <div role="menu" aria-label={label} tabIndex={-1} onKeyDown={onKey}>
          <Close value={close}>{children}</Close>
        </div>
      </div>
    </>
  );
}

type ItemProps = {
  onSelect: () => void;
  disabled?: boolean;
  /** The menu stays open, to show the new selection. */
  stays?: boolean;
  children: ReactNode;
};

export function MenuItem({ onSelect, disabled, stays, children }: ItemProps) {
  const close = use(Close);
  return (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      disabled={disabled}
      onClick={() => {
        if (!stays) close();
        onSelect();
      }}
      className={ITEM}
    >
      {children}
    </button>
  );
}

export const MenuLink = ({ to, children }: { to: string; children: ReactNode }) => (
  <Link to={to} role="menuitem" tabIndex={-1} onClick={use(Close)} className={ITEM}>
    {children}
  </Link>
);
