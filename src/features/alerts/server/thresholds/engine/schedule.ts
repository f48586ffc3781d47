import type { Schedule } from './types.ts';

const MINUTE_MS = 60_000;
const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

type Clock = { format: Intl.DateTimeFormat; minute: number; day: number; time: number };
const clocks = new Map<string, Clock>();

function createZonedClock(timeZone: string): Clock {
  const known = clocks.get(timeZone);
  if (known) return known;
  const options = { timeZone, weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  const clock = { format: new Intl.DateTimeFormat('en-US', options), minute: NaN, day: 0, time: 0 };
  clocks.set(timeZone, clock);
  return clock;
}

/** Throws for an unknown time zone: zone names change over time. */
export function checkTimeZone({ timeZone }: Schedule): void {
  createZonedClock(timeZone);
}

/** Local weekday and minutes since midnight. Many rules query the same minute. */
function localTime(timeZone: string, at: number): Clock {
  const clock = createZonedClock(timeZone);
  const minute = Math.floor(at / MINUTE_MS);
  if (clock.minute !== minute) {
    const parts = clock.format.formatToParts(at);
    const part = (type: string) => parts.find((each) => each.type === type)?.value ?? '';
    clock.day = DAYS.indexOf(part('weekday'));
    clock.time = Number(part('hour')) * 60 + Number(part('minute'));
    clock.minute = minute;
  }
  return clock;
}

const toMinutes = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

/** `to` is exclusive; equal times mean the whole day. A night belongs to the day it begins on. */
export function isWithin({ days, from, to, timeZone }: Schedule, at: number): boolean {
  const { day, time } = localTime(timeZone, at);
  const start = toMinutes(from);
  const end = toMinutes(to);
  if (start < end) return days.includes(day) && time >= start && time < end;
  return (days.includes(day) && time >= start) || (days.includes((day + 6) % 7) && time < end);
}

/** Priority queue of slots by due time; each at most once. */
export class Due {
  readonly #slots: number[] = [];
  readonly #moments: number[] = [];
  readonly #places = new Map<number, number>();

  get size(): number {
    return this.#slots.length;
  }

  set(slot: number, at: number): void {
    this.delete(slot);
    this.#slots.push(slot);
    this.#moments.push(at);
    this.#rise(this.#slots.length - 1);
  }

  delete(slot: number): void {
    const place = this.#places.get(slot);
    if (place === undefined) return;
    const last = this.#slots.length - 1;
    this.#swap(place, last);
    this.#slots.pop();
    this.#moments.pop();
    this.#places.delete(slot);
    if (place < last) this.#sink(this.#rise(place));
  }

  /** Removes the earliest if it is due. */
  take(at: number): number | undefined {
    const slot = this.#slots[0];
    if (slot === undefined || (this.#moments[0] as number) > at) return undefined;
    this.delete(slot);
    return slot;
  }

  #swap(a: number, b: number): void {
    const slots = this.#slots;
    const moments = this.#moments;
    [slots[a], slots[b]] = [slots[b] as number, slots[a] as number];
    [moments[a], moments[b]] = [moments[b] as number, moments[a] as number];
    this.#places.set(slots[a], a).set(slots[b], b);
  }

  #rise(from: number): number {
    let place = from;
    this.#places.set(this.#slots[place] as number, place);
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if ((this.#moments[parent] as number) <= (this.#moments[place] as number)) break;
      this.#swap(parent, place);
      place = parent;
    }
    return place;
  }

  #sink(from: number): void {
    let place = from;
    for (;;) {
      const left = 2 * place + 1;
      if (left >= this.#moments.length) return;
      const right = left + 1;
      const isRight =
        right < this.#moments.length && (this.#moments[right] as number) < (this.#moments[left] as number);
      const child = isRight ? right : left;
      if ((this.#moments[place] as number) <= (this.#moments[child] as number)) return;
      this.#swap(place, child);
      place = child;
    }
  }
}
