import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test, vi } from 'vitest';
import { LATE, press } from '#app/web/testing/acts.ts';
import { AT, expectToast, lineOf, openExports } from '#app/web/testing/exports.ts';
import type { WhiteLabel } from '#features/exports/contract/exports.ts';
import { scheduledOf, whiteLabelOf } from '#features/exports/web/exports/fixtures.ts';
import { type Answer, answer, broken, byMethod, refuse } from '#ui/testing/answers.ts';
import { ownZone } from '#ui/zone-field.tsx';
import { texts } from '../testing/acts.ts';

const FAILED = 'Failed to schedule export. Please try again.';
const open = (calls: Record<string, Answer> = {}) =>
  openExports({ at: '/app/advanced-export', plan: 'premium', calls });
const ready = () => screen.findByRole('button', { name: 'Schedule Daily' }, LATE);

describe('creating a schedule', () => {
  test.each([
    ['Daily', 'daily'],
    ['Weekly', 'weekly'],
    ['Monthly', 'monthly'],
  ])('Schedule %s: the selection, in the user’s time zone', async (word, schedule) => {
    let scheduled = [] as unknown[];
    const { sent, toasts } = open({
      [AT.scheduled]: () => Response.json(scheduled),
      [AT.schedule]: () => {
        scheduled = [scheduledOf()];
        return Response.json({ success: true, message: 'Scheduled', scheduled: scheduledOf() });
      },
    });
    await ready();
    await userEvent.click(screen.getByLabelText('CSV'));
    await userEvent.selectOptions(screen.getByLabelText('Run at'), '06:00');
    await press(`Schedule ${word}`);
    await expectToast(() => toasts().success, 'Export scheduled successfully!', 15_000);
    expect(sent(AT.schedule, 'POST')).toEqual([
      {
        dataTypes: ['crypto_prices'],
        dateRange: '7d',
        format: 'csv',
        includeMetadata: true,
        compression: true,
        schedule,
        emailNotification: true,
        timeZone: ownZone(),
        hour: 6,
      },
    ]);
    expect(await lineOf('Scheduled Exports')).toHaveLength(1);
  });

  test('without the email', async () => {
    const { sent } = open({ [AT.schedule]: broken });
    await ready();
    await userEvent.click(screen.getByLabelText('Email me a download link'));
    await press('Schedule Daily');
    await waitFor(() => expect(sent(AT.schedule, 'POST')).toMatchObject([{ emailNotification: false, hour: 8 }]));
  });

  test.each<[string, Answer, string | null]>([
    ['the server fails', refuse(400, 'You have ten schedules', 'bad_request'), 'You have ten schedules'],
    ['no server', () => Promise.reject(new TypeError('Failed to fetch')), `${FAILED}The server is unreachable`],
  ])('%s: a five-second toast, and the reason in place', async (_, failing, words) => {
    const { toasts } = open({ [AT.schedule]: failing });
    await ready();
    await press('Schedule Weekly');
    await expectToast(() => toasts().error, FAILED, 5_000);
    expect((await screen.findByRole('alert')).textContent).toBe(words);
  });

  test('neither a fixed range nor an empty selection can be scheduled', async () => {
    open();
    expect((await ready()).hasAttribute('disabled')).toBe(false);
    await userEvent.click(screen.getByLabelText('Custom'));
    expect((await ready()).hasAttribute('disabled')).toBe(true);
    expect(screen.getByText(/^A schedule needs a rolling range/)).toBeDefined();
    await userEvent.click(screen.getByLabelText('7 days'));
    await userEvent.click(screen.getByLabelText('Crypto prices'));
    expect((await ready()).hasAttribute('disabled')).toBe(true);
  });
});

describe('schedules', () => {
  test('next run in their time zone, last run with its outcome, and why one is paused', async () => {
    const failed = {
      at: '2026-11-20T07:00:00.000Z',
      state: 'failed',
      exportId: null,
      error: 'The disk was full.',
    } as const;
    const done = { at: '2026-11-21T07:00:00.000Z', state: 'done', exportId: 'a', error: null } as const;
    open({
      [AT.scheduled]: answer([
        scheduledOf(),
        scheduledOf({ id: 4, schedule: 'weekly', emailNotification: false, lastRun: done }),
        scheduledOf({ id: 5, state: 'paused', nextRunAt: null, lastRun: failed }),
      ]),
    });
    await ready();
    const facts = 'Crypto prices · 7 days · CSV';
    expect(await lineOf('Scheduled Exports')).toEqual([
      `Daily export of crypto pricesActiveDaily · ${facts} · with emailNext: Sun, 22 Nov 2026, 08:00 Europe/ParisNot run yetCancel`,
      `Daily export of crypto pricesActiveWeekly · ${facts} · no emailNext: Sun, 22 Nov 2026, 08:00 Europe/ParisLast: Sat, 21 Nov 2026, 08:00 Europe/Paris · ReadyCancel`,
      `Daily export of crypto pricesPausedDaily · ${facts} · with emailPaused: scheduled exports require Premium+ and resume when you upgrade.Last: Fri, 20 Nov 2026, 08:00 Europe/Paris · FailedThe disk was full.Cancel`,
    ]);
  });

  test('cancelled', async () => {
    let scheduled = [scheduledOf()];
    const { sent } = open({
      [AT.scheduled]: () => Response.json(scheduled),
      [`${AT.scheduled}/3`]: () => {
        scheduled = [];
        return Response.json({ success: true });
      },
    });
    await ready();
    await press(/^Cancel/);
    expect(await screen.findByText('No scheduled exports')).toBeDefined();
    expect(sent(`${AT.scheduled}/3`, 'DELETE')).toHaveLength(1);
  });

  test('only logs a failed cancellation, and the schedule remains', async () => {
    const logged = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const { toasts } = open({ [AT.scheduled]: answer([scheduledOf()]), [`${AT.scheduled}/3`]: broken });
    await ready();
    const before = toasts().error.length;
    await press(/^Cancel/);
    await waitFor(() =>
      expect(logged).toHaveBeenCalledWith('Failed to cancel the scheduled export', expect.any(Error)),
    );
    expect(await lineOf('Scheduled Exports')).toHaveLength(1);
    expect(screen.queryByRole('alert')).toBeNull();
    expect(toasts().error).toHaveLength(before);
  });
});

describe('white label', () => {
  const PNG = 'iVBORw0KGgo=';

  function open(stored: WhiteLabel = whiteLabelOf(), put?: Answer) {
    let kept = stored;
    const keep: Answer = (_url, init) => {
      kept = JSON.parse(init?.body as string) as WhiteLabel;
      return Response.json(kept);
    };
    return openExports({
      at: '/app/advanced-export',
      plan: 'premium',
      calls: { [AT.look]: byMethod({ GET: () => Response.json(kept), PUT: put ?? keep }) },
    });
  }
  const field = (name: string) => screen.findByLabelText<HTMLInputElement>(name, {}, LATE);
  const type = async (name: string, value: string) => fireEvent.change(await field(name), { target: { value } });
  const save = () => screen.findByRole<HTMLButtonElement>('button', { name: 'Save' });
  const sample = () => screen.getByRole('figure');
  const alerts = () => texts(screen.queryAllByRole('alert'));
  const logo = (bytes: Uint8Array<ArrayBuffer>, mime: string) => new File([bytes], 'logo', { type: mime });
  const png = Uint8Array.from(atob(PNG), (c) => c.charCodeAt(0));

  test('name, logo and color appear in the sample immediately and are saved', async () => {
    const { sent } = open();
    expect((await save()).disabled).toBe(true);
    expect(sample().textContent).toContain('Meridian');
    await type('Name', ' Northwind ');
    await type('Color', '#b3541e');
    await userEvent.upload(await field('Logo'), logo(png, 'image/png'));
    await waitFor(() =>
      expect(screen.getByAltText('Your logo').getAttribute('src')).toBe(`data:image/png;base64,${PNG}`),
    );
    expect(sample().textContent).toContain('Northwind');
    expect(sample().innerHTML).toContain('#b3541e');
    await press('Save');
    await waitFor(() =>
      expect(sent(AT.look, 'PUT')).toEqual([
        { name: 'Northwind', logo: `data:image/png;base64,${PNG}`, colour: '#b3541e' },
      ]),
    );
    expect(await screen.findByText('Report branding saved')).toBeDefined();
    await waitFor(async () => expect((await save()).disabled).toBe(true));
  });

  test('invalid input is reported in place and cannot be saved', async () => {
    open();
    await type('Name', '   ');
    await type('Color', 'red');
    expect(alerts()).toEqual(['Enter a name or leave it empty', 'Enter a color such as #1a2b3c']);
    expect((await save()).disabled).toBe(true);
    await userEvent.upload(await field('Logo'), logo(png, 'image/gif'), { applyAccept: false });
    await waitFor(() => expect(alerts()).toContain('The logo must be a PNG or JPEG'));
    await userEvent.upload(await field('Logo'), logo(new Uint8Array(160_000), 'image/png'));
    await waitFor(() => expect(alerts()).toContain('The logo must be 150 kB or smaller'));
  });

  test('server refusals appear in place', async () => {
    open(whiteLabelOf(), refuse(400, 'The logo could not be read', 'bad_request'));
    await type('Name', 'Northwind');
    await press('Save');
    await waitFor(() => expect(alerts()).toEqual(['The logo could not be read']));
  });

  test('removes the logo, and Reset restores our branding', async () => {
    const { sent } = open(whiteLabelOf({ name: 'Northwind', logo: `data:image/png;base64,${PNG}`, colour: '#b3541e' }));
    await press('Remove Logo');
    expect(screen.queryByAltText('Your logo')).toBeNull();
    await press('Reset');
    await waitFor(() => expect(sent(AT.look, 'PUT')).toEqual([{ name: null, logo: null, colour: null }]));
    await waitFor(() => expect(sample().textContent).toContain('Meridian'));
  });

  test('unreadable branding, with Retry', async () => {
    openExports({ at: '/app/advanced-export', plan: 'premium', calls: { [AT.look]: broken } });
    expect(await screen.findByText('Failed to load your report branding', {}, LATE)).toBeDefined();
  });
});
