import { BRAND } from '#shared/brand.ts';

/** What a page is called in the tab, in search results and where a link to it is shown. */
export type PageName = { title: string; description: string; robots?: string };

const named = (title: string, description: string): PageName => ({ title: `${title} · ${BRAND.name}`, description });

export const LANDING: PageName = {
  title: `${BRAND.name}: market intelligence that keeps score`,
  description: BRAND.description,
};
export const ABOUT = named(
  'About',
  `What ${BRAND.name} shows, when its data are collected, where they come from and how it keeps score.`,
);
export const STATUS = named(
  'Status',
  `Whether ${BRAND.name} works now: measured uptime of the last 90 days, incidents and planned maintenance.`,
);
export const NOT_FOUND = named('Page not found', BRAND.description);
export const DASHBOARD = named('Market dashboard', 'Live crypto prices, each with its source and age.');

/** Pages of the app below its first one; any other address below it is not there. */
export const APP_PAGES: Record<string, PageName> = {
  '/app/events': named(
    'Upcoming Events',
    'The macro calendar that moves crypto: central banks, inflation, jobs, regulation, expiries, in your time zone.',
  ),
  '/app/sources': named('Data sources', 'Every source of our numbers with its state, record, licence and attribution.'),
  '/app/track-record': named(
    'Track record',
    'Every prediction and what came of it: skill against the base rates, calibration, and a ledger anyone can check.',
  ),
  '/app/history': named(
    'Historical Data',
    'Prices, macro, derivatives and on-chain series as they were stored, each value with its source, age and change.',
  ),
  '/app/api': named(
    'API Reference',
    'Every call of the public API to read, try and copy, the door for AI assistants, and widgets for your own site.',
  ),
  '/app/about': ABOUT,
  '/app/contact': named('Contact', 'How to reach support, and what helps us to help you.'),
  '/app/privacy': named(
    'Privacy Policy',
    `What ${BRAND.name} knows about the people who use it, why, for how long, and what they can ask for.`,
  ),
  '/app/terms': named(
    'Terms & Conditions',
    `The terms of using ${BRAND.name}: accounts, plans, trial, payment, cancellation, data and liability.`,
  ),
  '/app/subscription': named('Subscription Plans', 'What each plan holds, and what it costs.'),
  '/app/auth-required': named('What this page needs', 'Sign in, or see which plan opens a page.'),
  '/app/profile': named('Profile', 'Your account, plan and security.'),
  '/app/admin': named('Admin Dashboard', 'For administrators.'),
  '/app/alerts': named('Market Alerts', 'What the alerts of Pro tell.'),
  '/app/custom-alerts': named('Custom Alerts', 'What alert rules of your own do.'),
  '/app/data-export': named(
    'Data Export',
    'What the dashboard shows, as CSV, JSON or Excel, each with a manifest to check it by.',
  ),
  '/app/advanced-export': named(
    'Advanced Export',
    'Several kinds of data in one file, in five formats, on a schedule, under your own name.',
  ),
  '/app/advanced-analytics': named(
    'Advanced Analytics',
    'A live chart, correlations, risk, sentiment, derivatives and on-chain figures of the tracked assets.',
  ),
};

/** Pages of the app that only demo mode has. */
export const DEMO_PAGES: Record<string, PageName> = {
  '/app/phone': named('Your phone (demo)', 'The mails, notifications and chat messages that the demo would send you.'),
};

const unlisted = (title: string): PageName => ({ ...named(title, BRAND.description), robots: 'noindex' });

/** Pages that links of our mails open. A token may stand in their address: no referrer, no index. */
export const ACCOUNT_PAGES: Record<string, PageName> = {
  '/reset-password': unlisted('Reset password'),
  '/resend-confirmation': unlisted('Resend Confirmation Email'),
  '/unsubscribe-success': unlisted('Unsubscribed'),
  '/auth/confirm-success': unlisted('Email confirmed'),
  '/auth/confirm-error': unlisted('Email confirmation'),
};
