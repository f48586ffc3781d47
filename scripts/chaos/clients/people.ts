import { jsonOf } from '../call.ts';
import { attempt, type ChaosContext, type Client, repeat } from '../context.ts';
import {
  createAccount,
  createAdministrator,
  createPreferenceEditor,
  createSignUps,
  grantPlan,
  newNetwork,
  signInAdmin,
} from './accounts.ts';
import { createCardBuyers, createUsdcBuyers } from './money.ts';
import { createApiClient, createExporter } from './readers.ts';
import { createRuleEditor } from './rules.ts';
import { createWatcher, type Watcher } from './watcher.ts';

type Challenge = { a: number; b: number; operator: '+' | '-' | '×'; challenge: string };

const solve = ({ a, b, operator }: Challenge) => (operator === '+' ? a + b : operator === '-' ? a - b : a * b);

/** Messages to support: each accepted message must be stored once. */
function messageSender(context: ChaosContext): Client {
  const accepted = new Set<string>();
  const sent = new Set<string>();
  let number = 0;
  return {
    name: 'letters',
    run: (signal) =>
      repeat(signal, 1500, async () => {
        number += 1;
        const ip = newNetwork();
        const subject = `Letter ${number} of the night`;
        const challengeResponse = await attempt(context, 'sum of the form', '/api/contact/challenge', { ip });
        if (!challengeResponse) return;
        const challenge = jsonOf<Challenge>(challengeResponse);
        const form = new FormData();
        const fields = { name: 'Ann', email: 'ann@night.example', subject, message: 'Is everything well with you?' };
        for (const [name, value] of Object.entries(fields)) form.set(name, value);
        form.set('captchaAnswer', String(solve(challenge)));
        form.set('challenge', challenge.challenge);
        sent.add(subject);
        if (await attempt(context, 'message', '/api/contact', { method: 'POST', ip, form })) accepted.add(subject);
      }),
    async check() {
      const rows = await context.cluster.query<{ subject: string; count: string }>(
        'select subject, count(*) from contact_messages group by subject',
      );
      const stored = new Map(rows.map(({ subject, count }) => [subject, Number(count)]));
      return [...sent].flatMap((subject) => {
        const count = stored.get(subject) ?? 0;
        if (count > 1) return [`"${subject}" is there ${count} times`];
        return count === 0 && accepted.has(subject) ? [`"${subject}" was acknowledged and is not there`] : [];
      });
    },
  };
}

const WATCHER_COUNT = 6;
/** Limit of a Pro account: low enough to be used up. */
export const DAILY_CALL_LIMIT = 300;
const PREMIUM_DAILY_CALL_LIMIT = 10_000;

/** All simulated users of a run. */
export async function createClients(context: ChaosContext): Promise<{ clients: Client[]; watchers: Watcher[] }> {
  const admin = await signInAdmin(context);
  async function createPaidAccount(name: string, plan: 'pro' | 'premium') {
    const account = await createAccount(context, name);
    await grantPlan(context, admin, account, plan);
    return account;
  }
  const watchers: Watcher[] = [];
  for (let number = 1; number <= WATCHER_COUNT; number += 1)
    watchers.push(createWatcher(context, await createPaidAccount(`watcher${number}`, 'premium'), number));
  const newUsers = createSignUps(context);
  const clients: Client[] = [
    ...watchers,
    newUsers,
    createPreferenceEditor(context, await createPaidAccount('chooser', 'pro')),
    createRuleEditor(context, await createPaidAccount('editor', 'premium')),
    createAdministrator(context, admin, newUsers.accounts),
    messageSender(context),
    createCardBuyers(context),
    createUsdcBuyers(context),
    createExporter(context, await createPaidAccount('exporter', 'premium')),
    createApiClient(context, await createPaidAccount('pro-program', 'pro'), DAILY_CALL_LIMIT),
    createApiClient(context, await createPaidAccount('premium-program', 'premium'), PREMIUM_DAILY_CALL_LIMIT),
  ];
  return { clients, watchers };
}
