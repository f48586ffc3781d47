import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';
import { type Answer, answer, refuse, unreachable } from '#ui/testing/answers.ts';
import { LATE } from '../testing/acts.ts';
import { openApp } from '../testing/open-app.tsx';
import { openSignedIn } from '../testing/signed-in.tsx';

const SUM = '/api/contact/challenge';
const SEND = '/api/contact';

/** A different question each time. */
function sums(): Answer {
  let n = 0;
  return () => Response.json({ a: (n += 1) + 6, b: 3, operator: '×', challenge: `challenge-${n}` });
}
const open = (calls: Record<string, Answer> = {}) =>
  openApp({ at: '/app/contact', calls: { [SUM]: sums(), [SEND]: answer({ success: true }), ...calls } });
const fields = { Name: 'Ann', Email: 'ann@example.com', Subject: 'A number', Message: 'It has not moved for an hour.' };
const field = (name: string | RegExp) => screen.findByLabelText<HTMLInputElement>(name, {}, LATE);
async function fill(more: Partial<typeof fields> = {}): Promise<void> {
  for (const [name, value] of Object.entries({ ...fields, ...more }))
    fireEvent.change(await field(name), { target: { value } });
}
const sumNow = async () => (await screen.findByText(/^What is \d/, { selector: 'label' }, LATE)).textContent;
const reply = async (value: string) => fireEvent.change(await field(await sumNow()), { target: { value } });
/** The correct answer to the current question. */
const answerRight = async () => reply(String(Number(/\d+/.exec(await sumNow())?.[0]) * 3));
const send = async () => userEvent.click(await screen.findByRole('button', { name: 'Send Message' }, LATE));
const sent = (fetch: ReturnType<typeof openApp>['fetch']) =>
  fetch.mock.calls.filter(([url]) => url === SEND).map(([, init]) => init?.body as FormData);
const picture = (type: string, size = 10) => new File([new Uint8Array(size)], 'a.png', { type });
const choose = async (file: File) =>
  fireEvent.change(await field('Screenshot (optional)'), { target: { files: [file] } });
const alert = (words: string) => screen.findByText(words, { selector: '[role=alert], [role=alert] *' });

describe('contact form', () => {
  test('sends one complete form, then confirms it; another can be sent', async () => {
    const { fetch } = open();
    await fill();
    const before = await sumNow();
    await answerRight();
    await choose(picture('image/png'));
    await send();
    expect(await screen.findByRole('heading', { name: 'Message Sent!' })).toBe(document.activeElement);
    const [form] = sent(fetch);
    expect(Object.fromEntries([...(form ?? [])].filter(([, value]) => typeof value === 'string'))).toEqual({
      name: 'Ann',
      email: 'ann@example.com',
      subject: 'A number',
      message: 'It has not moved for an hour.',
      captchaAnswer: expect.stringMatching(/^\d+$/),
      challenge: expect.stringMatching(/^challenge-\d$/),
      website: '',
    });
    expect(form?.get('screenshot')).toMatchObject({ name: 'a.png' });
    await userEvent.click(screen.getByRole('button', { name: 'Send Another Message' }));
    expect((await field('Message')).value).toBe('');
    expect(await sumNow()).not.toBe(before);
  });

  test('reports errors one by one in order, at the field, and sends nothing', async () => {
    const { fetch } = open();
    await sumNow();
    const steps: [name: keyof typeof fields | 'sum', value: string, words: string][] = [
      ['Name', '  ', 'Name is required'],
      ['Name', 'Ann', 'Email is required'],
      ['Email', 'ann', 'Please enter a valid email address'],
      ['Email', 'ann@example.com', 'Subject is required'],
      ['Subject', 'A number', 'Message is required'],
      ['Message', 'Too short', 'Message must be at least 10 characters long'],
      ['Message', 'Ten chars.', 'Incorrect captcha answer'],
      ['sum', '22', 'Incorrect captcha answer'],
    ];
    for (const [name, value, words] of steps) {
      if (name === 'sum') await reply(value);
      else fireEvent.change(await field(name), { target: { value } });
      await send();
      expect(await alert(words)).toBeDefined();
      expect(screen.getAllByRole('alert')).toHaveLength(1);
      expect(document.activeElement?.getAttribute('aria-invalid')).toBe('true');
    }
    expect(sent(fetch)).toEqual([]);
  });

  test.each([
    ['a page', picture('text/html'), 'Please select a valid image file (JPEG, PNG, GIF, or WebP)'],
    ['a large picture', picture('image/png', 5_242_881), 'File size must be less than 5MB'],
  ])('rejects %s last and lets it be removed', async (_, file, words) => {
    const { fetch } = open();
    await fill();
    await answerRight();
    await choose(file);
    await send();
    expect(await alert(words)).toBeDefined();
    await userEvent.click(screen.getByRole('button', { name: 'Remove' }));
    await send();
    await screen.findByText('Message Sent!');
    expect(sent(fetch).map((form) => form.has('screenshot'))).toEqual([false]);
  });

  test.each([
    ['the words of the server', refuse(429, 'Too many attempts. Please try again later.', 'rate_limited'), /^Too many/],
    ['an answer without words', () => new Response('', { status: 502 }), /^Failed to send message$/],
    ['a server that is away', unreachable, /^Failed to send message\. Please try again\.$/],
  ] as const)('%s: keeps the text and shows a new question', async (_, failing, words) => {
    open({ [SEND]: failing });
    await fill();
    const before = await sumNow();
    await answerRight();
    await send();
    expect((await screen.findByText(words)).closest('[role=alert]')).not.toBeNull();
    await waitFor(async () => expect(await sumNow()).not.toBe(before));
    expect((await field(await sumNow())).value).toBe('');
    expect((await field('Message')).value).toBe(fields.Message);
  });

  test('loads a new question on demand and reports a failure to load', async () => {
    let fails = false;
    const next = sums();
    open({ [SUM]: (...call) => (fails ? unreachable() : next(...call)) });
    const first = await sumNow();
    await userEvent.click(screen.getByRole('button', { name: 'New question' }));
    await waitFor(async () => expect(await sumNow()).not.toBe(first));
    fails = true;
    await userEvent.click(screen.getByRole('button', { name: 'New question' }));
    expect(await screen.findByText(/^Couldn’t load the question/)).toBeDefined();
    await fill();
    await send();
    expect((await screen.findByRole('alert')).textContent).toMatch(/^Couldn’t load the question/);
    expect(screen.queryByText('Incorrect captcha answer')).toBeNull();
    fails = false;
    await userEvent.click(screen.getByRole('button', { name: 'New question' }));
    expect(await sumNow()).not.toBe(first);
  });

  test('is prefilled with the account’s address when signed in', async () => {
    openSignedIn({ at: '/app/contact', calls: { [SUM]: sums() } });
    await waitFor(async () => expect((await field('Email')).value).toMatch(/@/), LATE);
  });
});

describe('administrator inbox', () => {
  const message = {
    id: 4,
    name: 'Ann',
    email: 'ann@example.com',
    subject: 'A <b>number</b>',
    status: 'new',
    hasScreenshot: true,
    createdAt: '2026-11-20T11:57:00.000Z',
  };
  const counts = { new: 1, open: 0, settled: 2, spam: 0 };
  const calls = (more: Record<string, Answer> = {}) => ({
    '/api/admin/contact': answer({ messages: [message], counts, more: false }),
    '/api/admin/contact/4': answer({ ...message, message: '<i>raw</i>', account: null, settledAt: null }),
    ...more,
  });
  const openInbox = (more?: Record<string, Answer>) =>
    openSignedIn({ at: '/app/admin?tab=messages', plan: 'admin', calls: calls(more) });

  test('lists messages with their status; one opens with its original text', async () => {
    openInbox();
    await userEvent.click(await screen.findByRole('button', { name: /A <b>number<\/b>/ }, LATE));
    expect(await screen.findByText('<i>raw</i>')).toBeDefined();
    expect(screen.getByRole('link', { name: 'Reply by email' }).getAttribute('href')).toMatch(
      /^mailto:ann@example\.com\?subject=Re/,
    );
    expect(screen.getByRole('button', { name: 'Download screenshot' })).toBeDefined();
  });

  test('changes the status and reports a failure', async () => {
    const { fetch } = openInbox({
      '/api/admin/contact/4': (_url, init) =>
        init?.method === 'PUT'
          ? refuse(503, 'The database is not responding.', 'unavailable')()
          : answer({ ...message, message: 'raw', account: null, settledAt: null })(),
    });
    await userEvent.click(await screen.findByRole('button', { name: /A <b>number<\/b>/ }, LATE));
    await userEvent.click(await screen.findByRole('button', { name: 'Mark as settled' }));
    expect(await screen.findByText('The database is not responding.')).toBeDefined();
    const put = fetch.mock.calls.find(([, init]) => init?.method === 'PUT');
    expect(JSON.parse(put?.[1]?.body as string)).toEqual({ status: 'settled' });
  });

  test('filters by status; shows empty, failing and loading states', async () => {
    const { fetch } = openInbox({
      '/api/admin/contact': (url) =>
        url.includes('spam')
          ? answer({ messages: [], counts, more: false })()
          : answer({ messages: [message], counts, more: false })(),
    });
    expect(await screen.findByRole('button', { name: /^All ?3$/ }, LATE)).toBeDefined();
    await userEvent.click(screen.getByRole('button', { name: /^Spam/ }));
    expect(await screen.findByText('No messages')).toBeDefined();
    expect(fetch.mock.calls.some(([url]) => url === '/api/admin/contact?status=spam')).toBe(true);
  });
});
