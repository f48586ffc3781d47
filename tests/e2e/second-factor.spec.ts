import type { Page } from '@playwright/test';
import { TOTP } from 'otpauth';

import { forgive, PASSWORD } from './dialog.ts';
import { enter, enterAsNew, newPerson, wantProof, withDevice } from './people.ts';
import { expect, test } from './product.ts';

const SECURITY = '/app/profile?tab=security';
const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

async function prove(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Confirm it’s you' });
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Confirm' }).click();
}

test('two-factor: set up with an authenticator code, ten backup codes, one of which signs in; then disabled', {
  tag: '@core',
}, async ({ page, problems }) => {
  const email = await enterAsNew(page, 'hal', SECURITY);
  const twoFactor = card(page, 'Two-Factor Sign-In');
  await wantProof(page, '/api/auth/two-factor/setup');
  await twoFactor.getByRole('button', { name: 'Set Up Two-Factor' }).click();
  await prove(page);
  const setUp = page.getByRole('dialog', { name: 'Set up two-factor sign-in' });
  await expect(setUp.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible();
  const secret = (await setUp.getByText(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/).textContent()) ?? '';
  const enterCode = (code: string) => setUp.getByLabel('Six-digit code').fill(code);
  await enterCode('000000');
  await setUp.getByRole('button', { name: 'Turn On' }).click();
  await expect(setUp.getByRole('alert')).toHaveText('Invalid code');
  await enterCode(new TOTP({ secret: secret.replaceAll(' ', '') }).generate());
  await setUp.getByRole('button', { name: 'Turn On' }).click();

  const on = page.getByRole('dialog', { name: 'Two-factor sign-in is on' });
  await expect(on.getByRole('listitem')).toHaveCount(10);
  const codes = await on.getByRole('listitem').allTextContents();
  const download = page.waitForEvent('download');
  await on.getByRole('button', { name: 'Download' }).click();
  expect((await download).suggestedFilename()).toBe('meridian-backup-codes.txt');
  await page.keyboard.press('Escape');
  await expect(on).toBeVisible();
  await on.getByRole('button', { name: 'I have saved the codes' }).click();
  await expect(twoFactor).toContainText('10 of 10 backup codes left.');

  const login = await page.request.post('/api/auth/login', { data: { email, password: PASSWORD } });
  const { requiresTwoFactor, challenge } = (await login.json()) as { requiresTwoFactor: true; challenge: string };
  expect(requiresTwoFactor).toBe(true);
  const second = await page.request.post('/api/auth/two-factor', { data: { challenge, code: codes[0] } });
  expect(second.ok()).toBe(true);
  await page.reload();
  await expect(twoFactor).toContainText('9 of 10 backup codes left.');

  await twoFactor.getByRole('button', { name: 'Turn Off' }).click();
  await wantProof(page, '/api/auth/two-factor/disable');
  await page.getByRole('dialog').getByRole('button', { name: 'Turn Off' }).click();
  // With two-factor sign-in on, re-authentication requires a code.
  const proof = page.getByRole('dialog', { name: 'Confirm it’s you' });
  await proof.getByLabel(/^Code from your authenticator app/).fill(codes[1] ?? '');
  await proof.getByRole('button', { name: 'Confirm' }).click();
  await expect(twoFactor.getByRole('button', { name: 'Set Up Two-Factor' })).toBeVisible();
  for (const status of [400, 403]) forgive(problems, status);
});

test('a passkey is added with a name, authenticates its owner, and is removed', { tag: '@core' }, async ({
  page,
  product,
  problems,
}) => {
  await withDevice(page);
  const email = await newPerson(page, 'ida');
  // A passkey requires a domain name: here localhost.
  await enter(page, email, PASSWORD, `http://localhost:${new URL(product.url).port}${SECURITY}`);
  const passkeys = card(page, 'Passkeys');
  await expect(passkeys).toContainText('No passkeys yet');
  await passkeys.getByRole('button', { name: 'Add passkey' }).click();
  const add = page.getByRole('dialog', { name: 'Add a passkey' });
  await add.getByLabel('Name').fill('Laptop');
  await add.getByRole('button', { name: 'Add Passkey' }).click();
  await expect(page.getByText('Passkey added')).toBeVisible();
  await expect(passkeys.getByRole('listitem')).toContainText(/Laptop.*never used/);

  await passkeys.getByRole('button', { name: 'Remove Laptop' }).click();
  await wantProof(page, '/api/auth/passkeys/*');
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(page.getByText('Passkey Laptop removed')).toBeVisible();
  await expect(passkeys).toContainText('No passkeys yet');
  const elsewhere = problems.filter((problem) => !problem.startsWith('asked http://localhost:'));
  problems.splice(0, problems.length, ...elsewhere);
  forgive(problems, 403);
});
