import { setTimeout as sleep } from 'node:timers/promises';

import { jsonOf, reach } from '../call.ts';
import { type Client, insist, type Night, within } from '../night.ts';
import type { Account } from './accounts.ts';
import { levelsAround, rulesOf, saveRules } from './rules.ts';
import { openPage } from './stream.ts';

export const BOT = 7001;
const PATIENCE_MS = 4000;
/** Two fires of a rule are at least its cooldown of a minute apart; shifted clocks may shorten it. */
const LEAST_APART_MS = 20_000;

export type Watcher = Client & {
  who: Account;
  /** Push messages received: the tag of each. */
  pushed: () => Promise<string[]>;
  /** Chat messages received. */
  chatted: () => Promise<string[]>;
  counts: () => { resets: number; returns: number; streamed: number };
};

type Fire = { id: string; rule_id: string | null; source_at: Date; value: number; source: string };

/** The bot may have missed a message, so it is sent again. */
async function connectChat(night: Night, who: Account): Promise<string> {
  const address = `${night.world.urls['TELEGRAM_API_BASE_URL']}/person/${BOT}/${50_000 + who.id}`;
  const isConnected = async () => {
    const answer = await insist(night, '/api/telegram/status', { token: who.token });
    return jsonOf<{ status: { verified: boolean } }>(answer).status.verified;
  };
  for (let attempt = 0; attempt < 8; attempt += 1) {
    const answer = await insist(night, '/api/telegram/generate-code', { method: 'POST', token: who.token });
    const { code } = jsonOf<{ code: string }>(answer);
    await reach(address, { method: 'POST', json: { text: `/verify ${code}` } });
    if ((await within(20_000, isConnected)) !== null) return address;
  }
  throw new Error(`The chat of ${who.email} could not be connected`);
}

/** Turns on every channel. */
async function switchOn(night: Night, who: Account): Promise<void> {
  const path = '/api/notifications/preferences';
  const { preferences } = jsonOf<{ preferences: object }>(await insist(night, path, { token: who.token }));
  const on = { emailNotifications: true, pushNotifications: true, telegramNotifications: true };
  await insist(night, path, { method: 'POST', token: who.token, json: { ...preferences, ...on } });
}

async function subscribeBrowser(night: Night, who: Account): Promise<string> {
  const base = `${night.world.origin}/push/browsers`;
  const made = jsonOf<{
    id: string;
    endpoint: string;
    keys: object;
  }>(await reach(base, { method: 'POST', json: {} }));
  const json = { endpoint: made.endpoint, keys: made.keys };
  await insist(night, '/api/push/subscribe', { method: 'POST', token: who.token, json });
  return `${base}/${made.id}`;
}

/** A user whose rules the price crosses repeatedly, with every channel on and a page open. */
export function watcher(night: Night, who: Account, number: number): Watcher {
  const page = openPage(night, who);
  let chat = '';
  let browser = '';
  const missed: string[] = [];

  return {
    name: `watcher ${who.email}`,
    who,
    stays: true,
    counts: page.counts,
    async prepare() {
      const url = `${night.world.hooks.url}/ok/${who.id}`;
      await insist(night, '/api/webhooks', {
        method: 'POST',
        token: who.token,
        json: { name: 'Desk', url, format: 'generic' },
      });
      browser = await subscribeBrowser(night, who);
      chat = await connectChat(night, who);
      await switchOn(night, who);
      const price = night.world.market.priceAt('bitcoin', Date.now());
      await saveRules(night, who, levelsAround(price, number));
    },
    run: (signal) => page.run(signal),
    /**
     * A condition that has held for long in a rule still armed was never evaluated. Then the rules are turned off, so
     * that the night can end.
     */
    async wind() {
      const holds = async () =>
        (await rulesOf(night, who))
          .filter(({ state, condition, value, current }) => {
            const price = current?.value ?? value;
            return state === 'armed' && (condition === 'above' ? price > value * 1.0001 : price < value * 0.9999);
          })
          .map(({ name }) => name);
      const before = await holds();
      if (before.length > 0) {
        await sleep(PATIENCE_MS);
        const still = new Set(await holds());
        for (const name of before)
          if (still.has(name)) missed.push(`the rule "${name}" of ${who.email} holds and is armed`);
      }
      const rules = await rulesOf(night, who);
      const off = rules.map(({ id, name, condition, value }) => ({
        id,
        name,
        condition,
        value,
        metric: 'btc_price',
        enabled: false,
      }));
      await saveRules(night, who, off);
    },
    async pushed() {
      const { received } = jsonOf<{ received: { text: string }[] }>(await reach(browser));
      return received.map(({ text }) => (JSON.parse(text) as { tag: string }).tag);
    },
    async chatted() {
      const { messages } = jsonOf<{ messages: { from: { id: number }; text: string }[] }>(await reach(chat));
      return messages.filter(({ from }) => from.id === BOT).map(({ text }) => text);
    },
    async check() {
      while (page.isReading()) await sleep(200);
      const fires = await night.cluster.query<Fire>(
        `select id, rule_id, source_at, value, source from alerts
         where user_id = $1 or user_id is null order by id`,
        [who.id],
      );
      const doubled: string[] = [];
      const last = new Map<string, number>();
      for (const { id, rule_id: rule, source_at: at } of fires) {
        if (rule === null) continue;
        const before = last.get(rule);
        if (before !== undefined && Math.abs(at.getTime() - before) < LEAST_APART_MS)
          doubled.push(`rule ${rule} of ${who.email} fired twice within ${at.getTime() - before} ms (alert ${id})`);
        last.set(rule, at.getTime());
      }
      const wrong = fires.flatMap(({ id, rule_id: rule, value, source_at: at }) => {
        if (rule === null) return [];
        const real = night.world.market.priceAt('bitcoin', at.getTime());
        return Math.abs(value / real - 1) < 1e-3 ? [] : [`alert ${id} says ${value}, and the market was at ${real}`];
      });
      return [...missed, ...doubled, ...wrong, ...page.check(fires.map(({ id }) => Number(id)))];
    },
  };
}
