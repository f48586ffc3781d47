import type { Page } from '@playwright/test';
import { TOTP } from 'otpauth';

import { expectNoViolation } from './axe.ts';
import { dialogOf, expectSignedIn, forgive, PASSWORD, signedUp, signIn } from './dialog.ts';
import { withDevice } from './people.ts';
import { expect, hydrated, test } from './product.ts';

const STEP_MS = 30_000;

/** A user with two-factor sign-in. Each code can be used once, so setup uses the previous one. */
async function guarded(page: Page) {
  const someone = await signedUp(page, 'cara');
  const { secret } = (await someone.post('/api/auth/two-factor/setup')) as { secret: string };
  const codeOf = (timestamp: number) => new TOTP({ secret }).generate({ timestamp });
  const code = codeOf(Date.now() - STEP_MS);
  await someone.post('/api/auth/two-factor/enable', { code });
  return { email: someone.email, code: () => codeOf(Date.now()) };
}

test.describe('two-factor sign-in', () => {
  test('a wrong code is reported, the right one signs in', { tag: '@core' }, async ({ page, problems }) => {
    const { email, code } = await guarded(page);
    await signIn(page, email, PASSWORD);
    const dialog = dialogOf(page);
    await expect(dialog.getByRole('heading', { name: 'Two-factor code' })).toBeFocused();
    const wrong = String((Number(code()) + 1) % 1_000_000).padStart(6, '0');
    await dialog.getByLabel('Code').fill(wrong);
    await dialog.getByRole('button', { name: 'Verify' }).click();
    await expect(dialog.getByRole('alert')).toHaveText('Invalid code');
    await expectNoViolation(page);
    await dialog.getByLabel('Code').fill(code());
    await dialog.getByRole('button', { name: 'Verify' }).click();
    await expect(dialog).toBeHidden();
    await expectSignedIn(page, email);
    forgive(problems, 401);
  });
});

/** Creates a passkey on the page's device for the owner of the token. */
const makePasskey = (page: Page, token: string) =>
  page.evaluate(async (bearer) => {
    const post = async (path: string, body?: unknown) => {
      const answer = await fetch(path, {
        method: 'POST',
        headers: { authorization: `Bearer ${bearer}`, ...(body ? { 'content-type': 'application/json' } : {}) },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      return (await answer.json()) as { challenge: string; options: PublicKeyCredentialCreationOptionsJSON };
    };
    const { challenge, options } = await post('/api/auth/passkeys/options');
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
    const made = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential;
    return post('/api/auth/passkeys', { challenge, name: 'Laptop', response: made.toJSON() });
  }, token);

test.describe('passkey', () => {
  test('signs its owner in with its button, and from email autofill', { tag: '@core' }, async ({
    page,
    product,
    problems,
  }) => {
    const { email, token } = await signedUp(page, 'dana');
    // A passkey belongs to a domain: the product at 127.0.0.1 uses that of localhost.
    const here = product.url.replace('127.0.0.1', 'localhost');
    await withDevice(page);
    await page.goto(`${here}/app`);
    await hydrated(page);
    expect(await makePasskey(page, token)).toMatchObject({ name: 'Laptop' });
    await page.goto(`${here}/app?auth=login`);
    await dialogOf(page).getByRole('button', { name: 'Sign in with a passkey' }).click();
    await expect(dialogOf(page)).toBeHidden();
    await expectSignedIn(page, email);

    await page.evaluate(() => localStorage.clear());
    await page.goto(`${here}/app?auth=login`);
    await dialogOf(page).getByLabel('Email').click();
    await expectSignedIn(page, email);
    const others = problems.filter((problem) => !problem.startsWith(`asked ${here}/`));
    problems.splice(0, problems.length, ...others);
  });
});
