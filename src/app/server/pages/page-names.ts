import { IN_FORCE_SINCE } from '#features/site/contract/legal.ts';
import { BRAND } from '#shared/brand.ts';

/** What a page is called in the tab, in search results and where a link to it is shown: at most 60 and 155 characters. */
export type PageName = {
  title: string;
  description: string;
  robots?: string;
  /** The same text stands at this address, which search engines are to show. */
  canonical?: string;
  /** When what it says changed last: with the market, or on a day; unsaid where it is not known. */
  changed?: string;
};

const named = (title: string, description: string, more: Partial<PageName> = {}): PageName => ({
  title: `${title} · ${BRAND.name}`,
  description,
  ...more,
});
const MARKET = { changed: 'market' } as const;
const UNLISTED = { robots: 'noindex' } as const;

export const LANDING: PageName = {
  title: `${BRAND.name}: market intelligence that keeps score`,
  description: BRAND.description,
  ...MARKET,
};
export const ABOUT = named(
  'About',
  `What ${BRAND.name} shows, when its data are collected, where they come from and how it keeps score.`,
);
export const STATUS = named(
  'Status',
  `Whether ${BRAND.name} works now: measured uptime of the last 90 days, incidents and planned maintenance.`,
);
export const NOT_FOUND = named('Page not found', 'There is no page at this address.', UNLISTED);
export const DASHBOARD = named(
  'Market dashboard',
  'Live crypto prices, derivatives, on-chain data, sentiment and AI analysis, each figure with its source and age.',
  MARKET,
);

/** Pages of the app below its first one; any other address below it is not there. */
export const APP_PAGES: Record<string, PageName> = {
  '/app/events': named(
    'Upcoming Events',
    'The macro calendar that moves crypto: central banks, inflation, jobs, regulation, expiries, in your time zone.',
    MARKET,
  ),
  '/app/sources': named(
    'Data sources',
    'Every source of our numbers with its state, record, licence and attribution.',
    MARKET,
  ),
  '/app/track-record': named(
    'Track record',
    'Every prediction and what came of it: skill against the base rates, calibration, and a ledger anyone can check.',
    MARKET,
  ),
  '/app/track-record/league': named(
    'Open League',
    'Submit crypto forecasts through the API: frozen in a public ledger, graded against base rates, ranked by skill.',
    MARKET,
  ),
  '/app/history': named(
    'Historical Data',
    'Prices, macro, derivatives and on-chain series as they were stored, each value with its source, age and change.',
    MARKET,
  ),
  '/app/api': named(
    'API Reference',
    'Every call of the public API to read, try and copy, the door for AI assistants, and widgets for your own site.',
  ),
  '/app/about': { ...ABOUT, canonical: '/about' },
  '/app/contact': named(
    'Contact',
    'Write to support: how soon we answer, what helps us to help you, and how it stands.',
  ),
  '/app/privacy': named(
    'Privacy Policy',
    `What ${BRAND.name} knows about the people who use it, why, for how long, and what they can ask for.`,
    { changed: IN_FORCE_SINCE },
  ),
  '/app/terms': named(
    'Terms & Conditions',
    `The terms of using ${BRAND.name}: accounts, plans, trial, payment, cancellation, data and liability.`,
    { changed: IN_FORCE_SINCE },
  ),
  '/app/subscription': named(
    'Subscription Plans',
    'What Free, Pro and Premium+ hold and cost, by card or in USDC, with answers to what people ask before they pay.',
  ),
  '/app/auth-required': named('What this page needs', 'Sign in, or see which plan opens a page.', UNLISTED),
  '/app/profile': named('Profile', 'Your account, plan and security.', UNLISTED),
  '/app/admin': named('Admin Dashboard', 'For administrators.', UNLISTED),
  '/app/alerts': named(
    'Market Alerts',
    'Alerts when prices, funding, sentiment or the yield curve move further than usual: what Pro tells you, and when.',
  ),
  '/app/custom-alerts': named(
    'Custom Alerts',
    'Alert rules of your own on any metric, tried on the past before they are saved, sent the way you want.',
  ),
  '/app/errors': named('Error Logs', 'What has failed, for administrators.', UNLISTED),
  '/app/data-export': named(
    'Data Export',
    'What the dashboard shows, as CSV, JSON or Excel, each with a manifest to check it by.',
  ),
  '/app/advanced-export': named(
    'Advanced Export',
    'Multiple data types in one file, in five formats, on a schedule, under your own name.',
  ),
  '/app/advanced-analytics': named(
    'Advanced Analytics',
    'A live chart, correlations, risk, sentiment, derivatives and on-chain figures of the tracked assets.',
  ),
};

/** Pages of the app whose address holds a name. Any name answers, so search engines are to leave them out. */
export const NAME_PAGES: Record<string, PageName> = {
  '/app/track-record/league/:name': named(
    'Forecaster in the Open League',
    'The forecasts of one participant of the open league, with verdicts, scores and price ranges at each horizon.',
    UNLISTED,
  ),
};

/** Address of the page of one figure, which the figure itself names. */
export const FIGURE_PAGE = '/app/figures/:metric';

/** Pages of the app that only demo mode has. */
export const DEMO_PAGES: Record<string, PageName> = {
  '/app/phone': named(
    'Your phone (demo)',
    'The mails, notifications and chat messages that the demo would send you.',
    UNLISTED,
  ),
};

/** Pages that links of our mails open. A token may stand in their address: no referrer, no index, no statistics. */
export const ACCOUNT_PAGES: Record<string, PageName> = {
  '/reset-password': named('Reset password', 'Choose a new password for your account.', UNLISTED),
  '/auth/end-access': named('Access to your account', 'What still uses your account after a reset.', UNLISTED),
  '/resend-confirmation': named(
    'Resend Confirmation Email',
    'Have the link sent again that confirms your email address.',
    UNLISTED,
  ),
  '/unsubscribe-success': named('Unsubscribed', 'You get no more mails of this kind.', UNLISTED),
  '/auth/confirm': named('Confirm your email', 'Confirms your email address.', UNLISTED),
  '/auth/confirm-success': named('Email confirmed', 'Your email address is confirmed.', UNLISTED),
  '/auth/confirm-error': named('Email confirmation', 'Why a confirmation link did not work, and what to do.', UNLISTED),
};

/** What a search engine is told of: every page that anyone can read, once, by its own address. */
export const LISTED_PAGES: Record<string, PageName> = Object.fromEntries(
  Object.entries({ '/': LANDING, '/about': ABOUT, '/status': STATUS, '/app': DASHBOARD, ...APP_PAGES }).filter(
    ([path, { robots, canonical = path }]) => robots === undefined && canonical === path,
  ),
);
