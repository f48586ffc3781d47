import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Connection } from '#kernel/db.ts';
import type { PredictionsContext } from '../context.ts';

/** `league` scores forecasters with new outcomes instead of the product's record. */
export type ScoreTask = { connections: Connection[]; at: string; consensus: string; league: boolean };

/** Scores in a worker thread and stores the result. Rejects with the error of the thread. */
export async function score({ reads, now }: PredictionsContext, consensus: string, league = false): Promise<void> {
  const workerData: ScoreTask = { connections: await reads.connections(), at: now().toISOString(), consensus, league };
  const worker = new Worker(new URL('../score-worker.ts', import.meta.url), { workerData });
  const [code] = (await once(worker, 'exit')) as [number];
  if (code !== 0) throw new Error(`Scoring ended with code ${code}`);
}
