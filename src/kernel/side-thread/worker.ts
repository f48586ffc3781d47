import { parentPort } from 'node:worker_threads';

export type Ask = { id: number; module: string; name: string; args: unknown[] };
export type Reply = { id: number; value?: unknown; error?: unknown };

if (!parentPort) throw new Error('This file is the entry of a worker thread');
const port = parentPort;

/** Bytes are transferred, not copied; a slice of a larger buffer cannot be. */
const handedOver = (value: unknown): ArrayBuffer[] =>
  Object.values(value ?? {}).flatMap((part) =>
    part instanceof Uint8Array && part.buffer instanceof ArrayBuffer && part.byteLength === part.buffer.byteLength
      ? [part.buffer]
      : [],
  );

async function answer({ id, module, name, args }: Ask): Promise<void> {
  try {
    const functions = (await import(module)) as Record<string, (...args: unknown[]) => unknown>;
    const value = await functions[name]?.(...args);
    port.postMessage({ id, value } satisfies Reply, typeof value === 'object' ? handedOver(value) : []);
  } catch (error) {
    port.postMessage({ id, error } satisfies Reply);
  }
}

port.on('message', (ask: Ask) => void answer(ask));
