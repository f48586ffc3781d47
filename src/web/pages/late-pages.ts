import type { ComponentType } from 'react';

/** Every page but the dashboard, by its address; the code of each comes when it is opened. */
export const LATE_PAGES = {
  '/app/sources': async () => (await import('./sources-page.tsx')).SourcesPage,
  '/app/contact': async () => (await import('./contact-page.tsx')).ContactPage,
  '/app/privacy': async () => (await import('./privacy-page.tsx')).PrivacyPage,
  '/app/terms': async () => (await import('./terms-page.tsx')).TermsPage,
  '/app/about': async () => (await import('./about-page.tsx')).AboutPage,
} satisfies Record<string, () => Promise<ComponentType>>;
