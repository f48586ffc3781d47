const AT_ONCE = 2;

let running = 0;
const waiting: (() => void)[] = [];

function turn(signal: AbortSignal): Promise<void> {
  return new Promise((go, stop) => {
    const next = () => {
      signal.removeEventListener('abort', leave);
      go();
    };
    const leave = () => {
      waiting.splice(waiting.indexOf(next), 1);
      stop(signal.reason as Error);
    };
    waiting.push(next);
    signal.addEventListener('abort', leave, { once: true });
  });
}

/** At most two calls at once, the newest of those that wait first: a page of cards asks for what is looked at. */
export async function inTurn<T>(act: () => Promise<T>, signal: AbortSignal): Promise<T> {
  if (running >= AT_ONCE) await turn(signal);
  running++;
  try {
    return await act();
  } finally {
    running--;
    waiting.pop()?.();
  }
}
