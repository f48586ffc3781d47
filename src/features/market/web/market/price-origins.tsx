import { type ReactNode, type ToggleEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import type { CryptoPrice, MarketTotals } from '#features/market/contract/market.ts';
import type { FigureMeta } from '#shared/figures.ts';
import { COIN_PREFIX } from '#shared/figures.ts';
import { compact, price } from '#shared/format.ts';
import type { Provenance } from '#shared/provenance.ts';
import { CERTIFICATE, Details } from '#ui/certificate.tsx';
import { Change } from '#ui/change.tsx';
import { placeBeside } from '#ui/popover.ts';
import { turnover, withTick } from './quote.ts';
import { useTick } from './use-tick.ts';

/** Content of a number's popover. */
type Certificate = { name: string; meta: FigureMeta; text: ReactNode; page?: string };

const usd = (value: number): string => `$${compact(value)}`;
const NOTHING_YET = 'Nothing has been collected yet.';
const NOT_SUMMED = 'Not available for any of these coins.';
const NOT_GIVEN = 'No source provides it for this coin.';

/** The method of a listing is that of the market cap; its other figures are from the source. */
function ownWords({ meta, listing }: CryptoPrice): Provenance {
  if (listing.method !== 'computed') return listing;
  return { ...listing, method: listing.observedAt === meta.observedAt ? meta.method : 'measured' };
}

/** A figure of a row as displayed, including the newest tick. */
function findCoinFigure(figure: string, row: CryptoPrice): Certificate | undefined {
  const born = (
    metric: string,
    name: string,
    text: ReactNode,
    meta: Provenance & { terms?: string } = ownWords(row),
  ): Certificate => ({
    name: `${row.name}, ${name}`,
    meta: text === null ? { metric, reason: NOT_GIVEN } : { ...meta, metric },
    text,
  });
  const then = (meta: FigureMeta | undefined, certificate: Certificate): Certificate =>
    meta ? { ...certificate, meta } : certificate;
  const { rebuilt } = row;
  const page = COIN_PREFIX + row.id;
  const { change_24h: day, change_7d: week, low_24h: low, high_24h: high, volume_24h: volume, market_cap: cap } = row;
  switch (figure) {
    case 'price':
      return { ...born('coin.price', 'price', `$${price(row.price)}`, row.meta), page };
    case 'change_24h':
      return { ...born('coin.change', '24h change', day === null ? null : <Change value={day} />, row.meta), page };
    case 'change_7d':
      return then(
        rebuilt?.change_7d,
        born('coin.change_7d', '7d change', week === null ? null : <Change value={week} />),
      );
    case 'range': {
      const text = low === null || high === null ? null : `$${price(low)} – $${price(high)}`;
      return then(rebuilt?.range_24h, born('coin.range', '24h range', text));
    }
    case 'volume_24h':
      return then(rebuilt?.volume_24h, {
        ...born('coin.volume', '24h volume', volume === null ? null : usd(volume)),
        page: `volume:${row.id}`,
      });
    case 'market_cap': {
      const terms = row.listing.method === 'computed' ? { terms: 'price × circulating supply' } : {};
      const certificate = born('coin.cap', 'market cap', cap === null ? null : usd(cap), { ...row.listing, ...terms });
      return { ...certificate, page: `cap:${row.id}` };
    }
    default:
      return undefined;
  }
}

function findMarketFigure(figure: string, totals: MarketTotals): Certificate | undefined {
  const { market_cap: cap, volume_24h: volume, change_24h: change, coins, meta } = totals;
  const share = turnover(totals);
  const sum = `Sum over ${coins} coins`;
  const born = (metric: string, name: string, text: ReactNode, terms: string): Certificate => ({
    name,
    meta: text === null || !meta ? { metric, reason: meta ? NOT_SUMMED : NOTHING_YET } : { ...meta, metric, terms },
    text,
  });
  switch (figure) {
    case 'total_cap':
      return born('market.cap', 'Total market cap', cap === null ? null : usd(cap), sum);
    case 'total_change':
      return born(
        'market.cap',
        'Total market cap, 24h change',
        change === null ? null : <Change value={change} />,
        sum,
      );
    case 'total_volume':
      return born('market.volume', 'Total volume, 24h', volume === null ? null : usd(volume), sum);
    case 'turnover':
      return born(
        'market.turnover',
        'Turnover, 24h',
        share === null ? null : `${share.toFixed(1)}%`,
        `volume ${usd(volume ?? 0)} ÷ market cap ${usd(cap ?? 0)}`,
      );
    default:
      return undefined;
  }
}

const STEPS: Readonly<Record<string, readonly [rows: number, stops: number]>> = {
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
};
const ROW = 'tr[data-coin]';

/** Focusable elements of a row; a narrow screen hides some. */
const focusableCells = (row: Element): HTMLElement[] =>
  [...row.querySelectorAll<HTMLElement>('button:not(:disabled)')].filter((button) => button.checkVisibility());

/** Arrow keys move from a row to its numbers, and between numbers. */
function moveInRows(event: KeyboardEvent): void {
  const step = STEPS[event.key];
  const { target } = event;
  if (!step || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || !(target instanceof Element)) return;
  const row = target.closest(ROW);
  const at = row ? focusableCells(row).indexOf(target as HTMLElement) : -1;
  if (!row?.parentElement || at < 0) return;
  const rows = [...row.parentElement.querySelectorAll(`:scope > ${ROW}`)];
  const neighbor = rows[rows.indexOf(row) + step[0]];
  const next = neighbor && focusableCells(neighbor)[at + step[1]];
  if (!next) return;
  event.preventDefault();
  next.focus();
}

export type OriginsProps = { rows: readonly CryptoPrice[]; totals: MarketTotals | undefined };

type Asked = { button: HTMLElement; figure: string; coin: string | undefined };

function askedBy(target: EventTarget | null): Asked | null {
  const button = target instanceof Element ? target.closest<HTMLElement>('[data-figure]') : null;
  if (!button) return null;
  const row = button.closest<HTMLElement>('[data-coin]')?.dataset['coin'];
  const [figure = '', coin = row] = button.dataset['figure']?.split(':') ?? [];
  return { button, figure, coin };
}

/** One popover for every number of the prices and the pulse: a board of 250 rows has 1,500 of them. */
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
    // Absent without top layer support.
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
  return totals ? <Words certificate={findMarketFigure(figure, totals)} /> : null;
}

function OfCoin({ figure, row }: { figure: string; row: CryptoPrice }) {
  const tick = useTick(row.id);
  return <Words certificate={findCoinFigure(figure, withTick(row, tick))} />;
}

function Words({ certificate }: { certificate: Certificate | undefined }) {
  if (!certificate) return null;
  const { name, meta, text, page } = certificate;
  return (
    <Details name={name} meta={meta} page={page}>
      {text}
    </Details>
  );
}
