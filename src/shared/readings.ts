/** Which band a value falls in: `stops` are the lower ends of all bands but the first. */
const band = (value: number, stops: readonly number[]): number => stops.filter((stop) => value >= stop).length;

export const SSR_STOPS = [2, 4, 6, 8] as const;
const SSR_WORDS = ['Very bullish', 'Bullish', 'Neutral', 'Bearish', 'Very bearish'] as const;

/** What a stablecoin supply ratio says: a low one means much waiting money beside few coins. */
export const ssrReading = (ssr: number): string => SSR_WORDS[band(ssr, SSR_STOPS)] ?? '';

export const FEAR_GREED_STOPS = [26, 47, 55, 76] as const;
export const SEASON_STOPS = [25, 75] as const;
