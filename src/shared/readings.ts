/** Index of the band of a value: `stops` are the lower bounds of all bands except the first. */
const band = (value: number, stops: readonly number[]): number => stops.filter((stop) => value >= stop).length;

export const SSR_STOPS = [2, 4, 6, 8] as const;
const SSR_WORDS = ['Very bullish', 'Bullish', 'Neutral', 'Bearish', 'Very bearish'] as const;

/** Reading of a stablecoin supply ratio: low means much cash on the sidelines relative to the coins. */
export const ssrReading = (ssr: number): string => SSR_WORDS[band(ssr, SSR_STOPS)] ?? '';

export const FEAR_GREED_STOPS = [26, 47, 55, 76] as const;
export const SEASON_STOPS = [25, 75] as const;
