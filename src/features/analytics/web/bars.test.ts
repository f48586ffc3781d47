import { describe, expect, test } from 'vitest';

import { barName, barStart, isBar, marksByBar, toSlots, withPrice } from './bars.ts';
import { candlesOf, candlesWithGap } from './fixtures.ts';
import { onchainText, outsideChart, parseView, ratio, sentimentTone, TIMEFRAME_ORDER, writeView } from './view.ts';

const seconds = (iso: string) => Date.parse(iso) / 1000;
const SATURDAY = seconds('2026-11-21T12:34:56Z');

describe('the start of a bar, in UTC', () => {
  test.each([
    ['1', '2026-11-21T12:34:00Z'],
    ['5', '2026-11-21T12:30:00Z'],
    ['15', '2026-11-21T12:30:00Z'],
    ['30', '2026-11-21T12:30:00Z'],
    ['60', '2026-11-21T12:00:00Z'],
    ['240', '2026-11-21T12:00:00Z'],
    ['D', '2026-11-21T00:00:00Z'],
    ['W', '2026-11-16T00:00:00Z'],
    ['M', '2026-11-01T00:00:00Z'],
  ] as const)('%s: %s', (timeframe, begins) => {
    expect(barStart(timeframe, SATURDAY)).toBe(seconds(begins));
  });

  test('months have their actual lengths', () => {
    expect(barStart('M', SATURDAY, 1)).toBe(seconds('2026-12-01T00:00:00Z'));
    expect(barStart('M', SATURDAY, 3)).toBe(seconds('2027-02-01T00:00:00Z'));
  });
});

test('a gap keeps its place, empty, one slot per missing bar', () => {
  const slots = toSlots(candlesWithGap(), '60');
  expect(slots).toHaveLength(120);
  expect(slots.map((slot) => isBar(slot)).indexOf(false)).toBe(60);
  expect(slots.filter((slot) => !isBar(slot))).toHaveLength(5);
  const times = slots.map(({ time }) => time);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
});

describe('a further price', () => {
  const last = { time: seconds('2026-11-21T12:00:00Z'), open: 100, high: 110, low: 95, close: 105, volume: 7 };

  test('in the same hour moves close, high and low but not the volume', () => {
    const next = withPrice(last, '60', 120, Date.parse('2026-11-21T12:59:59Z'));
    expect(next).toEqual({ ...last, high: 120, close: 120 });
    expect(withPrice(last, '60', 90, Date.parse('2026-11-21T12:01:00Z'))).toEqual({ ...last, low: 90, close: 90 });
  });

  test('in the next hour starts a bar at the last close, its volume not yet known', () => {
    const next = withPrice(last, '60', 104, Date.parse('2026-11-21T13:00:01Z'));
    expect(next).toEqual({
      time: seconds('2026-11-21T13:00:00Z'),
      open: 105,
      high: 105,
      low: 104,
      close: 104,
      volume: null,
    });
  });

  test('from before the last bar changes nothing', () => {
    expect(withPrice(last, '60', 1, Date.parse('2026-11-21T11:59:59Z'))).toBeUndefined();
  });
});

test('only events inside the range are marked, on the bar they fall in', () => {
  const slots = toSlots(candlesOf('60', { count: 24 }), '60');
  const mark = (id: number, iso: string) => ({ id, at: Date.parse(iso), title: `Event ${id}`, level: 'high' as const });
  const marks = [
    mark(1, '2026-11-21T09:30:00Z'),
    mark(2, '2026-11-21T09:59:59Z'),
    mark(3, '2026-11-10T09:30:00Z'),
    mark(4, '2026-11-21T12:59:00Z'),
    mark(5, '2026-11-21T13:00:00Z'),
  ];
  const marked = marksByBar(marks, slots, '60');
  expect([...marked].map(([time, found]) => [time, found.map(({ id }) => id)])).toEqual([
    [seconds('2026-11-21T09:00:00Z'), [1, 2]],
    [seconds('2026-11-21T12:00:00Z'), [4]],
  ]);
});

test('a bar is labeled by its duration', () => {
  expect(TIMEFRAME_ORDER.map((timeframe) => barName(timeframe, SATURDAY))).toEqual([
    ...Array.from({ length: 6 }, () => '21 Nov 2026, 12:34'),
    '21 Nov 2026',
    '21 Nov 2026',
    'Nov 2026',
  ]);
});

describe('the address', () => {
  const read = (text: string) => parseView(new URLSearchParams(text));

  test('without a choice: BTC, 60 minutes, candlesticks', () => {
    const view = { asset: 'BTC', timeframe: '60', chartType: 'candlestick', compare: null, events: true } as const;
    expect(read('')).toEqual(view);
    expect(read('asset=DOGE&timeframe=7&type=pie&compare=BTC')).toEqual(view);
    expect(writeView(new URLSearchParams('asset=ETH&other=1'), view).toString()).toBe('other=1');
  });

  test('every choice survives a round trip', () => {
    const text = 'asset=ETH&timeframe=W&type=area&compare=SOL&events=off';
    expect(writeView(new URLSearchParams(), read(text)).toString()).toBe(text);
  });

  test('the external chart has the same symbol and interval', () => {
    expect(outsideChart({ asset: 'SUI', timeframe: '240' })).toBe(
      'https://www.tradingview.com/chart/?symbol=COINBASE%3ASUIUSD&interval=240',
    );
  });
});

test('the fear and greed colors change at 25, 55 and 75', () => {
  const tones = [0, 24, 25, 54, 55, 74, 75, 100].map(sentimentTone);
  expect(tones).toEqual([
    'text-down',
    'text-down',
    'text-warn',
    'text-warn',
    'text-accent',
    'text-accent',
    'text-up',
    'text-up',
  ]);
});

test('ratios have a true minus sign, hash rates their unit', () => {
  expect([ratio(-0.5), ratio(-0.001), ratio(1.236)]).toEqual(['\u22120.50', '0.00', '1.24']);
  expect(onchainText('hash_rate', 1.142e21)).toBe('1.14 ZH/s');
  expect(onchainText('whale_transactions', 1284)).toBe('1,284');
});
