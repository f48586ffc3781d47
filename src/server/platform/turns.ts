import { setImmediate } from 'node:timers/promises';

const TURN_MS = 1;

/** Takes steps until a millisecond has passed, then lets the event loop go round before the next ones. */
export async function inShortTurns<T>(steps: Generator<void, T>): Promise<T> {
  for (;;) {
    const until = performance.now() + TURN_MS;
    do {
      const step = steps.next();
      if (step.done) return step.value;
    } while (performance.now() < until);
    await setImmediate();
  }
}
