import type { Page } from '@playwright/test';

import { confirmLink, DEMO_PASSWORD, fromNetworkOf, newAddress, openConfirmLink, PASSWORD } from './dialog.ts';
import { hydrated } from './product.ts';

/** Signs in by API call and opens a page. */
export async function enter(page: Page, email: string, password: string, at: string): Promise<void> {
  const answer = await page.request.post('/api/auth/login', {
    data: { email, password },
    headers: fromNetworkOf(email),
  });
  if (!answer.ok()) throw new Error(`${email} could not sign in: ${await answer.text()}`);
  const { token, user } = (await answer.json()) as { token: string; user: object };
  await page.goto(new URL('/favicon.svg', new URL(at, answer.url())).href);
  await page.evaluate(
    ([token, user]) => {
      localStorage.setItem('authToken', token);
      localStorage.setItem('user', user);
    },
    [token, JSON.stringify(user)] as const,
  );
  await page.goto(at);
  await hydrated(page);
}

export const enterDemo = (page: Page, plan: 'free' | 'pro' | 'premium' | 'admin', at: string): Promise<void> =>
  enter(page, `${plan}@meridian.example`, DEMO_PASSWORD, at);

/** A new confirmed account for one test, with `PASSWORD`. Returns its email address. */
export async function newPerson(page: Page, name: string): Promise<string> {
  const email = newAddress(name);
  await openConfirmLink(page, await confirmLink(page, email));
  return email;
}

/** An administrator grants a plan until a given time, or without end. */
export async function givePlan(
  page: Page,
  email: string,
  { plan = 'pro', until = null }: { plan?: 'pro' | 'premium'; until?: Date | null },
): Promise<void> {
  const admin = { email: 'admin@meridian.example', password: DEMO_PASSWORD };
  const entered = await page.request.post('/api/auth/login', { data: admin, headers: fromNetworkOf(admin.email) });
  const { token } = (await entered.json()) as { token: string };
  const headers = { authorization: `Bearer ${token}` };
  const found = await page.request.get(`/api/admin/users?q=${encodeURIComponent(email)}`, { headers });
  const [user] = (await found.json()) as { id: number }[];
  const data = { plan, until: until?.toISOString() ?? null, note: 'For a story' };
  const set = await page.request.put(`/api/admin/users/${user?.id}/plan`, { headers, data });
  if (!set.ok()) throw new Error(`${email} was not given a plan: ${await set.text()}`);
}

/** A new account to which an administrator has given Pro. */
export async function newPro(page: Page, name: string): Promise<string> {
  const email = await newPerson(page, name);
  await givePlan(page, email, {});
  return email;
}

/** A new account, signed in. */
export async function enterAsNew(page: Page, name: string, at: string): Promise<string> {
  const email = await newPerson(page, name);
  await enter(page, email, PASSWORD, at);
  return email;
}

/** Refuses the next call to a path as if the last authentication were old. */
export async function wantProof(page: Page, path: string): Promise<void> {
  await page.route(
    `**${path}`,
    (route) =>
      route.fulfill({
        status: 403,
        json: { error: 'Please confirm it’s you to continue.', code: 'reauthentication_required' },
      }),
    { times: 1 },
  );
}

/** A virtual authenticator that stores passkeys and always approves. */
export async function withDevice(page: Page): Promise<void> {
  const devices = await page.context().newCDPSession(page);
  await devices.send('WebAuthn.enable');
  await devices.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}
