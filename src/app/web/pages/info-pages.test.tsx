import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test, vi } from 'vitest';
import { latencyOf } from '#features/notifications/web/notifications/fixtures.ts';
import { sourceList } from '#features/operations/web/sources/admin-fixtures.ts';
import { aboutOf } from '#features/site/web/legal/fixtures.ts';
import { BRAND } from '#shared/brand.ts';

import { address, texts } from '../testing/acts.ts';
import { closeApp, openApp } from '../testing/open-app.tsx';

const failing = () => Response.json({ error: 'Something went wrong on our side', code: 'internal' }, { status: 500 });
/** The code of a page is loaded when it is opened, slowly on a busy machine. */
const PATIENT = { timeout: 30_000 };
const main = () => within(screen.getByRole('main'));

describe('footer pages', () => {
  test.each([
    ['About', '/app/about', `About ${BRAND.name}`, 'How it keeps score'],
    ['Contact', '/app/contact', 'Contact', 'Write to Us'],
    ['Privacy Policy', '/app/privacy', 'Privacy Policy', 'In short'],
    ['Terms & Conditions', '/app/terms', 'Terms & Conditions', 'In short'],
  ])('%s opens from the footer, with its title and a single h1', async (name, path, heading, first) => {
    const scroll = vi.spyOn(window, 'scrollTo').mockImplementation(() => {});
    openApp({ at: '/app/nowhere' });
    await userEvent.click(within(screen.getByRole('contentinfo')).getByRole('link', { name }));
    await screen.findByText(first, { selector: 'h2' }, PATIENT);
    await waitFor(() => {
      expect(address()).toBe(path);
      expect(texts([...document.querySelectorAll('h1')])).toEqual([heading]);
      expect(document.title).toBe(`${name} · ${BRAND.name}`);
      expect(scroll).toHaveBeenCalledWith(0, 0);
      expect(document.activeElement?.id).toBe('main');
    }, PATIENT);
  });

  test('the Terms and About show this installation’s prices, or link to the plans page when they cannot be read', async () => {
    const plans = { ...aboutOf().plans, pro: 10, premium: 45.5, trialDays: 3 };
    openApp({ at: '/app/terms', calls: { '/api/about': () => Response.json(aboutOf({ plans })) } });
    const price = await screen.findByRole('row', { name: 'Price per month $0 $10 $45.50' }, PATIENT);
    expect(price).toBeDefined();
    expect(screen.getByText(/free of charge for 3 days/)).toBeDefined();
    closeApp();
    openApp({ at: '/app/about', calls: { '/api/about': () => Response.json(aboutOf({ plans })) } });
    await screen.findByText(/Pro costs \$10\/month, Premium\+ \$45\.50; .* for 3 days/, {}, PATIENT);
    closeApp();
    openApp({ at: '/app/terms', calls: { '/api/about': failing } });
    const unread = 'Price per month $0 See the plans page See the plans page';
    expect(await screen.findByRole('row', { name: unread }, PATIENT)).toBeDefined();
  });

  test('a URL with a section scrolls to it', async () => {
    const shown: string[] = [];
    vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(function mark(this: Element) {
      shown.push(this.id);
    });
    openApp({ at: '/app/terms#plans' });
    await screen.findByText(/Plans and limits$/, { selector: 'h2' }, PATIENT);
    expect(shown).toContain('plans');
  });
});

describe('About, states', () => {
  const text = /No number without its birth certificate/;

  test('loading: the text is shown while the counts load', async () => {
    openApp({ at: '/app/about', calls: { '/api/about': () => new Promise<Response>(() => {}) } });
    expect(await screen.findByText(text, {}, PATIENT)).toBeDefined();
    expect(screen.getByText('Loading This Server')).toBeDefined();
  });

  test('loaded: schedule, counts, uptime and sources of the running instance', async () => {
    const about = aboutOf({
      schedule: {
        prices: 'at least every 2 minutes',
        listing: 'every 10 minutes',
        full: [{ when: 'Sundays', rhythm: 'at 06:30 UTC' }],
        slow: 'every 6 hours',
      },
    });
    openApp({ at: '/app/about', calls: { '/api/about': () => Response.json(about) } });
    expect(await screen.findByText('Sundays: at 06:30 UTC', {}, PATIENT)).toBeDefined();
    const page = screen.getByRole('article').textContent;
    for (const words of [
      'An update at least every 2 minutes',
      'volume, every 10 minutes',
      'every 6 hours or when they are released',
      'cryptocurrencies250+',
      'data sources20+',
      'uptime over the last 30 days, target 99.9%99.98%',
      'CoinGeckoPrices, market caps, volumes',
      'set up for 21 sources',
      'Pay by card, or in USDC',
    ])
      expect(page).toContain(words);
    expect(page).not.toContain('Demo data:');
    expect(main().getByRole('link', { name: 'Data Sources' }).getAttribute('href')).toBe('/app/sources');
  });

  test('alert delivery latency: as measured, or not measured yet', async () => {
    const measured = latencyOf([{ channel: 'email', n: 31, p50Ms: 812, p95Ms: 2_140, p99Ms: 4_000 }]);
    openApp({ at: '/app/about', calls: { '/api/notifications/latency': () => Response.json(measured) } });
    const place = within(await screen.findByRole('region', { name: 'Alert Delivery Speed' }, PATIENT));
    expect((await place.findByRole('row', { name: /^Email/ })).textContent).toBe('Email812 ms2.1 s4.0 s31');
    expect(place.getByRole('row', { name: /^Push/ }).textContent).toBe('Pushnot measured yet0');
  });

  test('demo data is labeled', async () => {
    openApp({ at: '/app/about', calls: { '/api/about': () => Response.json(aboutOf({ dataMode: 'demo' })) } });
    expect(await screen.findByText(/^Demo data: this instance shows a simulated market/, {}, PATIENT)).toBeDefined();
  });
});

describe('Contact', () => {
  const open = async (calls = {}) => {
    openApp({ at: '/app/contact', calls });
    await screen.findByText('Write to Us', { selector: 'h2' }, PATIENT);
  };

  test('how to reach support, response time, and what to include; one click copies the details; a denied copy is reported', async () => {
    await open();
    const mail = main().getByRole('link', { name: BRAND.supportEmail }).getAttribute('href') ?? '';
    expect(mail).toMatch(new RegExp(`^mailto:${BRAND.supportEmail}\\?subject=`));
    expect(decodeURIComponent(mail)).toContain('Version: 1.0.0');
    expect(main().getByText(/Expected reply within 24-48 hours on business days/)).toBeDefined();
    const include = within(screen.getByRole('region', { name: 'What to Include' }));
    expect(include.getByText('The request id,')).toBeDefined();
    expect(include.getByText(navigator.userAgent)).toBeDefined();
    await userEvent.click(screen.getByRole('button', { name: 'Copy these details' }));
    expect(await screen.findByText('Copied. Paste it into your message.')).toBeDefined();
    expect(await navigator.clipboard.readText()).toMatch(/^Version: 1\.0\.0\nBrowser: .+\nWindow: .+\nTime: .+ UTC$/);
    vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('refused'));
    await userEvent.click(screen.getByRole('button', { name: 'Copy these details' }));
    expect(await screen.findByText(/blocks copying/)).toBeDefined();
  });

  test('the status lists the sources and the measured uptime; loading, error and Retry', async () => {
    let broken = true;
    await open({ '/api/sources': () => (broken ? failing() : Response.json(sourceList)) });
    const alert = await screen.findByRole('alert', {}, PATIENT);
    expect(alert.textContent).toContain('Failed to load the status');
    broken = false;
    await userEvent.click(within(alert).getByRole('button', { name: 'Retry' }));
    expect(await screen.findByText('Data sources: 2 of 5 healthy, 1 on standby, 1 missing a key.')).toBeDefined();
    await waitFor(() => expect(screen.getByText('99.98% uptime over the last 30 days, target 99.9%.')).toBeDefined());
    const status = within(screen.getByRole('region', { name: 'Current Status' }));
    expect(status.getByRole('link', { name: 'Data Sources' }).getAttribute('href')).toBe('/app/sources');
    expect(status.getByRole('link', { name: 'Health endpoint (JSON)' }).getAttribute('href')).toBe('/api/health');
  });
});
