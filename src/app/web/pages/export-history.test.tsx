import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';
import { LATE, press } from '#app/web/testing/acts.ts';
import { AT, createButton, fileAnswer, lineOf, openExports, regionText } from '#app/web/testing/exports.ts';
import { itemOf, makingOf, manifestOf } from '#features/exports/web/exports/fixtures.ts';
import { type Answer, answer, broken, refuse } from '#ui/testing/answers.ts';

const at = '/app/data-export';
const SIGNED_OUT = 'Authentication required. Please log in to access data export features.';
const LOWER = 'Premium subscription required. Data export is only available for Pro, Premium users, or administrators.';
const open = (calls: Record<string, Answer>) => openExports({ at, calls });
/** The heading of the page with its form, not of the placeholder before the plan is known. */
const heading = async () => {
  await screen.findByRole('button', { name: 'Create Export' }, LATE);
  return screen.getByRole('heading', { level: 1, name: 'Data Export' });
};
const never: Answer = () => new Promise<Response>(() => {});

describe('history', () => {
  test('loading', async () => {
    open({ [AT.history]: never });
    expect(await screen.findByText('Loading Export History', {}, LATE)).toBeDefined();
  });

  test.each<[string, Answer, string]>([
    ['a failure', broken, 'Couldn’t refresh the list.'],
    ['401', refuse(401, 'x', 'unauthenticated'), SIGNED_OUT],
    ['403', refuse(403, 'x', 'upgrade_required'), LOWER],
  ])('%s shows an empty list, with the reason and Retry', async (_, failing, words) => {
    let down = true;
    open({ [AT.history]: (url, init) => (down ? failing(url, init) : Response.json([itemOf()])) });
    expect(await regionText('Export History')).toBeDefined();
    expect(await screen.findByText('No exports yet')).toBeDefined();
    expect((await screen.findByRole('alert')).textContent).toContain(words);
    down = false;
    await press('Retry');
    expect(await lineOf('Export History')).toHaveLength(1);
  });

  test('type, range, format and status of each', async () => {
    const items = [
      makingOf({ id: 'a' }),
      itemOf({ id: 'b' }),
      itemOf({
        id: 'c',
        dateRange: 'custom',
        from: '2026-11-01T00:00:00.000Z',
        to: '2026-11-08T00:00:00.000Z',
        format: 'csv',
        compression: true,
        schedule_id: 3,
      }),
      makingOf({ id: 'd', state: 'failed', error: 'The disk is full' }),
      makingOf({ id: 'e', state: 'cancelled' }),
      itemOf({ id: 'f', state: 'expired', format: 'xml' }),
      makingOf({ id: 'g', state: 'waiting', progress: 0 }),
    ];
    open({ [AT.history]: answer(items) });
    await heading();
    const acts = 'DownloadManifest';
    expect(await lineOf('Export History')).toEqual([
      'Crypto pricesCreating7 days · JSON · 21 Nov 2026, 11:00 UTCCancel42%',
      `Crypto pricesReady7 days · JSON · 21 Nov 2026, 11:00 UTC · 42,000 rows · 1.2 MBAvailable until 28 Nov 2026${acts}`,
      `Crypto pricesReadyScheduled1 Nov 2026 to 7 Nov 2026 · CSV, compressed · 21 Nov 2026, 11:00 UTC · 42,000 rows · 1.2 MBAvailable until 28 Nov 2026${acts}`,
      'Crypto pricesFailed7 days · JSON · 21 Nov 2026, 11:00 UTCThe disk is full',
      'Crypto pricesCanceled7 days · JSON · 21 Nov 2026, 11:00 UTC',
      'Crypto pricesRemoved7 days · XML · 21 Nov 2026, 11:00 UTC · 42,000 rows · 1.2 MB',
      'Crypto pricesWaiting7 days · JSON · 21 Nov 2026, 11:00 UTCCancel0%',
    ]);
  });

  test('cancels a running export', async () => {
    let items = [makingOf()];
    const { sent } = open({
      [AT.history]: () => Response.json(items),
      [AT.one]: () => {
        items = [makingOf({ state: 'cancelled' })];
        return Response.json({ success: true });
      },
    });
    await heading();
    await press('Cancel');
    expect(await screen.findByText('Canceled')).toBeDefined();
    expect(sent(AT.one, 'DELETE')).toHaveLength(1);
    expect((await createButton()).disabled).toBe(false);
  });

  test('a failed download is reported in place; a file other than the one exported is not saved', async () => {
    const wrong = itemOf({ sha256: '00'.repeat(32) });
    let answers: Answer = refuse(404, 'The file was removed', 'not_found');
    const { kept } = open({ [AT.history]: answer([wrong]), [`${AT.one}/file`]: (url, init) => answers(url, init) });
    await heading();
    await press('Download');
    expect((await screen.findByRole('alert')).textContent).toBe('The file was removed');
    answers = fileAnswer();
    await press('Download');
    await waitFor(() =>
      expect(screen.getByRole('alert').textContent).toBe(
        'The download does not match the export’s checksum. Please try again.',
      ),
    );
    expect(kept).toEqual([]);
  });

  test('the manifest, with a copyable checksum', async () => {
    const { kept } = open({ [AT.history]: answer([itemOf()]), [`${AT.one}/manifest`]: answer(manifestOf()) });
    await heading();
    await press('Manifest');
    const dialog = within(await screen.findByRole('dialog', { name: 'Manifest' }, LATE));
    expect(await dialog.findByText(manifestOf().sha256)).toBeDefined();
    expect(dialog.getByText('Crypto prices (demo data)')).toBeDefined();
    expect(dialog.getByText('1.2 MB, 42,000 rows')).toBeDefined();
    expect(dialog.getByText('CoinGecko: latest 21 Nov 2026, 10:55:00 UTC')).toBeDefined();
    expect(dialog.getByText('Hours without a trade are left out.')).toBeDefined();
    await userEvent.click(dialog.getByRole('button', { name: 'Copy' }));
    expect(await navigator.clipboard.readText()).toBe(manifestOf().sha256);
    await userEvent.click(dialog.getByRole('button', { name: 'Download Manifest' }));
    expect(kept).toEqual(['meridian-crypto_prices-7d.json.manifest.json']);
  });

  test('an unreadable manifest, with Retry', async () => {
    open({ [AT.history]: answer([itemOf()]), [`${AT.one}/manifest`]: broken });
    await heading();
    await press('Manifest');
    const dialog = within(await screen.findByRole('dialog', { name: 'Manifest' }, LATE));
    expect(await dialog.findByText('Failed to load the manifest')).toBeDefined();
    expect(dialog.getByRole('button', { name: 'Retry' })).toBeDefined();
  });
});
