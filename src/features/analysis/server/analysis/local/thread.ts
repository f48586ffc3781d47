import { type ResourceLimits, Worker } from 'node:worker_threads';

/** Runs a file of this folder in a thread of its own and answers its message. Rejects with the thread's error, and when `signal` ends it. */
export function inThread<T>(
  file: string,
  workerData: unknown,
  { signal, resourceLimits }: { signal: AbortSignal; resourceLimits: ResourceLimits },
): Promise<T> {
  signal.throwIfAborted();
  const worker = new Worker(new URL(file, import.meta.url), { workerData, resourceLimits });
  signal.addEventListener('abort', () => void worker.terminate(), { once: true });
  return new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`${file} ended with code ${code}`)));
  });
}
