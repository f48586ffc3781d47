import type { Client, Night } from '../night.ts';
import { administrator, chooser, givePlan, makeAccount, newcomers, signInAdmin } from './accounts.ts';
import { letters } from './letters.ts';
import { cardBuyers, usdcBuyers } from './money.ts';
import { exporter, program } from './readers.ts';
import { editor } from './rules.ts';
import { type Watcher, watcher } from './watcher.ts';

const WATCHERS = 6;
/** Of an account on Pro: few enough to be used up. */
export const CALLS_A_DAY = 300;
const CALLS_A_DAY_PREMIUM = 10_000;

/** Everybody who acts in a night. */
export async function makePeople(night: Night): Promise<{ clients: Client[]; watchers: Watcher[] }> {
  const admin = await signInAdmin(night);
  async function person(name: string, plan: 'pro' | 'premium') {
    const made = await makeAccount(night, name);
    await givePlan(night, admin, made, plan);
    return made;
  }
  const watchers: Watcher[] = [];
  for (let number = 1; number <= WATCHERS; number += 1)
    watchers.push(watcher(night, await person(`watcher${number}`, 'premium'), number));
  const incoming = newcomers(night);
  const clients: Client[] = [
    ...watchers,
    incoming,
    chooser(night, await person('chooser', 'pro')),
    editor(night, await person('editor', 'premium')),
    administrator(night, admin, incoming.known),
    letters(night),
    cardBuyers(night),
    usdcBuyers(night),
    exporter(night, await person('exporter', 'premium')),
    program(night, await person('pro-program', 'pro'), CALLS_A_DAY),
    program(night, await person('premium-program', 'premium'), CALLS_A_DAY_PREMIUM),
  ];
  return { clients, watchers };
}
