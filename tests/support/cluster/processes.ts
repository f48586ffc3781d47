import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

import { startProxy } from './proxy.ts';

const START_TIMEOUT_MS = 120_000;
/** Longer than the proxy takes to notice that a process is not ready. */
const DRAIN_SECONDS = 4;

export type Member = {
  role: 'web' | 'worker';
  pid: number;
  /** URL of a web process; empty for a worker. */
  url: string;
  output: () => string;
  kill: (signal: NodeJS.Signals) => void;
  /** Asks it to stop, and waits until it has. */
  end: () => Promise<number | null>;
};

/** Starts one process of the product and waits until it serves. */
export async function startMember(role: Member['role'], env: NodeJS.ProcessEnv): Promise<Member> {
  const child: ChildProcess = spawn(process.execPath, ['src/app/server/main.ts'], {
    env: { LOG_LEVEL: 'warn', DRAIN_SECONDS: String(DRAIN_SECONDS), TRUST_PROXY: '1', ...env, ROLE: role, PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit');
  let text = '';
  const url = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`A ${role} did not start in time: ${text}`));
    }, START_TIMEOUT_MS);
    const onOutput = (part: Buffer) => {
      text += part.toString();
      if (!/\n {2}database[^\n]*\n/.test(text)) return;
      clearTimeout(timer);
      resolve(/address\s+(http:\S+)/.exec(text)?.[1] ?? '');
    };
    child.stdout?.on('data', onOutput);
    child.stderr?.on('data', onOutput);
    child.once('exit', (code) => {
      clearTimeout(timer);
      reject(new Error(`A ${role} ended with ${code}: ${text}`));
    });
  });
  return {
    role,
    pid: child.pid ?? 0,
    url,
    output: () => text,
    kill: (signal) => child.kill(signal),
    async end() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
      await ended;
      return child.exitCode;
    },
  };
}

export type Cluster = {
  /** URL of the proxy. */
  url: string;
  webs: readonly Member[];
  workers: readonly Member[];
  /** Stops one process like a rolling restart, and starts another in its place. Returns its exit code. */
  restart: (role: Member['role'], index: number) => Promise<number | null>;
  stop: () => Promise<void>;
};

type Options = { env: NodeJS.ProcessEnv; webs?: number; workers?: number; port?: number };

/** Web processes behind a round-robin proxy, and workers, all on the database in `env`. */
export async function startCluster({ env: overrides, webs = 2, workers = 2, port = 0 }: Options): Promise<Cluster> {
  const proxy = await startProxy(port);
  // Users connect through the proxy: email links and the passkey domain use its address.
  const env = { PUBLIC_URL: proxy.url, ...overrides };
  const members: Record<Member['role'], Member[]> = { web: [], worker: [] };
  const updateProxy = () => proxy.setBackends(members.web.map(({ url }) => url));
  const stop = async () => {
    await Promise.all([...members.web, ...members.worker].map((member) => member.end()));
    await proxy.close();
  };
  try {
    // The first one alone: it migrates, and creates what the others find.
    members.web.push(await startMember('web', env));
    const remaining = [...Array(webs - 1).fill('web'), ...Array(workers).fill('worker')] as Member['role'][];
    const started = await Promise.allSettled(remaining.map((role) => startMember(role, env)));
    for (const each of started) if (each.status === 'fulfilled') members[each.value.role].push(each.value);
    for (const each of started) if (each.status === 'rejected') throw each.reason;
    updateProxy();
    await Promise.all(members.web.map(({ url }) => proxy.waitUntilReady(url)));
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    url: proxy.url,
    webs: members.web,
    workers: members.worker,
    async restart(role, index) {
      const previous = members[role][index];
      if (!previous) throw new Error(`There is no ${role} ${index}`);
      const code = await previous.end();
      const next = await startMember(role, env);
      members[role][index] = next;
      updateProxy();
      if (role === 'web') await proxy.waitUntilReady(next.url);
      return code;
    },
    stop,
  };
}
