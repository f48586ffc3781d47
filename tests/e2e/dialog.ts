import type { Page } from '@playwright/test';

import { expect, hydrated } from './product.ts';

export const PASSWORD = 'mushroom lantern 42';
export const DEMO_PASSWORD = 'Meridian-demo-1';

/** An unused email address. */
export const newAddress = (name: string): string => `${name}-${Date.now().toString(36)}@people.example`;

export const dialogOf = (page: Page) => page.getByRole('dialog');

/** The sign-in dialog on the dashboard. */
export async function openDialog(page: Page, mode: 'login' | 'register') {
  await page.goto(`/app?auth=${mode}`);
  await hydrated(page);
  const dialog = dialogOf(page);
  await expect(dialog).toBeVisible();
  return dialog;
}

export async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.setExtraHTTPHeaders(fromNetworkOf(email));
  const dialog = await openDialog(page, 'login');
  await dialog.getByLabel('Email').fill(email);
  await dialog.getByLabel('Password', { exact: true }).fill(password);
  await dialog.getByRole('button', { name: 'Sign In', exact: true }).click();
}

/** The stored session of the browser. */
export const keptBy = (page: Page) =>
  page.evaluate(() => ({
    token: localStorage.getItem('authToken'),
    email: (JSON.parse(localStorage.getItem('user') ?? 'null') as { email?: string } | null)?.email ?? null,
  }));

/** The page may be about to reload, and then it cannot be evaluated for a moment. */
export const expectSignedIn = (page: Page, email: string) =>
  expect.poll(() => keptBy(page).catch(() => null)).toEqual({ token: expect.any(String), email });

/** A refusal is also logged in the browser console. */
export function forgive(problems: string[], status: number): void {
  const others = problems.filter((problem) => !problem.includes(`status of ${status}`));
  problems.splice(0, problems.length, ...others);
}

const networks: string[] = [];

/**
 * A separate network (a /24) per person: more people sign up and sign in here than one network may. The product
 * remembers each network.
 */
export function fromNetworkOf(email: string): { 'x-forwarded-for': string } {
  if (!networks.includes(email)) networks.push(email);
  const place = networks.indexOf(email);
  return { 'x-forwarded-for': `198.${18 + Math.floor(place / 256)}.${place % 256}.1` };
}

/** Signs up and returns the confirmation link from the email. */
export async function confirmLink(page: Page, email: string): Promise<string> {
  const answer = await page.request.post('/api/auth/register', {
    data: { email, password: PASSWORD },
    headers: fromNetworkOf(email),
  });
  if (!answer.ok()) throw new Error(`${email} could not sign up: ${await answer.text()}`);
  const { demoMail } = (await answer.json()) as { demoMail: string };
  const mail = await (await page.request.get(demoMail)).text();
  const link = /\/auth\/confirm\?token=[\w-]+/.exec(mail)?.[0];
  if (!link) throw new Error('The mail holds no link');
  return link;
}

/** Makes the calls of the page behind the link. Returns the session token. */
export async function openConfirmLink(page: Page, link: string): Promise<string> {
  const post = async (path: string, token: string) => {
    const answer = await page.request.post(path, { data: { token } });
    if (!answer.ok()) throw new Error(`${path} answered ${answer.status()}: ${await answer.text()}`);
    return ((await answer.json()) as { token: string }).token;
  };
  const sent = new URL(link, 'http://x').searchParams.get('token') ?? '';
  return post('/api/auth/exchange', await post('/api/auth/confirm', sent));
}

type SignedUp = { email: string; token: string; post: (path: string, data?: unknown) => Promise<unknown> };

/** A user with a confirmed account; `post` makes requests as that user. */
export async function signedUp(page: Page, name: string): Promise<SignedUp> {
  const email = newAddress(name);
  const token = await openConfirmLink(page, await confirmLink(page, email));
  return {
    email,
    token,
    async post(path, data) {
      const reply = await page.request.post(path, { data, headers: { authorization: `Bearer ${token}` } });
      if (!reply.ok()) throw new Error(`${path} answered ${reply.status()}: ${await reply.text()}`);
      return reply.json();
    },
  };
}
