import { parentPort } from 'node:worker_threads';

export type ThreadCall = { id: number; module: string; name: string; args: unknown[] };
export type ThreadReply = { id: number; value?: unknown; error?: unknown };

if (!parentPort) throw new Error('This file is the entry of a worker thread');
const port = parentPort;

/** Bytes are transferred, not copied; a slice of a larger buffer cannot be. */
const findTransferables = (value: unknown): ArrayBuffer[] =>
  Object.values(value ?? {}).flatMap((part) =>
    part instanceof Uint8Array && part.buffer instanceof ArrayBuffer && part.byteLength === part.buffer.byteLength
      ? [part.buffer]
      : [],
  );

async function answer({ id, module, name, args }: ThreadCall): Promise<void> {
  try {
    const functions = (await import(module)) as Record<string, (...args: unknown[]) => unknown>;
    const value = await functions[name]?.(...args);
    port.postMessage({ id, value } satisfies ThreadReply, typeof value === 'object' ? findTransferables(value) : []);
  } catch (error) {
    port.postMessage({ id, error } satisfies ThreadReply);
  }
}

port.on('message', (ask: ThreadCall) => void answer(ask));
