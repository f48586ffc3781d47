import type { ComponentType } from 'react';
import { Route, Routes } from 'react-router';
import { part } from '#ui/part.tsx';
import { NotFoundPage } from './not-found-page.tsx';

/** A page whose code comes when it is opened; its heading stands from the first view. */
const latePage = <P extends object = object>(name: string, load: () => Promise<ComponentType<P>>): ComponentType<P> =>
  part<P>({
    name,
    load,
    loading: (
      <div className="min-h-dvh">
        <h1 className="sr-only">{name}</h1>
      </div>
    ),
  });

const SourcesPage = latePage('Data sources', async () => (await import('./sources-page.tsx')).SourcesPage);
const EventsPage = latePage('Upcoming Impactful Events', async () => (await import('./events-page.tsx')).EventsPage);
const AlertsPage = latePage('Market Alerts', async () => (await import('./alerts-page.tsx')).AlertsPage);
const TrackRecordPage = latePage('Track record', async () => (await import('./track-record-page.tsx')).TrackRecordPage);
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
const PhonePage = latePage('Your phone (demo)', async () => (await import('./phone-page.tsx')).PhonePage);
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

/** Every page of the app but the dashboard: their list comes when the first of them is opened. */
export function MorePages() {
  return (
    <Routes>
      <Route path="events" element={<EventsPage />} />
      <Route path="alerts" element={<AlertsPage />} />
      <Route path="sources" element={<SourcesPage />} />
      <Route path="track-record" element={<TrackRecordPage />} />
      <Route path="track-record/league" element={<LeaguePage />} />
      <Route path="track-record/league/:name" element={<ForecasterPage />} />
      <Route path="subscription" element={<PlansPage />} />
      <Route path="auth-required" element={<AuthRequiredPage />} />
      <Route path="profile" element={<ProfilePage />} />
      <Route path="phone" element={<PhonePage />} />
      <Route path="admin" element={<AdminPage />} />
      <Route path="errors" element={<ErrorsPage />} />
      <Route path="contact" element={<ContactPage />} />
      <Route path="privacy" element={<PrivacyPage />} />
      <Route path="terms" element={<TermsPage />} />
      <Route path="about" element={<AboutPage />} />
      <Route path="custom-alerts" element={<CustomAlertsPage />} />
      <Route path="figures/:metric" element={<FigurePage />} />
      <Route path="history" element={<HistoryPage />} />
      <Route path="data-export" element={<DataExportPage />} />
      <Route path="advanced-export" element={<AdvancedExportPage />} />
      <Route path="advanced-analytics" element={<AdvancedAnalyticsPage />} />
      <Route path="api" element={<ApiPage />} />
      <Route path="*" element={<NotFoundPage />} />
    </Routes>
  );
}
