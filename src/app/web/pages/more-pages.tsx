import type { ComponentType } from 'react';
import { useLocation } from 'react-router';
import { Page } from '#ui/page.tsx';
import { type Part, part } from '#ui/part.tsx';
import { NotFoundPage } from './not-found-page.tsx';

/** Parameters of the address, by the names in `PARAMETER_PAGES`. */
type Params = Readonly<Record<string, string | undefined>>;

/** A page whose code is loaded when it is first opened or prefetched. */
const latePage = (name: string, load: () => Promise<ComponentType<Params>>) =>
  part<Params>({
    name,
    load,
    suspends: true,
    loading: (
      <Page title={name}>
        <div className="skel mt-4 h-96" />
      </Page>
    ),
    frame: (state) => <Page title={name}>{state}</Page>,
  });

const SourcesPage = latePage('Data Sources', async () => (await import('./sources-page.tsx')).SourcesPage);
const EventsPage = latePage('Upcoming Impactful Events', async () => (await import('./events-page.tsx')).EventsPage);
const AlertsPage = latePage('Market Alerts', async () => (await import('./alerts-page.tsx')).AlertsPage);
const TrackRecordPage = latePage('Track Record', async () => (await import('./track-record-page.tsx')).TrackRecordPage);
const LeaguePage = latePage('Open League', async () => (await import('./league-pages.tsx')).LeaguePage);
const ForecasterPage = latePage('Forecaster', async () => (await import('./league-pages.tsx')).ForecasterPage);
const PlansPage = latePage('Subscription Plans', async () => (await import('./plans-page.tsx')).PlansPage);
const AuthRequiredPage = latePage(
  'Access required',
  async () => (await import('./auth-required-page.tsx')).AuthRequiredPage,
);
const FigurePage = latePage('Figure', async () => (await import('./figure-page.tsx')).FigurePage);
const HistoryPage = latePage('Historical Data', async () => (await import('./history-page.tsx')).HistoryPage);
const DataExportPage = latePage('Data Export', async () => (await import('./data-export-page.tsx')).DataExportPage);
const AdvancedExportPage = latePage(
  'Advanced Data Export',
  async () => (await import('./advanced-export-page.tsx')).AdvancedExportPage,
);
const AdvancedAnalyticsPage = latePage(
  'Advanced Analytics',
  async () => (await import('./advanced-analytics-page.tsx')).AdvancedAnalyticsPage,
);

const ProfilePage = latePage('Profile', async () => (await import('./profile-page.tsx')).ProfilePage);
const PhonePage = latePage('Your Phone (Demo)', async () => (await import('./phone-page.tsx')).PhonePage);
const AdminPage = latePage('Admin Dashboard', async () => (await import('./admin-page.tsx')).AdminPage);
const ErrorsPage = latePage('Error Logs', async () => (await import('./errors-page.tsx')).ErrorsPage);
const ContactPage = latePage('Contact', async () => (await import('./contact-page.tsx')).ContactPage);
const PrivacyPage = latePage('Privacy Policy', async () => (await import('./privacy-page.tsx')).PrivacyPage);
const TermsPage = latePage('Terms & Conditions', async () => (await import('./terms-page.tsx')).TermsPage);
const AboutPage = latePage('About', async () => (await import('./about-page.tsx')).AboutPage);

const ApiPage = latePage('API Reference', async () => (await import('./api-page.tsx')).ApiPage);

const CustomAlertsPage = latePage(
  'Custom Alert Thresholds',
  async () => (await import('./custom-alerts-page.tsx')).CustomAlertsPage,
);

const PAGES = new Map<string, Part<Params>>([
  ['events', EventsPage],
  ['alerts', AlertsPage],
  ['sources', SourcesPage],
  ['track-record', TrackRecordPage],
  ['track-record/league', LeaguePage],
  ['subscription', PlansPage],
  ['auth-required', AuthRequiredPage],
  ['profile', ProfilePage],
  ['phone', PhonePage],
  ['admin', AdminPage],
  ['errors', ErrorsPage],
  ['contact', ContactPage],
  ['privacy', PrivacyPage],
  ['terms', TermsPage],
  ['about', AboutPage],
  ['custom-alerts', CustomAlertsPage],
  ['history', HistoryPage],
  ['data-export', DataExportPage],
  ['advanced-export', AdvancedExportPage],
  ['advanced-analytics', AdvancedAnalyticsPage],
  ['api', ApiPage],
]);
/** Pages whose last path segment names what they show. */
const PARAMETER_PAGES = new Map<string, readonly [page: Part<Params>, parameter: string]>([
  ['figures', [FigurePage, 'metric']],
  ['track-record/league', [ForecasterPage, 'name']],
]);

/** The page and its parameter at an address of the app. */
function pageAt(pathname: string) {
  const path = pathname.replace(/^\/app\/|\/$/g, '');
  const Page = PAGES.get(path);
  if (Page) return { Page, params: {} };
  const [, above = '', name = ''] = /^(.+)\/([^/]+)$/.exec(path) ?? [];
  const found = PARAMETER_PAGES.get(above);
  return found ? { Page: found[0], params: { [found[1]]: decoded(name) } } : null;
}

/** Malformed text is returned unchanged. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Every page of the app except the dashboard: this list is loaded with the first of them. */
export function MorePages() {
  const at = pageAt(useLocation().pathname);
  return at ? <at.Page {...at.params} /> : <NotFoundPage />;
}

/** Loads the code of the page at an address of the app, if there is one. */
export const loadPage = async (pathname: string): Promise<void> => pageAt(pathname)?.Page.ready();
