import { type ToggleEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';

import { CERTIFICATE, Details } from '#web/ui/certificate.tsx';
import { placeBeside } from '#web/ui/popover.ts';

import type { CryptoPrice, MarketTotals } from '../contract.ts';
import { type Certificate, figureOfCoin, figureOfMarket } from './price-figures.tsx';
import { withTick } from './quote.ts';
import { moveInRows } from './row-keys.ts';
import { useTick } from './use-tick.ts';

export type OriginsProps = { rows: readonly CryptoPrice[]; totals: MarketTotals | undefined };

type Asked = { button: HTMLElement; figure: string; coin: string | undefined };

function askedBy(target: EventTarget | null): Asked | null {
  const button = target instanceof Element ? target.closest<HTMLElement>('[data-figure]') : null;
  if (!button) return null;
  const row = button.closest<HTMLElement>('[data-coin]')?.dataset['coin'];
  const [figure = '', coin = row] = button.dataset['figure']?.split(':') ?? [];
  return { button, figure, coin };
}

/** One popover answers for every number of the prices and the pulse: a board of 250 rows has 1,500 of them. */
export function PriceOrigins({ rows, totals }: OriginsProps) {
  const id = useId();
  const popover = useRef<HTMLDivElement>(null);
  const shown = useRef<HTMLElement>(null);
  const [asked, ask] = useState<Asked | null>(null);

  useEffect(() => {
    const onClick = ({ target }: MouseEvent) => {
      const next = askedBy(target);
      if (!next) return;
      const again = shown.current === next.button;
      if (popover.current?.matches(':popover-open')) popover.current.hidePopover();
      ask(again ? null : next);
    };
    document.addEventListener('click', onClick);
    document.addEventListener('keydown', moveInRows);
    return () => {
      document.removeEventListener('click', onClick);
      document.removeEventListener('keydown', moveInRows);
    };
  }, []);

  useLayoutEffect(() => {
    if (!asked) return undefined;
    const { button } = asked;
    shown.current = button;
    // Absent where there is no top layer.
    popover.current?.showPopover?.();
    button.setAttribute('aria-expanded', 'true');
    button.setAttribute('aria-details', id);
    return () => {
      shown.current = null;
      button.removeAttribute('aria-expanded');
      button.removeAttribute('aria-details');
    };
  }, [asked, id]);

  const place = (event: ToggleEvent<HTMLDivElement>) => {
    placeBeside(shown.current, event);
    if (event.newState === 'closed') ask(null);
  };
  return (
    <div ref={popover} id={id} popover="auto" onToggle={place} className={CERTIFICATE}>
      {asked && <Answer {...asked} row={rows.find((row) => row.id === asked.coin)} totals={totals} />}
    </div>
  );
}

type AnswerProps = Pick<Asked, 'figure'> & { row: CryptoPrice | undefined; totals: MarketTotals | undefined };

function Answer({ figure, row, totals }: AnswerProps) {
  if (row) return <OfCoin figure={figure} row={row} />;
  return totals ? <Words certificate={figureOfMarket(figure, totals)} /> : null;
}

function OfCoin({ figure, row }: { figure: string; row: CryptoPrice }) {
  const tick = useTick(row.id);
  return <Words certificate={figureOfCoin(figure, withTick(row, tick))} />;
}

function Words({ certificate }: { certificate: Certificate | undefined }) {
  if (!certificate) return null;
  const { name, meta, text } = certificate;
  return (
    <Details name={name} meta={meta}>
      {text}
    </Details>
  );
}
