// @vitest-environment happy-dom
import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { LATE, press } from '#app/web/testing/acts.ts';
import { AT, openExports } from '#app/web/testing/exports.ts';
import { eachWithItsApp } from '#app/web/testing/open-app.tsx';
import type { WhiteLabel } from '#features/exports/contract/exports.ts';
import { whiteLabelOf } from '#features/exports/web/exports/fixtures.ts';
import { type Answer, broken, byMethod, refuse } from '#ui/testing/answers.ts';

eachWithItsApp();

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
const alerts = () => screen.queryAllByRole('alert').map(({ textContent }) => textContent);
const logo = (bytes: Uint8Array<ArrayBuffer>, mime: string) => new File([bytes], 'logo', { type: mime });
const png = Uint8Array.from(atob(PNG), (c) => c.charCodeAt(0));

test('name, logo and colour show in the sample at once and are saved', async () => {
  const { sent } = open();
  expect((await save()).disabled).toBe(true);
  expect(sample().textContent).toContain('Meridian');
  await type('Name', ' Northwind ');
  await type('Colour', '#b3541e');
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

test('what is wrong is said in place, and cannot be saved', async () => {
  open();
  await type('Name', '   ');
  await type('Colour', 'red');
  expect(alerts()).toEqual(['Enter a name or leave it empty', 'Enter a colour such as #1a2b3c']);
  expect((await save()).disabled).toBe(true);
  await userEvent.upload(await field('Logo'), logo(png, 'image/gif'), { applyAccept: false });
  await waitFor(() => expect(alerts()).toContain('The logo must be a PNG or JPEG'));
  await userEvent.upload(await field('Logo'), logo(new Uint8Array(160_000), 'image/png'));
  await waitFor(() => expect(alerts()).toContain('The logo must be 150 kB or smaller'));
});

test('what the server refuses stands in place', async () => {
  open(whiteLabelOf(), refuse(400, 'The logo could not be read', 'bad_request'));
  await type('Name', 'Northwind');
  await press('Save');
  await waitFor(() => expect(alerts()).toEqual(['The logo could not be read']));
});

test('the logo is removed, and Reset brings back ours', async () => {
  const { sent } = open(whiteLabelOf({ name: 'Northwind', logo: `data:image/png;base64,${PNG}`, colour: '#b3541e' }));
  await press('Remove Logo');
  expect(screen.queryByAltText('Your logo')).toBeNull();
  await press('Reset');
  await waitFor(() => expect(sent(AT.look, 'PUT')).toEqual([{ name: null, logo: null, colour: null }]));
  await waitFor(() => expect(sample().textContent).toContain('Meridian'));
});

test('a look that cannot be read, with Retry', async () => {
  openExports({ at: '/app/advanced-export', plan: 'premium', calls: { [AT.look]: broken } });
  expect(await screen.findByText('Failed to load your report branding', {}, LATE)).toBeDefined();
});
