import { parentPort, workerData } from 'node:worker_threads';

import { replayResult, type SourcedCandles } from './replay-ledger.ts';

/** A replay takes seconds: it has a thread of its own. */
parentPort?.postMessage(replayResult(workerData as SourcedCandles[]));
