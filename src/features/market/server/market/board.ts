import type { CryptoPrice, MarketTotals, Tick } from '#features/market/contract/market.ts';
import { type DataMode, type Method, type Provenance, tickMethod } from '#shared/provenance.ts';
import { LISTING_FRESH_MS, LISTING_SOURCES, methodIn, PRICE_FRESH_MS, sourceName } from './names.ts';

export type BoardCoin = {
  id: string;
  symbol: string;
  name: string;
  rank: number | null;
  circulating_supply: number | null;
};

/** A source's latest quote for a coin; times in ms since epoch. */
export type BoardQuote = {
  coinId: string;
  source: string;
  price: number;
  change_24h: number | null;
  change_7d: number | null;
  low_24h: number | null;
  high_24h: number | null;
  volume_24h: number | null;
  market_cap: number | null;
  observedAt: number;
  fetchedAt: number;
  method: Method;
};

type Row = {
  coin: BoardCoin;
  listing: BoardQuote | null;
  price: BoardQuote;
  /** Provenance of the listing, shared for the life of the row. */
  listed: Provenance | null;
};

/** Orders coins without a rank after all others. */
const UNRANKED = 1e9;

/**
 * The market in memory, the same in every process: lists come from the database, ticks from the live topic. A price is
 * the newest observation of any source; caps and volumes are from the newest list.
 */
export function createBoard(mode: DataMode) {
  const rows = new Map<string, Row>();
  const quotes = new Map<string, BoardQuote[]>();
  const idBySymbol = new Map<string, string>();
  /** Computed once per change: a rebuild reads it several times. */
  let laidOut: CryptoPrice[] | null = null;

  function quoteProvenance(quote: BoardQuote, freshMs: number): Provenance {
    const observedAt = new Date(quote.observedAt).toISOString();
    return {
      source: sourceName(quote.source),
      observedAt,
      fetchedAt: quote.fetchedAt === quote.observedAt ? observedAt : new Date(quote.fetchedAt).toISOString(),
      method: methodIn(mode, quote.method),
      staleAfter: new Date(quote.observedAt + freshMs).toISOString(),
    };
  }

  function listingBirth(row: Row, isComputed: boolean): Provenance {
    if (row.listing) row.listed ??= quoteProvenance(row.listing, LISTING_FRESH_MS);
    const listed = row.listed ?? quoteProvenance(row.price, LISTING_FRESH_MS);
    return isComputed ? { ...listed, method: methodIn(mode, 'computed') } : listed;
  }

  function toPrice(row: Row): CryptoPrice {
    const { coin, listing, price } = row;
    const list = listing ?? price;
    const moved = price !== listing;
    const computed = coin.circulating_supply === null ? null : Math.round(price.price * coin.circulating_supply);
    const cap = (moved ? price.market_cap : list.market_cap) ?? computed;
    return {
      id: coin.id,
      symbol: coin.symbol,
      name: coin.name,
      rank: coin.rank,
      price: price.price,
      change_24h: price.change_24h ?? null,
      change_7d: list.change_7d === null ? null : roundPercent(list.change_7d),
      low_24h: list.low_24h === null ? null : Math.min(list.low_24h, price.price),
      high_24h: list.high_24h === null ? null : Math.max(list.high_24h, price.price),
      volume_24h: list.volume_24h,
      market_cap: cap,
      meta: quoteProvenance(price, PRICE_FRESH_MS),
      listing: listingBirth(row, cap !== null && cap !== list.market_cap),
    };
  }

  function prices(): CryptoPrice[] {
    laidOut ??= [...rows.values()]
      .map(toPrice)
      .toSorted((a, b) => (b.market_cap ?? -1) - (a.market_cap ?? -1) || (a.id < b.id ? -1 : 1));
    return laidOut;
  }

  return {
    /** Replaces the board. Coins without any quote are omitted. */
    load(coins: BoardCoin[], all: BoardQuote[]): void {
      const byCoin = Map.groupBy(all, (quote) => quote.coinId);
      const before = new Map(rows);
      rows.clear();
      quotes.clear();
      laidOut = null;
      for (const coin of coins) {
        const given = byCoin.get(coin.id) ?? [];
        const listing = newest(given.filter(isListing));
        let price = newest(given);
        if (!price) continue;
        // A tick not stored yet is newer than the database.
        const shown = before.get(coin.id)?.price;
        if (shown && shown.observedAt > price.observedAt) price = shown;
        if (price !== listing && listing) price = derive(price, listing, coin.circulating_supply);
        rows.set(coin.id, { coin, listing, price, listed: null });
        quotes.set(coin.id, given);
      }
      idBySymbol.clear();
      const byRank = [...rows.values()].toSorted((a, b) => (a.coin.rank ?? UNRANKED) - (b.coin.rank ?? UNRANKED));
      for (const { coin } of byRank) if (!idBySymbol.has(coin.symbol)) idBySymbol.set(coin.symbol, coin.id);
    },
    /**
     * Applies ticks received at `receivedAt`. Ticks older than the price shown are ignored. Returns the ids that
     * changed.
     */
    apply(sources: string[], ticks: Tick[], receivedAt: number): string[] {
      const moved: string[] = [];
      for (const [id, price, change_24h, market_cap, sourceIndex, observedAt] of ticks) {
        const row = rows.get(id);
        const source = sources[sourceIndex];
        if (!row || !source || observedAt < row.price.observedAt) continue;
        const list = row.listing ?? row.price;
        row.price = {
          ...list,
          source,
          price,
          change_24h,
          market_cap,
          observedAt,
          fetchedAt: Math.max(receivedAt, observedAt),
          method: tickMethod(source),
        };
        moved.push(id);
      }
      if (moved.length > 0) laidOut = null;
      return moved;
    },
    has: (id: string) => rows.has(id),
    find: (id: string): CryptoPrice | undefined => {
      const row = rows.get(id);
      return row && toPrice(row);
    },
    coin: (id: string): BoardCoin | undefined => rows.get(id)?.coin,
    priceOf: (id: string): BoardQuote | undefined => rows.get(id)?.price,
    listingOf: (id: string): BoardQuote | null => rows.get(id)?.listing ?? null,
    coins: (): BoardCoin[] => [...rows.values()].map((row) => row.coin),
    /** The largest listed coin of a symbol. */
    idOf: (symbol: string): string | undefined => idBySymbol.get(symbol),
    size: () => rows.size,
    /** By market cap, largest first; coins without a cap last. */
    prices,
    totals: (): MarketTotals => sumUp(prices(), mode),
  };
}
export type Board = ReturnType<typeof createBoard>;

const isListing = (quote: BoardQuote) => (LISTING_SOURCES as readonly string[]).includes(quote.source);

function newest(quotes: BoardQuote[]): BoardQuote | null {
  return quotes.reduce<BoardQuote | null>(
    (best, quote) => (best && best.observedAt >= quote.observedAt ? best : quote),
    null,
  );
}

/** A venue provides only a price: its 24h change and cap follow from the list's reference price and the supply. */
export function derive(quote: BoardQuote, listing: BoardQuote, supply: number | null): BoardQuote {
  const reference = listing.change_24h === null ? null : listing.price / (1 + listing.change_24h / 100);
  return {
    ...quote,
    change_24h: reference === null || reference <= 0 ? null : roundPercent((quote.price / reference - 1) * 100),
    market_cap: supply === null ? null : Math.round(quote.price * supply),
  };
}

const roundPercent = (percent: number): number => Math.round(percent * 1e4) / 1e4;

function sumUp(prices: CryptoPrice[], mode: DataMode): MarketTotals {
  let cap = 0;
  let volume = 0;
  let capBefore = 0;
  let capWithChange = 0;
  for (const coin of prices) {
    cap += coin.market_cap ?? 0;
    volume += coin.volume_24h ?? 0;
    if (coin.market_cap !== null && coin.change_24h !== null && coin.change_24h > -100) {
      capWithChange += coin.market_cap;
      capBefore += coin.market_cap / (1 + coin.change_24h / 100);
    }
  }
  const newestListing = prices.reduce<Provenance | null>(
    (best, { listing }) => (best && best.observedAt >= listing.observedAt ? best : listing),
    null,
  );
  return {
    market_cap: cap > 0 ? cap : null,
    volume_24h: volume > 0 ? volume : null,
    change_24h: capBefore > 0 ? roundPercent((capWithChange / capBefore - 1) * 100) : null,
    coins: prices.length,
    meta: newestListing && { ...newestListing, method: methodIn(mode, 'computed') },
  };
}
