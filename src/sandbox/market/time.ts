export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Nothing was traded before: earlier prices are the first one. */
export const MARKET_START = Date.UTC(2019, 0, 1);
/** The day on which every coin has its listed base price. */
export const REFERENCE_DAY = Date.UTC(2026, 9, 1) / DAY;

export const floorTo = (ms: number, step: number, offset = 0): number =>
  Math.floor((ms - offset) / step) * step + offset;
