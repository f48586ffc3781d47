import type { SourceHealth, Sparklines } from '#features/market/contract/market.ts';
import type { Latency } from '#features/notifications/contract/notifications.ts';
import type { Pricing } from '#features/payments/contract/billing.ts';
import type { AppView, Dashboard } from '#features/site/contract/dashboard.ts';
import type { FigurePage } from '#features/site/contract/figures.ts';
import type { LandingFacts } from '#features/site/contract/landing.ts';
import type { About } from '#features/site/contract/legal.ts';
import type { Status } from '#features/site/contract/status.ts';
import type { DataMode } from '#shared/provenance.ts';

/** Data of the public pages. */
export type PublicModel = {
  version: string;
  year: number;
  dataMode: DataMode;
  now: string;
  top: Dashboard['cryptoPrices'];
  sparklines: Sparklines['series'];
  /** Names and states of the sources; without it a source is shown by its id. */
  sources?: SourceHealth[];
  about: About;
  /** Delivery latency of alerts; null until it has been measured. */
  latency: Latency | null;
  pricing: Omit<Pricing, 'methods'>;
};

/** The landing page shows more of the instance than the others. `origin` is its address, without a trailing slash. */
export type LandingModel = PublicModel & { origin: string; facts: LandingFacts };

/** The frame common to all public pages. */
export type PublicFrame = Pick<PublicModel, 'version' | 'year' | 'dataMode'>;

export type StatusModel = PublicFrame & { status: Status };

/** Data for the server-side render of `/app`: the tracked coins only, the browser fetches the rest after hydration. */
export type AppSeed = {
  version: string;
  dashboard: Dashboard | null;
  sparklines: Sparklines | null;
  /** Prices of the plans, for the pages that show them. */
  pricing?: Pricing;
  /** The figure shown on its own page. */
  figure?: FigurePage;
  /** Path of the page that the markup shows; absent where the browser renders it again. */
  path?: string;
  /** Whether the analysis was rendered; it is not in the seed. */
  hasAnalysis?: boolean;
};

/** Exported by the built render bundle, which the server loads by path. All return HTML without a doctype. */
export type Renderer = {
  renderApp: (url: string, seed: AppSeed, view?: AppView) => Promise<string>;
  renderLanding: (model: LandingModel) => string;
  renderAbout: (model: PublicModel) => string;
  renderStatus: (model: StatusModel) => string;
  renderNotFound: (model: PublicModel) => string;
};
