import { parentPort, workerData } from 'node:worker_threads';

import { startSandbox } from './sandbox.ts';

/** Pass it as workerData; the worker responds with one message `{ urls }` and stops on the message 'close'. */
export type SandboxWorkerData = { seed: number; port?: number };
export type SandboxWorkerMessage = { urls: Record<string, string> };

if (!parentPort) throw new Error('This file is the entry of a worker thread');
const port = parentPort;
const { seed, port: httpPort = 0 } = workerData as SandboxWorkerData;
const sandbox = await startSandbox({ seed, port: httpPort });
port.on('message', (message) => {
  if (message !== 'close') return;
  void sandbox.close().then(() => port.close());
});
port.postMessage({ urls: sandbox.urls } satisfies SandboxWorkerMessage);
