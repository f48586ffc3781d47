import type { AlertType, Severity } from '#features/alerts/contract/alerts.ts';

export type Levels = {
  type: AlertType;
  /** Name of the value compared with the levels. */
  measure: string;
  unit: string;
  /** Reached at this value or beyond, mildest first. A step is the number of levels reached. */
  raise: readonly number[];
  /** A reached level is left when the value is back at this. */
  clear: readonly number[];
  /** Levels are crossed downwards, as for falling sentiment. */
  below?: true;
  /** Falling below a level alerts as well as rising above it. */
  inBothDirections?: true;
  /** During this time only a higher level raises an alert. */
  cooldownHours: number;
  /** Per level. */
  severity: readonly Severity[];
  /**
   * Whether a condition that holds at first sight alerts; otherwise it is only recorded, so that new installations are
   * not flooded.
   */
  alertsInitially?: true;
};

const BY_SIZE = ['low', 'medium', 'high'] as const;

/** Every level of the built-in alerts. docs/glossary.md shows this table. */
export const LEVELS = {
  PRICE_BULLISH_MOVE: {
    type: 'PRICE_BULLISH_MOVE',
    measure: '24h rise in typical daily moves',
    unit: 'σ',
    raise: [2, 3, 4],
    clear: [0.5, 2, 3],
    cooldownHours: 72,
    severity: BY_SIZE,
  },
  PRICE_BEARISH_MOVE: {
    type: 'PRICE_BEARISH_MOVE',
    measure: '24h fall in typical daily moves',
    unit: 'σ',
    raise: [2, 3, 4],
    clear: [0.5, 2, 3],
    cooldownHours: 72,
    severity: BY_SIZE,
  },
  EXCHANGE_INFLOW: {
    type: 'EXCHANGE_INFLOW',
    measure: '24h net inflow to exchanges vs. the 90-day average',
    unit: 'σ',
    raise: [2.5, 3.5, 5],
    clear: [1.5, 2.5, 4],
    cooldownHours: 48,
    severity: BY_SIZE,
  },
  EXCHANGE_OUTFLOW: {
    type: 'EXCHANGE_OUTFLOW',
    measure: '24h net outflow from exchanges vs. the 90-day average',
    unit: 'σ',
    raise: [2.5, 3.5, 5],
    clear: [1.5, 2.5, 4],
    cooldownHours: 48,
    severity: BY_SIZE,
  },
  STABLECOIN_GROWTH: {
    type: 'STABLECOIN_GROWTH',
    measure: '7-day supply growth',
    unit: '%',
    raise: [1.5, 3, 5],
    clear: [1, 2.2, 4],
    cooldownHours: 168,
    severity: BY_SIZE,
  },
  STABLECOIN_DECLINE: {
    type: 'STABLECOIN_DECLINE',
    measure: '7-day supply decline',
    unit: '%',
    raise: [1, 2, 4],
    clear: [0.6, 1.5, 3],
    cooldownHours: 168,
    severity: BY_SIZE,
  },
  BTC_DOMINANCE_SHIFT: {
    type: 'BTC_DOMINANCE_SHIFT',
    measure: '24h change, up or down',
    unit: 'points',
    raise: [1, 2],
    clear: [0.6, 1.4],
    cooldownHours: 72,
    severity: ['low', 'medium'],
  },
  SSR_LEVEL: {
    type: 'SSR_LEVEL',
    measure: 'ratio crossing a level in either direction',
    unit: '',
    raise: [2, 4, 6, 8],
    clear: [1.9, 3.8, 5.7, 7.6],
    inBothDirections: true,
    cooldownHours: 72,
    severity: ['high', 'medium', 'medium', 'high'],
  },
  FUNDING_EXTREME_BULLISH: {
    type: 'FUNDING_EXTREME_BULLISH',
    measure: 'market funding rate per 8h: longs are crowded',
    unit: '%',
    raise: [0.05, 0.1],
    clear: [0.03, 0.07],
    cooldownHours: 48,
    severity: ['medium', 'high'],
  },
  FUNDING_EXTREME_BEARISH: {
    type: 'FUNDING_EXTREME_BEARISH',
    measure: 'market funding rate per 8h: shorts are crowded',
    unit: '%',
    raise: [-0.015, -0.05],
    clear: [-0.005, -0.03],
    below: true,
    cooldownHours: 48,
    severity: ['medium', 'high'],
  },
  LIQUIDATION_SPIKE: {
    type: 'LIQUIDATION_SPIKE',
    measure: '24h liquidations vs. the 30-day median',
    unit: 'times',
    raise: [3, 6, 12],
    clear: [2, 4, 8],
    cooldownHours: 24,
    severity: BY_SIZE,
  },
  FEAR_EXTREME: {
    type: 'FEAR_GREED_EXTREME',
    measure: 'index level (fear)',
    unit: '',
    raise: [20, 10],
    clear: [26, 15],
    below: true,
    cooldownHours: 168,
    severity: ['low', 'medium'],
  },
  GREED_EXTREME: {
    type: 'FEAR_GREED_EXTREME',
    measure: 'index level (greed)',
    unit: '',
    raise: [80, 90],
    clear: [74, 85],
    cooldownHours: 168,
    severity: ['low', 'medium'],
  },
  AI_CONSENSUS_BULLISH: {
    type: 'AI_CONSENSUS_BULLISH',
    measure: 'consensus confidence while bullish',
    unit: '%',
    raise: [45, 60],
    clear: [40, 54],
    cooldownHours: 24,
    severity: ['medium', 'high'],
  },
  AI_CONSENSUS_BEARISH: {
    type: 'AI_CONSENSUS_BEARISH',
    measure: 'consensus confidence while bearish',
    unit: '%',
    raise: [45, 60],
    clear: [40, 54],
    cooldownHours: 24,
    severity: ['medium', 'high'],
  },
  INFLATION_SURPRISE: {
    type: 'INFLATION_SURPRISE',
    measure: 'monthly release vs. expectation',
    unit: 'points',
    raise: [0.1, 0.2, 0.3],
    clear: [0, 0.1, 0.2],
    cooldownHours: 72,
    severity: BY_SIZE,
  },
  UPCOMING_EVENT: {
    type: 'UPCOMING_EVENT',
    measure: 'days until a high-impact event',
    unit: 'days',
    raise: [3, 1],
    clear: [4, 2],
    below: true,
    cooldownHours: 0,
    severity: ['low', 'medium'],
    alertsInitially: true,
  },
} as const satisfies Record<string, Levels>;

export type LevelName = keyof typeof LEVELS;
export const getLevels = (name: LevelName): Levels => LEVELS[name];
