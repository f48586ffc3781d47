type Handlers = Record<string, (...args: never[]) => unknown>;
type CallMessage = { id: number; name: string; args: never[] };

// oxlint-disable-next-line no-unnecessary-type-parameters -- the caller names what it was given
export const readOptions = <T>(): T => JSON.parse(process.argv[2] ?? 'null') as T;

const gc = (globalThis as { gc?: () => void }).gc;

const COMMON_HANDLERS: Handlers = {
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
export function serveCalls(handlers: Handlers, close: () => unknown = () => undefined): void {
  const allHandlers = { ...COMMON_HANDLERS, ...handlers };
  const handleCall = async ({ id, name, args }: CallMessage) => {
    try {
      process.send?.({ id, value: await allHandlers[name]?.(...args) });
    } catch (error) {
      process.send?.({ id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    }
  };
  process.on('message', (question: CallMessage) => void handleCall(question));
  process.on('disconnect', () => {
    void Promise.resolve(close()).then(() => process.exit(0));
  });
}
