import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

export type Child = {
  pid: number;
  /** Calls a function that the process offers with `offer()`. */
  call: <T = void>(name: string, ...args: unknown[]) => Promise<T>;
  stop: () => Promise<void>;
};

type Answer = { id: number; value?: unknown; error?: string };

const STOP_AFTER_MS = 10_000;

/** Starts one of `bench/processes` and waits until it is ready. */
export async function startChild(file: string, options: unknown = null): Promise<Child> {
  const child: ChildProcess = fork(new URL(`../processes/${file}`, import.meta.url), [JSON.stringify(options)], {
    execArgv: ['--expose-gc'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const waiting = new Map<number, { resolve: (value: never) => void; reject: (error: Error) => void }>();
  let newest = 0;
  let gone = false;
  const exited = once(child, 'exit').then(([code]) => {
    gone = true;
    for (const { reject } of waiting.values()) reject(new Error(`${file} ended with ${code}`));
  });
  child.on('message', ({ id, value, error }: Answer) => {
    const call = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) call?.resolve(value as never);
    else call?.reject(new Error(`${file}: ${error}`));
  });
  const call = <T>(name: string, ...args: unknown[]) =>
    new Promise<T>((resolve, reject) => {
      const id = newest++;
      waiting.set(id, { resolve, reject });
      if (gone) reject(new Error(`${file} is gone`));
      else child.send({ id, name, args });
    });
  await call('ready');
  return {
    pid: child.pid as number,
    call,
    async stop() {
      if (gone) return;
      child.disconnect();
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_AFTER_MS);
      await exited;
      clearTimeout(timer);
    },
  };
}
