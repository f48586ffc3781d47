import { IN_FORCE_SINCE } from '#features/site/contract/legal.ts';
import { BRAND } from '#shared/brand.ts';

/** The title and description of a page in tabs, search results and link previews: at most 60 and 155 characters. */
export type PageName = {
  title: string;
  description: string;
  robots?: string;
  /** The canonical address of the same text, for search engines. */
  canonical?: string;
  /** When the content last changed: with the market, or on a day; absent when unknown. */
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
  `What ${BRAND.name} shows, when and where its data is collected, and how it keeps score.`,
);
export const STATUS = named(
  'Status',
  `Current ${BRAND.name} status: measured uptime over 90 days, incidents and planned maintenance.`,
);
export const NOT_FOUND = named('Page not found', 'We couldn’t find that page.', UNLISTED);
export const DASHBOARD = named(
  'Market dashboard',
  'Live crypto prices, derivatives, on-chain data, sentiment and AI analysis, with source and age for every figure.',
  MARKET,
);

/** Pages of the app below its first one; any other address below it does not exist. */
export const APP_PAGES: Record<string, PageName> = {
  '/app/events': named(
    'Upcoming Events',
    'The macro calendar for crypto: central banks, inflation, jobs, regulation and expiries in your time zone.',
    MARKET,
  ),
  '/app/sources': named(
    'Data Sources',
    'Every data source with its status, reliability, license and attribution.',
    MARKET,
  ),
  '/app/track-record': named(
    'Track Record',
    'Every prediction and its outcome: skill against base rates, calibration and a public, verifiable ledger.',
    MARKET,
  ),
  '/app/track-record/league': named(
    'Open League',
    'Submit crypto forecasts through the API: recorded in a public ledger, graded against base rates, ranked by skill.',
    MARKET,
  ),
  '/app/history': named(
    'Historical Data',
    'Price, macro, derivatives and on-chain history, with source, age and change for every value.',
    MARKET,
  ),
  '/app/api': named(
    'API Reference',
    'Public API reference with code samples, an MCP server for AI assistants and widgets for your website.',
  ),
  '/app/about': { ...ABOUT, canonical: '/about' },
  '/app/contact': named('Contact', 'Contact support: response times, what to include and current status.'),
  '/app/privacy': named(
    'Privacy Policy',
    `What personal data ${BRAND.name} stores, why, for how long, and your rights.`,
    { changed: IN_FORCE_SINCE },
  ),
  '/app/terms': named(
    'Terms & Conditions',
    `Terms of use for ${BRAND.name}: accounts, plans, trial, payment, cancellation, data and liability.`,
    { changed: IN_FORCE_SINCE },
  ),
  '/app/subscription': named(
    'Subscription Plans',
    'Compare Free, Pro and Premium+: features, prices, payment by card or USDC, and answers to common questions.',
  ),
  '/app/auth-required': named('Access required', 'Sign in, or see which plan includes this page.', UNLISTED),
  '/app/profile': named('Profile', 'Your account, plan and security.', UNLISTED),
  '/app/admin': named('Admin Dashboard', 'For administrators.', UNLISTED),
  '/app/alerts': named(
    'Market Alerts',
    'Alerts when prices, flows, funding or sentiment make unusual moves, delivered instantly with Pro.',
  ),
  '/app/custom-alerts': named(
    'Custom Alerts',
    'Custom alert rules on any metric, backtested before you save them and delivered on the channels you choose.',
  ),
  '/app/errors': named('Error Logs', 'Server errors, for administrators.', UNLISTED),
  '/app/data-export': named(
    'Data Export',
    'Export dashboard data as CSV, JSON or Excel, with a manifest for verification.',
  ),
  '/app/advanced-export': named(
    'Advanced Export',
    'Multiple data types in one file, in five formats, on a schedule, with your own branding.',
  ),
  '/app/advanced-analytics': named(
    'Advanced Analytics',
    'Live charts, correlations, risk, sentiment, derivatives and on-chain metrics for the tracked assets.',
  ),
};

/** Pages of the app with a name in the address. Any name is accepted, so search engines are asked not to index them. */
export const NAME_PAGES: Record<string, PageName> = {
  '/app/track-record/league/:name': named(
    'Forecaster in the Open League',
    'One forecaster’s record in the open league, with verdicts, scores and price ranges at each horizon.',
    UNLISTED,
  ),
};

/** Address of the page of one figure, named by its metric. */
export const FIGURE_PAGE = '/app/figures/:metric';

/** Pages of the app that exist only in demo mode. */
export const DEMO_PAGES: Record<string, PageName> = {
  '/app/phone': named(
    'Your Phone (Demo)',
    'The emails, notifications and chat messages the demo would send you.',
    UNLISTED,
  ),
};

/** Pages opened by links in our emails. Their address may contain a token: no referrer, no index, no statistics. */
export const ACCOUNT_PAGES: Record<string, PageName> = {
  '/reset-password': named('Reset password', 'Choose a new password for your account.', UNLISTED),
  '/auth/end-access': named('Access to your account', 'What still has access to your account after a reset.', UNLISTED),
  '/resend-confirmation': named(
    'Resend Confirmation Email',
    'Request a new link to confirm your email address.',
    UNLISTED,
  ),
  '/unsubscribe-success': named('Unsubscribed', 'You will no longer receive these emails.', UNLISTED),
  '/auth/confirm': named('Confirm your email', 'Confirms your email address.', UNLISTED),
  '/auth/confirm-success': named('Email confirmed', 'Your email address is confirmed.', UNLISTED),
  '/auth/confirm-error': named(
    'Email confirmation',
    'Why your confirmation link did not work, and what to do.',
    UNLISTED,
  ),
};

/** Pages for search engines: every public page, once, by its canonical address. */
export const LISTED_PAGES: Record<string, PageName> = Object.fromEntries(
  Object.entries({ '/': LANDING, '/about': ABOUT, '/status': STATUS, '/app': DASHBOARD, ...APP_PAGES }).filter(
    ([path, { robots, canonical = path }]) => robots === undefined && canonical === path,
  ),
);
