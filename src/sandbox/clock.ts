export type SandboxClock = {
  now: () => number;
  /** Moves to this moment and stands still there. */
  set: (ms: number) => void;
  /** Moves by this much; a running clock runs on. */
  advance: (ms: number) => void;
  freeze: () => void;
  /** Runs on from where it stands. */
  run: () => void;
};

/** A number stands still at that moment, a function is followed, nothing is real time. */
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
