import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';
import { LATE, press } from '#app/web/testing/acts.ts';
import { AT, createButton, expectToast, fileAnswer, lineOf, openExports } from '#app/web/testing/exports.ts';
import { EXPORT_ID, itemOf, makingOf } from '#features/exports/web/exports/fixtures.ts';
import { type Answer, answer, refuse } from '#ui/testing/answers.ts';
import { texts } from '../testing/acts.ts';

const at = '/app/advanced-export';
const open = (calls: Record<string, Answer> = {}) => openExports({ at, plan: 'premium', calls });
/** The heading of the page with its form, not of the placeholder before the plan is known. */
const heading = async () => {
  await screen.findByRole('group', { name: 'Data types' }, LATE);
  return screen.getByRole('heading', { level: 1, name: 'Advanced Data Export' });
};
const box = (name: string) => screen.getByLabelText<HTMLInputElement>(name);
const choose = (name: string) => userEvent.click(box(name));
const type = (name: string, value: string) => fireEvent.change(box(name), { target: { value } });
const alerts = () => texts(screen.queryAllByRole('alert'));

test('Premium+: every section; with no selection the button is disabled; all data includes the rest', async () => {
  open();
  await heading();
  await waitFor(() => expect(document.title).toBe('Advanced Data Export · Meridian'));
  expect(await screen.findByText('No scheduled exports')).toBeDefined();
  expect(texts(screen.getAllByRole('heading', { level: 2 })).join(', ')).toBe(
    'New Export, Scheduled Exports, Export Statistics, Recent Exports, White Label',
  );
  await choose('Crypto prices');
  expect((await createButton()).disabled).toBe(true);
  expect(alerts()).toEqual(['Choose at least one data type']);
  await choose('All data');
  expect((await createButton()).disabled).toBe(false);
  expect([box('Alerts').checked, box('Alerts').disabled]).toEqual([true, true]);
  await choose('All data');
  expect([box('Alerts').checked, box('Alerts').disabled]).toEqual([false, false]);
});

describe('creating an export', () => {
  test('defaults to 7 days of crypto prices as JSON, compressed with metadata', async () => {
    const { sent, kept, toasts } = open({ [AT.create]: fileAnswer('meridian-crypto_prices-7d.zip') });
    await heading();
    await press('Create Export');
    await expectToast(() => toasts().success, 'Export created successfully!', 15_000);
    expect(kept).toEqual(['meridian-crypto_prices-7d.zip']);
    expect(sent(AT.create, 'POST')).toEqual([
      { dataTypes: ['crypto_prices'], dateRange: '7d', format: 'json', includeMetadata: true, compression: true },
    ]);
  });

  test('all data types and formats; several types, XML, without metadata', async () => {
    const { sent } = open({ [AT.create]: fileAnswer() });
    await heading();
    const kinds = within(screen.getByRole('group', { name: 'Data types' }));
    expect(
      kinds
        .getAllByRole('checkbox')
        .map((each) => each.getAttribute('aria-label'))
        .join(', '),
    ).toBe('Crypto prices, Market data, AI analysis, Fear and greed, Narratives, Alerts, Backtest results, All data');
    const formats = within(screen.getByRole('group', { name: 'Format' }));
    expect(
      formats
        .getAllByRole('radio')
        .map((each) => each.parentElement?.textContent)
        .join(', '),
    ).toBe('CSV, JSON, Excel, PDF, XML');
    await choose('Alerts');
    expect(screen.getByLabelText(/^Compression/)).toBeDefined();
    await choose('XML');
    expect(screen.queryByLabelText('Compression', { exact: false })).toBeNull();
    await userEvent.click(screen.getByLabelText(/^Include metadata/));
    await press('Create Export');
    await waitFor(() =>
      expect(sent(AT.create, 'POST')).toEqual([
        {
          dataTypes: ['crypto_prices', 'alerts'],
          dateRange: '7d',
          format: 'xml',
          includeMetadata: false,
          compression: false,
        },
      ]),
    );
  });

  test('a custom range: two dates, shown only then, with errors in place', async () => {
    const { sent } = open({ [AT.create]: fileAnswer() });
    await heading();
    expect(screen.queryByLabelText('Start date')).toBeNull();
    await choose('Custom');
    expect(box('Start date').type).toBe('date');
    expect(alerts()).toEqual([]);
    await press('Create Export');
    expect(alerts()).toEqual(['Choose a start date']);
    type('Start date', '2026-11-10');
    expect(alerts()).toEqual(['Choose an end date']);
    type('End date', '2026-11-09');
    expect(alerts()).toEqual(['The end date is before the start date']);
    await press('Create Export');
    expect(sent(AT.create, 'POST')).toEqual([]);
    type('End date', '2026-11-12');
    await press('Create Export');
    await waitFor(() =>
      expect(sent(AT.create, 'POST')).toMatchObject([
        { dateRange: 'custom', startDate: '2026-11-10', endDate: '2026-11-12' },
      ]),
    );
    await choose('30 days');
    expect(screen.queryByLabelText('Start date')).toBeNull();
  });

  test('a failure: a five-second toast, and the reason in place', async () => {
    const { toasts } = open({ [AT.create]: refuse(503, 'There is no room for more files', 'unavailable') });
    await heading();
    await press('Create Export');
    await expectToast(() => toasts().error, 'Failed to create export. Please try again.', 5_000);
    expect(alerts()).toEqual(['There is no room for more files']);
  });

  test('disables the button during a user’s own export; a scheduled one does not count', async () => {
    let items = [makingOf({ schedule_id: 3 })];
    const { queries } = open({ [AT.history]: () => Response.json(items) });
    await heading();
    await screen.findByRole('progressbar');
    expect((await createButton()).disabled).toBe(false);
    items = [makingOf()];
    await queries.invalidateQueries({ queryKey: ['exports'] });
    expect((await screen.findByRole<HTMLButtonElement>('button', { name: 'Creating Export...' })).disabled).toBe(true);
  });
});

describe('recent exports', () => {
  test('the first five', async () => {
    const items = Array.from({ length: 7 }, (_, i) => itemOf({ id: String(i), type: `Data ${i}` }));
    open({ [AT.history]: answer(items) });
    await heading();
    const lines = await lineOf('Recent Exports');
    expect(lines.map((line) => line.slice(0, 6))).toEqual(['Data 0', 'Data 1', 'Data 2', 'Data 3', 'Data 4']);
  });

  test('an email link shows its export at the top, even outside the first five', async () => {
    const { kept } = openExports({
      at: `${at}?export=${EXPORT_ID}`,
      plan: 'premium',
      calls: { [AT.one]: answer(itemOf({ schedule_id: 3 })), [`${AT.one}/file`]: fileAnswer('weekly.csv') },
    });
    await heading();
    await press('Download');
    expect(await lineOf('Linked Export')).toHaveLength(1);
    await waitFor(() => expect(kept).toEqual(['weekly.csv']));
  });

  test('a link to a deleted one says so', async () => {
    openExports({
      at: `${at}?export=${EXPORT_ID}`,
      plan: 'premium',
      calls: { [AT.one]: refuse(404, 'Unknown export', 'not_found') },
    });
    expect(await screen.findByText(/^This export was not found/, {}, LATE)).toBeDefined();
  });
});
