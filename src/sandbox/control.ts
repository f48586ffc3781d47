import type { IncomingMessage } from 'node:http';

import type { SandboxClock } from './clock.ts';
import { FAULT_KINDS, type FaultRule, type Faults } from './faults.ts';
import type { Reply } from './provider.ts';

export const CONTROL_BASE = '/__sandbox';

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isRule(value: unknown, providers: readonly string[]): value is FaultRule {
  if (typeof value !== 'object' || value === null || !('kind' in value) || !('provider' in value)) return false;
  const known = FAULT_KINDS.some((kind) => kind === value.kind);
  return known && (value.provider === '*' || providers.some((id) => id === value.provider));
}

function moveClock(clock: SandboxClock, body: unknown): Reply {
  const order = typeof body === 'object' && body !== null ? body : {};
  if ('set' in order && typeof order.set === 'number') clock.set(order.set);
  else if ('advance' in order && typeof order.advance === 'number') clock.advance(order.advance);
  else if ('run' in order && order.run === true) clock.run();
  else return { status: 400, body: { error: 'Give { set: ms }, { advance: ms } or { run: true }' } };
  return { body: { now: clock.now() } };
}

/** The same switches as in-process, for tests in another process. */
export async function control(
  request: IncomingMessage,
  url: URL,
  world: {
    clock: SandboxClock;
    faults: Faults;
    providers: readonly string[];
    /** Which market it is, and the settings that lead to it. */
    told: () => { seed: number; urls: Record<string, string> };
  },
): Promise<Reply> {
  const { clock, faults, providers } = world;
  const door = `${request.method} ${url.pathname.slice(CONTROL_BASE.length)}`;
  if (door === 'GET /requests') return { body: { requests: faults.allRequests() } };
  if (door === 'GET /faults') return { body: { faults: faults.list() } };
  if (door === 'GET /world') return { body: world.told() };
  if (door === 'GET /clock') return { body: { now: clock.now() } };
  if (door === 'POST /clock') return moveClock(clock, await bodyOf(request));
  if (door === 'DELETE /faults') {
    faults.clear(url.searchParams.get('provider') ?? undefined);
    return { body: { faults: faults.list() } };
  }
  if (door === 'POST /faults') {
    const body = await bodyOf(request);
    const rules: unknown[] = Array.isArray(body) ? body : [body];
    if (!rules.every((rule) => isRule(rule, providers))) {
      return {
        status: 400,
        body: { error: `Each rule needs a provider (${providers.join(', ')}) and a kind (${FAULT_KINDS.join(', ')})` },
      };
    }
    for (const rule of rules) faults.set(rule);
    return { body: { faults: faults.list() } };
  }
  return { status: 404, body: { error: 'No such switch' } };
}
