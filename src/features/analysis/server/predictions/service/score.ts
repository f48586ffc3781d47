import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

import type { PredictionsContext } from '../context.ts';

/** Composes the record anew in a thread of its own and stores it. Rejects with the thread's error. */
export async function score({ reads, now }: PredictionsContext, consensus: string): Promise<void> {
  const workerData = { connections: await reads.connections(), at: now().toISOString(), consensus };
  const worker = new Worker(new URL('../score-worker.ts', import.meta.url), { workerData });
  const [code] = (await once(worker, 'exit')) as [number];
  if (code !== 0) throw new Error(`Scoring ended with code ${code}`);
}
