import { setTimeout as sleep } from 'node:timers/promises';

const LOOK_EVERY_MS = 250;
/** A server that stood this long has recovered: its next death is a first one again. */
const STEADY_MS = 60_000;
const PAUSES_MS = [0, 500, 1000, 2000, 5000, 10_000];
const LONGEST_PAUSE_MS = 15_000;

type Options = {
  isRunning: () => boolean;
  /** Called while the server runs: one that waits for its sessions before it stops is to stop at once. */
  hurryShutdown: () => void;
  start: (signal: AbortSignal) => Promise<void>;
  warn: (line: string) => void;
};

/**
 * Starts the server again when it dies under a living product: at once the first time, then ever less often,
 * so that a server that cannot stand does not wear the machine out. It never gives up: reads go on meanwhile.
 */
export function keepServer({ isRunning, hurryShutdown, start, warn }: Options): { stop: () => Promise<void> } {
  const ending = new AbortController();
  const { signal } = ending;
  let deaths = 0;
  let lastSeen = 0;

  async function restart(): Promise<void> {
    if (performance.now() - lastSeen > STEADY_MS) deaths = 0;
    const pause = PAUSES_MS[deaths] ?? LONGEST_PAUSE_MS;
    deaths += 1;
    await sleep(pause, undefined, { signal, ref: false });
    try {
      await start(signal);
      lastSeen = performance.now();
      warn('The bundled PostgreSQL runs again.');
    } catch (error) {
      if (signal.aborted) return;
      const next = PAUSES_MS[deaths] ?? LONGEST_PAUSE_MS;
      warn(
        `The bundled PostgreSQL could not be started again: ${(error as Error).message} Next try in ${next / 1000} s.`,
      );
    }
  }

  async function watch(): Promise<void> {
    let up = true;
    while (!signal.aborted) {
      await sleep(LOOK_EVERY_MS, undefined, { signal, ref: false });
      if (isRunning()) {
        up = true;
        hurryShutdown();
        continue;
      }
      if (up) warn('The bundled PostgreSQL has ended under the running product. It is started again.');
      up = false;
      await restart();
    }
  }

  const watching = watch().catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
  return {
    async stop() {
      ending.abort();
      await watching;
    },
  };
}
