// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, type MockInstance, test, vi } from 'vitest';
import { type Answers, closeCard, failing, showCard } from '#app/web/testing/show-card.tsx';
import { ann } from '#features/accounts/web/auth/fixtures.ts';
import { attachProof } from '#ui/api/proof.ts';
import { clearSession, startSession } from '#ui/session.ts';

import { YourData } from './your-data.tsx';

const PATH = '/api/profile/data';

let saved: MockInstance<() => void>;
beforeEach(() => {
  startSession('t-1', ann);
  saved = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {});
  URL.createObjectURL = () => 'blob:data';
});
afterEach(() => {
  saved.mockRestore();
  closeCard();
  clearSession();
});

const press = async (answers: Answers) => {
  showCard(<YourData />, answers);
  await userEvent.click(screen.getByRole('button', { name: 'Download my data' }));
};

test('the file is passed to the browser', async () => {
  await press({ [PATH]: () => new Response('{}') });
  await waitFor(() => expect(saved).toHaveBeenCalledOnce());
  expect((saved.mock.contexts[0] as HTMLAnchorElement).download).toBe('meridian-my-data-2026-11-21.json');
});

test('a required proof is requested first, then the file is delivered', async () => {
  let proved = false;
  const end = attachProof(async () => {
    proved = true;
    return true;
  });
  const refusal = { error: 'Please confirm it’s you to continue.', code: 'reauthentication_required' };
  await press({ [PATH]: () => (proved ? new Response('{}') : Response.json(refusal, { status: 403 })) });
  await waitFor(() => expect(saved).toHaveBeenCalledOnce());
  expect(proved).toBe(true);
  end();
});

test('a failure is shown in place', async () => {
  await press({ [PATH]: failing });
  expect((await screen.findByRole('alert')).textContent).toBe('Something went wrong on our side');
  expect(saved).not.toHaveBeenCalled();
});
