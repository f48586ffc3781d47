type Calls = Record<string, (...args: never[]) => unknown>;
type Question = { id: number; name: string; args: never[] };

// oxlint-disable-next-line no-unnecessary-type-parameters -- the caller names what it was given
export const optionsOf = <T>(): T => JSON.parse(process.argv[2] ?? 'null') as T;

const gc = (globalThis as { gc?: () => void }).gc;

const OF_EVERY_PROCESS: Calls = {
  ready: () => true,
  /** CPU time of this process, all threads, in microseconds. */
  cpuUs() {
    const { user, system } = process.cpuUsage();
    return user + system;
  },
  heap() {
    gc?.();
    gc?.();
    return process.memoryUsage();
  },
  rssBytes() {
    gc?.();
    gc?.();
    return process.memoryUsage.rss();
  },
};

/** Answers calls of the bench process, and exits with it. */
export function offer(own: Calls, close: () => unknown = () => undefined): void {
  const calls = { ...OF_EVERY_PROCESS, ...own };
  const answer = async ({ id, name, args }: Question) => {
    try {
      process.send?.({ id, value: await calls[name]?.(...args) });
    } catch (error) {
      process.send?.({ id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    }
  };
  process.on('message', (question: Question) => void answer(question));
  process.on('disconnect', () => {
    void Promise.resolve(close()).then(() => process.exit(0));
  });
}
