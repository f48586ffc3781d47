import { Command } from 'cmdk';
import { useDeferredValue, useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { useAccount } from '#features/accounts/web/subscriptions/use-subscription.ts';
import type { CryptoPrice } from '#features/market/contract/market.ts';
import { CoinMark } from '#ui/coin-mark.tsx';
import { hideThenClose } from '#ui/modal.tsx';
import { togglePalette } from '#ui/settings.ts';
import { toggleTheme } from '#ui/theme.ts';

import type { Overlay } from './dialogs.tsx';
import { pagesFor } from './offered-pages.ts';
import { MAIN_PAGES } from './pages.ts';

const ITEM =
  'flex h-10 cursor-pointer items-center gap-2.5 rounded-ctl px-2.5 text-base data-[selected=true]:bg-raised';

export type PaletteProps = { coins: readonly CryptoPrice[]; onOpen: (overlay: Overlay) => void; onClose: () => void };

/** Prefix matches rank before substring matches; no fuzzy matching among 250 symbols. */
function rank(value: string, words: string): number {
  const at = value.toLowerCase().indexOf(words.trim().toLowerCase());
  if (at < 0) return 0;
  return at === 0 ? 1 : 0.5;
}

const MAX_COINS = 12;
const searchText = ({ symbol, name, id }: CryptoPrice) => `${symbol} ${name} ${id}`;

/** The largest coins that match, prefix matches first: a list of all 250 would delay every key. */
function coinsFor(coins: readonly CryptoPrice[], words: string): readonly CryptoPrice[] {
  const found = coins.filter((coin) => rank(searchText(coin), words) > 0);
  return found.toSorted((a, b) => rank(searchText(b), words) - rank(searchText(a), words)).slice(0, MAX_COINS);
}

/** A native dialog around cmdk's list: focus, Escape and the backdrop come from the browser, without injected styles. */
export function Palette({ coins, onOpen, onClose }: PaletteProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const navigate = useNavigate();
  const [words, setWords] = useState('');
  const deferredWords = useDeferredValue(words);
  const pages = [...MAIN_PAGES, ...pagesFor(useAccount()).filter(({ lock }) => lock === null)];
  useEffect(() => {
    dialog.current?.showModal();
    field.current?.focus();
  }, []);

  const go = (to: string) => {
    onClose();
    // Separate pages outside the app.
    if (to === '/' || to === '/status') location.assign(to);
    else void navigate(to);
  };
  const act = (action: () => void) => {
    onClose();
    action();
  };

  return (
    <dialog
      ref={dialog}
      aria-label="Command palette"
      onClose={onClose}
      onCancel={hideThenClose}
      closedby="any"
      className="fixed top-[10vh] m-0 mx-auto w-[min(36rem,calc(100vw-1.5rem))] max-w-none overflow-hidden rounded-card border border-line-strong bg-surface p-0 text-ink floating backdrop:bg-black/50"
    >
      <Command label="Search coins, pages and actions" filter={rank}>
        <Command.Input
          ref={field}
          value={words}
          onValueChange={setWords}
          placeholder="Search coins, pages and actions"
          className="h-13 w-full border-b border-line bg-transparent px-4 text-lg outline-none placeholder:text-ink-3"
        />
        <Command.List className="max-h-[22rem] overflow-y-auto p-2">
          <Command.Empty className="p-4 text-center text-sm text-ink-3">No results.</Command.Empty>
          <Command.Group heading="Pages">
            {pages.map(({ to, name }) => (
              <Command.Item key={to} className={ITEM} onSelect={() => go(to)}>
                {name}
              </Command.Item>
            ))}
            <Command.Item className={ITEM} onSelect={() => go('/')}>
              Home
            </Command.Item>
            <Command.Item className={ITEM} onSelect={() => go('/status')}>
              Status
            </Command.Item>
          </Command.Group>
          <Command.Group heading="Actions">
            <Command.Item className={ITEM} onSelect={() => act(toggleTheme)}>
              Switch color theme
            </Command.Item>
            <Command.Item className={ITEM} onSelect={() => act(togglePalette)}>
              Switch up and down colors: green and red, or blue and orange
            </Command.Item>
            <Command.Item className={ITEM} onSelect={() => act(() => onOpen('settings'))}>
              Settings and keyboard shortcuts
            </Command.Item>
            <Command.Item className={ITEM} onSelect={() => act(() => onOpen('keys'))}>
              All keyboard shortcuts
            </Command.Item>
            <Command.Item className={ITEM} onSelect={() => act(() => onOpen('news'))}>
              What’s new
            </Command.Item>
            <Command.Item className={ITEM} onSelect={() => go('/app?tour=1')}>
              Take the tour
            </Command.Item>
          </Command.Group>
          <Command.Group heading="Coins">
            {coinsFor(coins, deferredWords).map((coin) => (
              <Command.Item
                key={coin.id}
                value={searchText(coin)}
                className={ITEM}
                onSelect={() => go(`/app?coin=${coin.id}`)}
              >
                <CoinMark symbol={coin.symbol} id={coin.id} size={20} />
                <span className="font-semibold">{coin.symbol}</span>
                <span className="truncate text-ink-3">{coin.name}</span>
              </Command.Item>
            ))}
          </Command.Group>
        </Command.List>
      </Command>
    </dialog>
  );
}
