export type SandboxClock = {
  now: () => number;
  /** Moves to this time and freezes there. */
  set: (ms: number) => void;
  /** Moves by this much; a running clock keeps running. */
  advance: (ms: number) => void;
  freeze: () => void;
  /** Keeps running from the current time. */
  run: () => void;
};

/** A number freezes the clock, a function is followed, undefined is real time. */
export function createClock(start: number | (() => number) | undefined, onMove: () => void): SandboxClock {
  const source = typeof start === 'function' ? start : () => Date.now();
  let offset = 0;
  let frozen = typeof start === 'number' ? start : undefined;
  const now = () => frozen ?? source() + offset;
  return {
    now,
    set(ms) {
      frozen = ms;
      onMove();
    },
    advance(ms) {
      if (frozen === undefined) offset += ms;
      else frozen += ms;
      onMove();
    },
    freeze() {
      frozen = now();
    },
    run() {
      offset = now() - source();
      frozen = undefined;
    },
  };
}
