import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

import { COMPILED } from '#tests/support/compiled.ts';
import type { Cluster } from './postgres.ts';
import { openRelay, type Relay } from './relay.ts';

const MOST_OUTPUT = 400_000;
const PRELOAD = new URL('shifted-clock.mjs', import.meta.url).href;

export type Member = {
  name: string;
  role: 'web' | 'worker';
  /** Its connection to the database. */
  relay: Relay;
  pid: () => number;
  port: () => number | null;
  isUp: () => boolean;
  isFrozen: () => boolean;
  start: () => Promise<void>;
  kill: () => Promise<void>;
  freeze: () => void;
  thaw: () => void;
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
  deaths: () => number;
  close: () => Promise<void>;
};

/** Resident memory in MB and open files of a process, from /proc; null without it. */
export function weightOf(pid: number): { mb: number; files: number } | null {
  try {
    const pages = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return { mb: Math.round(Number(pages) / 1024), files: readdirSync(`/proc/${pid}/fd`).length };
  } catch {
    return null;
  }
}

export async function openFleet(folder: string, cluster: Cluster, env: () => Record<string, string>): Promise<Fleet> {
  const crashes: string[] = [];
  let refused = 0;
  let deaths = 0;
  let isClosing = false;

  async function makeMember(role: 'web' | 'worker', number: number): Promise<Member> {
    const name = `${role} ${number}`;
    const clock = `${folder}/clock-${role}-${number}`;
    writeFileSync(clock, '0');
    const relay = await openRelay(() => [cluster.port]);
    let child: ChildProcess | null = null;
    let text = '';
    let ordered = false;
    let isFrozen = false;
    let isReady = false;
    const own = () => text.slice(text.lastIndexOf('--- start ---'));
    const isAlive = () => child !== null && child.exitCode === null && child.signalCode === null;

    function spawnOne(): ChildProcess {
      text += '\n--- start ---\n';
      isReady = false;
      ordered = false;
      const { PATH = '', HOME = '' } = process.env;
      const made = spawn(process.execPath, ['--import', PRELOAD, 'src/app/server/main.ts'], {
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
      for (const stream of [made.stdout, made.stderr])
        stream.setEncoding('utf8').on('data', (part: string) => {
          text = (text + part).slice(-MOST_OUTPUT);
          isReady ||= /Meridian 1\.0\.0/.test(own());
        });
      made.once('close', (code, signal) => {
        if (ordered || isClosing) return;
        if (!isReady) refused += 1;
        else {
          crashes.push(`${name} ended by itself with ${code ?? signal}: ${text.slice(-600)}`);
          void start().catch(() => undefined);
        }
      });
      return made;
    }

    async function start(): Promise<void> {
      const end = performance.now() + 300_000;
      while (performance.now() < end) {
        if (isClosing) return;
        if (!isAlive()) child = spawnOne();
        if (isReady) return;
        await sleep(100);
      }
      throw new Error(`${name} did not start: ${text.slice(-2000)}`);
    }

    return {
      name,
      role,
      relay,
      pid: () => child?.pid ?? 0,
      port: () => Number(/address\s+http:\S+:(\d+)/.exec(own())?.[1]) || null,
      isUp: () => isAlive() && isReady,
      isFrozen: () => isFrozen,
      start,
      async kill() {
        if (!child || !isAlive()) return;
        ordered = true;
        deaths += 1;
        const gone = once(child, 'close');
        child.kill('SIGKILL');
        isFrozen = false;
        await gone;
      },
      freeze() {
        if (!isAlive()) return;
        isFrozen = true;
        child?.kill('SIGSTOP');
      },
      thaw() {
        isFrozen = false;
        child?.kill('SIGCONT');
      },
      shiftClock: (ms) => writeFileSync(clock, String(ms)),
      output: () => text,
    };
  }

  const webs = [await makeMember('web', 1), await makeMember('web', 2)];
  const workers = [await makeMember('worker', 1), await makeMember('worker', 2)];
  const members = [...webs, ...workers];
  return {
    members,
    webs,
    workers,
    crashes,
    refusedStarts: () => refused,
    deaths: () => deaths,
    async close() {
      isClosing = true;
      await Promise.all(members.map((member) => member.kill()));
      await Promise.all(members.map(({ relay }) => relay.close()));
    },
  };
}
