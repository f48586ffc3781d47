// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test, vi } from 'vitest';

import { fill, LATE, press } from '#app/web/testing/acts.ts';
import { eachWithItsApp } from '#app/web/testing/open-app.tsx';
import { openSecurity } from '#app/web/testing/signed-in.tsx';
import { answer, broken } from '#ui/testing/answers.ts';

eachWithItsApp();

const SECRET = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
const CODES = Array.from({ length: 10 }, (_, i) => `code${i}-abcd`);
const setup = answer({ secret: SECRET, uri: `otpauth://totp/Meridian:free%40meridian.example?secret=${SECRET}` });
const state = (enabled: boolean, backupCodesLeft = 10) => answer({ enabled, backupCodesLeft });

const card = () => screen.findByRole('region', { name: 'Two-Factor Sign-In' }, LATE);
const dialog = async (name: string) => within(await screen.findByRole('dialog', { name }, LATE));

test('error, with Retry', async () => {
  let down = true;
  openSecurity({
    '/api/auth/two-factor': () => (down ? broken() : Response.json({ enabled: false, backupCodesLeft: 0 })),
  });
  const alert = await within(await card()).findByRole('alert');
  expect(alert.textContent).toContain('Failed to load the two-factor settings');
  down = false;
  await userEvent.click(within(alert).getByRole('button', { name: 'Retry' }));
  expect(await screen.findByRole('button', { name: 'Set Up Two-Factor' })).toBeDefined();
});

describe('setting up', () => {
  test('shows the code to scan, the key as text to copy, a code field, then ten backup codes', async () => {
    let enabled = false;
    const written = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    const { sent } = openSecurity({
      '/api/auth/two-factor': () => Response.json({ enabled, backupCodesLeft: enabled ? 10 : 0 }),
      '/api/auth/two-factor/setup': setup,
      '/api/auth/two-factor/enable': () => {
        enabled = true;
        return Response.json({ backupCodes: CODES });
      },
    });
    await press('Set Up Two-Factor');
    const form = await dialog('Set up two-factor sign-in');
    expect(form.getByRole('img', { name: 'QR code for your authenticator app' })).toBeDefined();
    expect(form.getByText('JBSW Y3DP EHPK 3PXP JBSW Y3DP EHPK 3PXP')).toBeDefined();
    await userEvent.click(form.getByRole('button', { name: 'Copy' }));
    expect(await screen.findByText('Key copied to clipboard!')).toBeDefined();
    await waitFor(() => expect(written).toHaveBeenLastCalledWith(SECRET));
    expect(form.getByRole<HTMLButtonElement>('button', { name: 'Turn On' }).disabled).toBe(true);
    await fill('Six-digit code', '123 456');
    await userEvent.click(form.getByRole('button', { name: 'Turn On' }));
    const codes = await dialog('Two-factor sign-in is on');
    expect(codes.getAllByRole('listitem').map((item) => item.textContent)).toEqual(CODES);
    expect(sent('/api/auth/two-factor/enable', 'POST')).toEqual([{ code: '123456' }]);
    expect(codes.queryByRole('button', { name: 'Close' })).toBeNull();
    await userEvent.click(codes.getByRole('button', { name: 'Copy' }));
    await waitFor(() => expect(written).toHaveBeenLastCalledWith(CODES.join('\n')));
    const toFile = vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:codes');
    const clicked = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {});
    await userEvent.click(codes.getByRole('button', { name: 'Download' }));
    expect(await (toFile.mock.lastCall as [Blob])[0].text()).toBe(`${CODES.join('\n')}\n`);
    expect((clicked.mock.contexts[0] as HTMLAnchorElement).download).toBe('meridian-backup-codes.txt');
    clicked.mockRestore();
    await userEvent.click(codes.getByRole('button', { name: 'I have saved the codes' }));
    expect(await screen.findByText('10 of 10 backup codes left.')).toBeDefined();
    expect(screen.queryByRole('dialog', { name: 'Two-factor sign-in is on' })).toBeNull();
  });

  test('a failure stays on the card', async () => {
    openSecurity({ '/api/auth/two-factor': state(false, 0), '/api/auth/two-factor/setup': broken });
    await press('Set Up Two-Factor');
    expect(await screen.findByText('Something went wrong on our side')).toBeDefined();
  });

  test('if the browser blocks copying, it shows what to do', async () => {
    vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('denied'));
    openSecurity({ '/api/auth/two-factor': state(false, 0), '/api/auth/two-factor/setup': setup });
    await press('Set Up Two-Factor');
    await press('Copy');
    expect(await screen.findByText(/Select the text instead/)).toBeDefined();
  });
});

describe('while enabled', () => {
  test.each([
    [10, '10 of 10 backup codes left.'],
    [2, '2 of 10 backup codes left.'],
    [0, 'No backup codes left. Create new ones, or you will be locked out if you lose your phone.'],
  ])('%i backup codes: %s', async (left, words) => {
    openSecurity({ '/api/auth/two-factor': state(true, left) });
    expect(await screen.findByText(words, {}, LATE)).toBeDefined();
  });

  test('new backup codes replace the old ones', async () => {
    openSecurity({
      '/api/auth/two-factor': state(true, 3),
      '/api/auth/two-factor/backup-codes': answer({ backupCodes: CODES }),
    });
    await press('New Backup Codes');
    const codes = await dialog('New backup codes');
    expect(codes.getByText('The old codes no longer work.')).toBeDefined();
    expect(codes.getAllByRole('listitem')).toHaveLength(10);
  });
});
