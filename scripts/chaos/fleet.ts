import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

import { COMPILED } from '#tests/support/compiled.ts';
import type { Cluster } from './postgres.ts';
import { openRelay, type Relay } from './relay.ts';

const MAX_OUTPUT_LENGTH = 400_000;
const PRELOAD = new URL('shifted-clock.mjs', import.meta.url).href;

export type Member = {
  name: string;
  role: 'web' | 'worker';
  /** Its connection to the database. */
  relay: Relay;
  pid: () => number;
  port: () => number | null;
  isServing: () => boolean;
  isFrozen: () => boolean;
  start: () => Promise<void>;
  kill: () => Promise<void>;
  freeze: () => void;
  resume: () => void;
  /** Shifts its time of day by this much. */
  shiftClock: (ms: number) => void;
  output: () => string;
};

export type Fleet = {
  members: Member[];
  webs: Member[];
  workers: Member[];
  /** Unexpected exits of started processes: "worker 1 ended with 1: …". */
  crashes: string[];
  /** Starts refused while the database was down; they were retried. */
  refusedStarts: () => number;
  killCount: () => number;
  close: () => Promise<void>;
};

/** Resident memory in MB and open files of a process, from /proc; null without it. */
export function resourceUsageOf(pid: number): { mb: number; files: number } | null {
  try {
    const pages = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return { mb: Math.round(Number(pages) / 1024), files: readdirSync(`/proc/${pid}/fd`).length };
  } catch {
    return null;
  }
}

export async function startFleet(folder: string, cluster: Cluster, env: () => Record<string, string>): Promise<Fleet> {
  const crashes: string[] = [];
  let refusedStarts = 0;
  let killCount = 0;
  let isClosing = false;

  async function createMember(role: 'web' | 'worker', number: number): Promise<Member> {
    const name = `${role} ${number}`;
    const clock = `${folder}/clock-${role}-${number}`;
    writeFileSync(clock, '0');
    const relay = await openRelay(() => [cluster.port]);
    let child: ChildProcess | null = null;
    let output = '';
    let isKilled = false;
    let isFrozen = false;
    let isReady = false;
    const currentOutput = () => output.slice(output.lastIndexOf('--- start ---'));
    const isAlive = () => child !== null && child.exitCode === null && child.signalCode === null;

    function spawnProcess(): ChildProcess {
      output += '\n--- start ---\n';
      isReady = false;
      isKilled = false;
      const { PATH = '', HOME = '' } = process.env;
      const spawned = spawn(process.execPath, ['--import', PRELOAD, 'src/app/server/main.ts'], {
        env: {
          PATH,
          HOME,
          ...COMPILED,
          ...env(),
          ROLE: role,
          PORT: '0',
          CHAOS_CLOCK: clock,
          DATABASE_URL: `postgres://postgres@127.0.0.1:${relay.port}/meridian`,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      for (const stream of [spawned.stdout, spawned.stderr])
        stream.setEncoding('utf8').on('data', (part: string) => {
          output = (output + part).slice(-MAX_OUTPUT_LENGTH);
          isReady ||= /Meridian 1\.0\.0/.test(currentOutput());
        });
      spawned.once('close', (code, signal) => {
        if (isKilled || isClosing) return;
        if (!isReady) refusedStarts += 1;
        else {
          crashes.push(`${name} exited unexpectedly with ${code ?? signal}: ${output.slice(-600)}`);
          void start().catch(() => undefined);
        }
      });
      return spawned;
    }

    async function start(): Promise<void> {
      const end = performance.now() + 300_000;
      while (performance.now() < end) {
        if (isClosing) return;
        if (!isAlive()) child = spawnProcess();
        if (isReady) return;
        await sleep(100);
      }
      throw new Error(`${name} did not start: ${output.slice(-2000)}`);
    }

    return {
      name,
      role,
      relay,
      pid: () => child?.pid ?? 0,
      port: () => Number(/address\s+http:\S+:(\d+)/.exec(currentOutput())?.[1]) || null,
      isServing: () => isAlive() && isReady,
      isFrozen: () => isFrozen,
      start,
      async kill() {
        if (!child || !isAlive()) return;
        isKilled = true;
        killCount += 1;
        const closed = once(child, 'close');
        child.kill('SIGKILL');
        isFrozen = false;
        await closed;
      },
      freeze() {
        if (!isAlive()) return;
        isFrozen = true;
        child?.kill('SIGSTOP');
      },
      resume() {
        isFrozen = false;
        child?.kill('SIGCONT');
      },
      shiftClock: (ms) => writeFileSync(clock, String(ms)),
      output: () => output,
    };
  }

  const webs = [await createMember('web', 1), await createMember('web', 2)];
  const workers = [await createMember('worker', 1), await createMember('worker', 2)];
  const members = [...webs, ...workers];
  return {
    members,
    webs,
    workers,
    crashes,
    refusedStarts: () => refusedStarts,
    killCount: () => killCount,
    async close() {
      isClosing = true;
      await Promise.all(members.map((member) => member.kill()));
      await Promise.all(members.map(({ relay }) => relay.close()));
    },
  };
}
