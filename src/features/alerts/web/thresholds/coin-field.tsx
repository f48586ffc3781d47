import { type KeyboardEvent, useId, useState } from 'react';

import { price } from '#shared/format.ts';
import { CoinMark } from '#ui/coin-mark.tsx';
import { cx } from '#ui/cx.ts';

import { INPUT, Labelled } from '#ui/inputs.tsx';
import type { Coin } from './labels.ts';

const MOST = 8;

/** Matches at the start of symbol or name first, then matches anywhere. */
export function findCoins(coins: readonly Coin[], text: string): Coin[] {
  const wanted = text.trim().toLowerCase();
  const holds = ({ symbol, name }: Coin) => `${symbol} ${name}`.toLowerCase().includes(wanted);
  const begins = ({ symbol, name }: Coin) =>
    symbol.toLowerCase().startsWith(wanted) || name.toLowerCase().startsWith(wanted);
  const found = coins.filter(holds);
  return [...found.filter(begins), ...found.filter((coin) => !begins(coin))].slice(0, MOST);
}

type Props = {
  coins: readonly Coin[];
  /** Id of the chosen coin. */
  value: string;
  problem?: string | undefined;
  onChoose: (coin: Coin) => void;
};

/** Any tracked coin, with search. */
export function CoinField({ coins, value, problem, onChoose }: Props) {
  const list = useId();
  const chosen = coins.find(({ id }) => id === value);
  const [text, setText] = useState<string | null>(null);
  const [at, setAt] = useState(0);
  const open = text !== null;
  const found = open ? findCoins(coins, text) : [];
  const choose = (coin: Coin | undefined) => {
    if (coin) onChoose(coin);
    setText(null);
    setAt(0);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && open) choose(undefined);
    else if (event.key === 'Enter' && open) choose(found[at]);
    else if (event.key === 'ArrowDown') {
      if (open) setAt(Math.min(found.length - 1, at + 1));
      else setText('');
    } else if (event.key === 'ArrowUp' && open) setAt(Math.max(0, at - 1));
    else return;
    event.preventDefault();
  };
  return (
    <Labelled label="Coin" problem={problem} note={coins.length === 0 ? 'Coins are still loading.' : undefined}>
      {(control) => (
        <>
          <input
            {...control}
            role="combobox"
            aria-expanded={open && found.length > 0}
            aria-controls={list}
            aria-autocomplete="list"
            aria-activedescendant={found[at] ? `${list}-${found[at].id}` : undefined}
            autoComplete="off"
            spellCheck={false}
            placeholder="Search by name or symbol"
            value={text ?? (chosen ? `${chosen.name} (${chosen.symbol})` : value)}
            onFocus={(event) => event.target.select()}
            onChange={(event) => {
              setText(event.target.value);
              setAt(0);
            }}
            onKeyDown={onKey}
            onBlur={() => choose(undefined)}
            className={INPUT}
          />
          <div
            id={list}
            role="listbox"
            aria-label="Coins"
            hidden={!open}
            className="absolute z-30 w-full overflow-y-auto rounded-card border border-line-strong bg-surface p-1.5 floating"
            style={{ top: '100%', marginTop: 4 }}
          >
            {found.map((coin, i) => (
              <button
                key={coin.id}
                type="button"
                tabIndex={-1}
                id={`${list}-${coin.id}`}
                role="option"
                aria-selected={i === at}
                className={cx('flex h-10 w-full items-center gap-2 rounded-ctl px-2.5', i === at && 'bg-raised')}
                onPointerEnter={() => setAt(i)}
                // The input keeps focus until a coin is chosen.
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => choose(coin)}
              >
                <CoinMark symbol={coin.symbol} id={coin.id} size={20} />
                <span className="truncate font-medium">{coin.name}</span>
                <span className="text-ink-3">{coin.symbol}</span>
                <span className="num ml-auto text-sm text-ink-3">${price(coin.price)}</span>
              </button>
            ))}
            {found.length === 0 && <p className="px-2.5 py-2 text-sm text-ink-3">No matching coins</p>}
          </div>
        </>
      )}
    </Labelled>
  );
}
