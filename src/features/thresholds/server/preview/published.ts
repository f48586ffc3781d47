import { LAGS_MS } from '../watching.ts';
import type { History } from './series-history.ts';
import type { Named } from './ticks.ts';

/** A series by the times at which its values were there to be seen: nobody is told of what had not come out yet. */
export function publishedBy(history: History, name: string, now: Date): Named & History {
  const lag = LAGS_MS[name.split('~')[0] as string] ?? 0;
  const times = lag === 0 ? history.times : history.times.map((at) => Math.min(at + lag, now.getTime()));
  return { ...history, name, times };
}
