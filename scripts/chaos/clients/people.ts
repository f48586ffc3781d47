import { jsonOf } from '../call.ts';
import { attempt, type ChaosContext, type Client, repeat } from '../context.ts';
import { administrator, chooser, givePlan, makeAccount, newcomers, newNetwork, signInAdmin } from './accounts.ts';
import { cardBuyers, usdcBuyers } from './money.ts';
import { exporter, program } from './readers.ts';
import { editor } from './rules.ts';
import { type Watcher, watcher } from './watcher.ts';

type Sum = { a: number; b: number; operator: '+' | '-' | '×'; challenge: string };

const resultOf = ({ a, b, operator }: Sum) => (operator === '+' ? a + b : operator === '-' ? a - b : a * b);

/** Messages to support: each accepted message must be stored once. */
function letters(context: ChaosContext): Client {
  const taken = new Set<string>();
  const tried = new Set<string>();
  let number = 0;
  return {
    name: 'letters',
    run: (signal) =>
      repeat(signal, 1500, async () => {
        number += 1;
        const ip = newNetwork();
        const subject = `Letter ${number} of the night`;
        const asked = await attempt(context, 'sum of the form', '/api/contact/challenge', { ip });
        if (!asked) return;
        const sum = jsonOf<Sum>(asked);
        const form = new FormData();
        const fields = { name: 'Ann', email: 'ann@night.example', subject, message: 'Is everything well with you?' };
        for (const [name, value] of Object.entries(fields)) form.set(name, value);
        form.set('captchaAnswer', String(resultOf(sum)));
        form.set('challenge', sum.challenge);
        tried.add(subject);
        if (await attempt(context, 'message', '/api/contact', { method: 'POST', ip, form })) taken.add(subject);
      }),
    async check() {
      const rows = await context.cluster.query<{ subject: string; count: string }>(
        'select subject, count(*) from contact_messages group by subject',
      );
      const stored = new Map(rows.map(({ subject, count }) => [subject, Number(count)]));
      return [...tried].flatMap((subject) => {
        const count = stored.get(subject) ?? 0;
        if (count > 1) return [`"${subject}" is there ${count} times`];
        return count === 0 && taken.has(subject) ? [`"${subject}" was acknowledged and is not there`] : [];
      });
    },
  };
}

const WATCHERS = 6;
/** Limit of a Pro account: low enough to be used up. */
export const CALLS_A_DAY = 300;
const CALLS_A_DAY_PREMIUM = 10_000;

/** All simulated users of a night. */
export async function makePeople(context: ChaosContext): Promise<{ clients: Client[]; watchers: Watcher[] }> {
  const admin = await signInAdmin(context);
  async function person(name: string, plan: 'pro' | 'premium') {
    const made = await makeAccount(context, name);
    await givePlan(context, admin, made, plan);
    return made;
  }
  const watchers: Watcher[] = [];
  for (let number = 1; number <= WATCHERS; number += 1)
    watchers.push(watcher(context, await person(`watcher${number}`, 'premium'), number));
  const incoming = newcomers(context);
  const clients: Client[] = [
    ...watchers,
    incoming,
    chooser(context, await person('chooser', 'pro')),
    editor(context, await person('editor', 'premium')),
    administrator(context, admin, incoming.known),
    letters(context),
    cardBuyers(context),
    usdcBuyers(context),
    exporter(context, await person('exporter', 'premium')),
    program(context, await person('pro-program', 'pro'), CALLS_A_DAY),
    program(context, await person('premium-program', 'premium'), CALLS_A_DAY_PREMIUM),
  ];
  return { clients, watchers };
}
