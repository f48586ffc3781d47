import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AppSeed, PublicModel } from '#app/render.ts';
import { TRACKED } from '#features/market/contract/market.ts';
import type { Market } from '#features/market/server/market/service.ts';
import type { Latency } from '#features/notifications/contract/notifications.ts';
import type { Pricing } from '#features/payments/contract/billing.ts';
import { priceList } from '#features/payments/server/billing/service.ts';
import type { AppView, Dashboard } from '#features/site/contract/dashboard.ts';
import type { LandingFacts } from '#features/site/contract/landing.ts';
import type { About } from '#features/site/contract/legal.ts';
import type { Status } from '#features/site/contract/status.ts';
import { toAppView, toSeed } from '#features/site/server/dashboard/service.ts';
import { figureHistory, findFigure, type HistoryDeps } from '#features/site/server/figures/service.ts';
import { resolveAnalytics } from '#kernel/analytics.ts';
import type { BackgroundThread } from '#kernel/background-thread.ts';
import type { Config } from '#kernel/config.ts';
import { AppError } from '#kernel/errors.ts';
import type { Log } from '#kernel/log.ts';
import { createReadModel, type ReadModel, writePrepared } from '#kernel/read-model.ts';
import { MOVED } from '#shared/moved.ts';
import type { DataMode } from '#shared/provenance.ts';
import { sharedHeaders } from '../cache-answers.ts';
import { CLIENT_DIR, LIBRARY_STYLES, loadWebBuild, type WebBuild } from './build.ts';
import { type DocumentParts, htmlDocument, securityHeaders, startScript, transportHeaders } from './document.ts';
import { figureHead, mountFigureCards } from './figure-pages.ts';
import {
  ABOUT,
  ACCOUNT_PAGES,
  APP_PAGES,
  DASHBOARD,
  DEMO_PAGES,
  FIGURE_PAGE,
  LANDING,
  NAME_PAGES,
  NOT_FOUND,
  type PageName,
  STATUS,
} from './page-names.ts';
import { createShare } from './share-card.ts';
import { siteFiles } from './site-files.ts';
import { aboutPage, aboutProduct } from './structured-data.ts';

type Deps = {
  config: Config;
  version: string;
  mode: DataMode;
  now: () => Date;
  log: Log;
  market: Market;
  figures: HistoryDeps;
  /** Current prices of the plans and payment methods. */
  pricing: () => Pricing;
  thread: BackgroundThread;
  onError: (error: unknown) => void;
};

export type Pages = {
  /** Updates the data of the prepared pages. */
  rebuild: (dashboard: Dashboard, about: About, latency: Latency | null, facts: LandingFacts) => Promise<void>;
  drawStatus: (status: Status) => Promise<void>;
  /** Public origin of the site. */
  origin: string;
  mount: (app: FastifyInstance) => void;
};

/** Uncompressed or compressed. */
const WORKER = /\/sw\.js(\.\w+)?$/;

/** The service worker controls the whole site and calls only our own API. */
const WORKER_HEADERS = {
  'service-worker-allowed': '/',
  'content-security-policy': "default-src 'none'; connect-src 'self'",
};

const HTML = 'text/html; charset=utf-8';

/** Public pages and the app's first view, stored as prepared buffers and rendered again when their data changes. */
export function createPages(deps: Deps): Pages {
  const build = loadWebBuild(deps.thread);
  if (!build) deps.log.warn('The web app has not been built: only the API is available');
  else if (deps.config.ROLE !== 'worker') build.preload();
  const origin = publicOrigin(deps.config);
  const nothing = async () => undefined;
  return build
    ? builtPages(deps, build, origin)
    : { rebuild: nothing, drawStatus: nothing, origin, mount: mountApiOnly };
}

const publicOrigin = ({ PUBLIC_URL, HOST, PORT }: Config) => PUBLIC_URL?.replace(/\/$/, '') ?? `http://${HOST}:${PORT}`;

function mountApiOnly(app: FastifyInstance): void {
  app.setNotFoundHandler((request, reply) => {
    if (request.url.startsWith('/api/')) return unknownCall(reply);
    return reply.code(503).type('text/plain; charset=utf-8').send('The pages have not been built: run npm run build');
  });
}

function unknownCall(reply: FastifyReply) {
  return reply.code(404).send(new AppError('not_found', 'Unknown API endpoint').toWire());
}

function builtPages(
  { config, version, mode, now, market, figures, pricing, thread, onError }: Deps,
  { render, app: appEntry, public: publicEntry, codeOf, letters }: WebBuild,
  origin: string,
): Pages {
  const appStart = startScript(appEntry.file);
  const publicStart = startScript(publicEntry.file);
  const transport = transportHeaders(config.PUBLIC_URL);
  const analytics = resolveAnalytics(config);
  const accountHeaders = securityHeaders(appEntry.css, appStart, LIBRARY_STYLES, transport);
  const appHeaders = securityHeaders(appEntry.css, appStart, LIBRARY_STYLES, transport, analytics);
  const publicHeaders = securityHeaders(publicEntry.css, publicStart, [], transport, analytics);
  const page = (path: string, security: Record<string, string>, headers = sharedHeaders(path, config.CDN_TAGS)) =>
    createReadModel<string>({
      contentType: HTML,
      headers: { ...security, ...headers },
      onInvalid: onError,
    });
  const models = {
    landing: page('/', publicHeaders),
    about: page('/about', publicHeaders),
    status: page('/status', publicHeaders),
    notFound: page('404', publicHeaders, {}),
    app: page('/app', appHeaders),
  };
  let seed: AppSeed = { version, dashboard: null, sparklines: null };
  let marketAt: string | null = null;
  const share = createShare({ thread, letters, now, onError });

  /** Machine-readable metadata of a page. */
  function pageHead(name: PageName, path: string) {
    const isListed = name.robots === undefined;
    const prices = priceList(config);
    const data = path === '/' ? aboutProduct(origin, prices) : aboutPage(origin, path, name.title, prices);
    return {
      ...name,
      canonical: name === NOT_FOUND ? null : origin + (name.canonical ?? path),
      image: `${origin}/og.png`,
      about: isListed ? data : null,
    };
  }

  const publicDocument = (name: PageName, path: string, body: string) =>
    htmlDocument({
      ...pageHead(name, path),
      css: publicEntry.css,
      sheets: publicEntry.sheets,
      start: publicStart,
      body,
      analytics: analytics?.loader ?? null,
    });

  async function appDocument(
    url: string,
    name: PageName,
    data: AppSeed,
    view?: AppView,
    image: Partial<DocumentParts> = {},
  ): Promise<string> {
    const path = url.split('?')[0] ?? '';
    return htmlDocument({
      ...pageHead(name, path.replace(/\/+$/, '')),
      ...image,
      css: appEntry.css,
      sheets: appEntry.sheets,
      start: appStart,
      code: codeOf(path),
      body: `<div id="root">${await render.renderApp(url, data, view)}</div>`,
      // Pages opened by links from emails depend on browser state.
      seed: path.startsWith('/app') ? { ...data, path } : data,
      analytics: name.robots === undefined ? (analytics?.loader ?? null) : null,
    });
  }

  async function rebuild(
    dashboard: Dashboard,
    about: About,
    latency: Latency | null,
    facts: LandingFacts,
  ): Promise<void> {
    const all = market.sparklines();
    const series = Object.fromEntries(TRACKED.flatMap(({ id }) => (all.series[id] ? [[id, all.series[id]]] : [])));
    marketAt = dashboard.lastCollectionTime;
    share.follow({ dashboard: { ...dashboard, cryptoPrices: toSeed(dashboard).cryptoPrices }, series });
    const hasData = dashboard.cryptoPrices.length > 0;
    seed = { version, dashboard: hasData ? toSeed(dashboard) : null, sparklines: hasData ? { ...all, series } : null };
    const model: PublicModel = {
      version,
      year: now().getUTCFullYear(),
      dataMode: mode,
      now: now().toISOString(),
      top: toSeed(dashboard).cryptoPrices,
      sparklines: series,
      sources: dashboard.sources,
      about,
      latency,
      pricing: priceList(config),
    };
    const data = seed;
    const view = hasData && dashboard.aiAnalysis ? toAppView(dashboard) : undefined;
    await models.landing.publish(async () =>
      publicDocument(LANDING, '/', await render.renderLanding({ ...model, origin, facts })),
    );
    await models.about.publish(async () => publicDocument(ABOUT, '/about', await render.renderAbout(model)));
    await models.notFound.publish(async () => publicDocument(NOT_FOUND, '/', await render.renderNotFound(model)));
    await models.app.publish(() => appDocument('/app', DASHBOARD, { ...data, hasAnalysis: view !== undefined }, view));
  }

  async function drawStatus(status: Status): Promise<void> {
    const model = { version, year: now().getUTCFullYear(), dataMode: mode, status };
    await models.status.publish(async () => publicDocument(STATUS, '/status', await render.renderStatus(model)));
  }

  async function write(request: FastifyRequest, reply: FastifyReply, model: ReadModel<string>, status = 200) {
    const prepared = model.current() ?? (await model.ready());
    if (!prepared) throw new AppError('unavailable', 'The page is being prepared. Please try again in a moment.');
    reply.hijack();
    writePrepared(request.raw, reply.raw, prepared, status);
  }

  function mount(app: FastifyInstance): void {
    void app.register(fastifyStatic, {
      root: CLIENT_DIR,
      wildcard: false,
      index: false,
      preCompressed: true,
      globIgnore: ['.vite/**', '**/*.br', '**/*.gz'],
      setHeaders: (reply, path) => {
        reply.header('x-content-type-options', 'nosniff');
        if (WORKER.test(path)) reply.headers(WORKER_HEADERS);
        reply.header('cache-control', path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache');
      },
    });
    siteFiles(app, origin, () => marketAt, now);
    share.mount(app);
    app.get('/', (request, reply) => write(request, reply, models.landing));
    app.get('/about', (request, reply) => write(request, reply, models.about));
    app.get('/status', (request, reply) => write(request, reply, models.status));
    app.get('/app', (request, reply) => write(request, reply, models.app));
    // Rendered while the rest starts, so that the first visitor need not wait for it.
    if (config.ROLE !== 'worker') models.app.ready().catch(onError);
    const renderPage = (status: number, name: PageName) => async (request: FastifyRequest, reply: FastifyReply) => {
      const html = await appDocument(request.url, name, { ...seed, pricing: pricing() });
      const headers = name.robots === undefined ? appHeaders : accountHeaders;
      return reply.code(status).headers(headers).type(HTML).send(html);
    };
    const appPages = { ...APP_PAGES, ...NAME_PAGES, ...(mode === 'demo' ? DEMO_PAGES : {}) };
    for (const [path, name] of Object.entries(appPages)) app.get(path, renderPage(200, name));
    for (const [from, to] of MOVED) app.get(from, (_, reply) => reply.redirect(to, 302));
    for (const [path, name] of Object.entries(ACCOUNT_PAGES)) {
      app.get(path, async (request, reply) => {
        const html = await appDocument(request.url, name, seed);
        return reply.headers(accountHeaders).header('referrer-policy', 'no-referrer').type(HTML).send(html);
      });
    }
    const missing = renderPage(404, NOT_FOUND);
    app.get(FIGURE_PAGE, async (request, reply) => {
      const figure = await findFigure(figures, (request.params as { metric: string }).metric);
      if (!figure) return missing(request, reply);
      const name = figureHead(figure);
      const image = { image: `${origin}${name.canonical}/card.png`, imageAlt: name.title };
      const history = await figureHistory(figures, figure.metric, null);
      const data = { ...seed, figure: { timestamp: now().toISOString(), ...figure, history } };
      const html = await appDocument(request.url, name, data, undefined, image);
      return reply.headers(appHeaders).type(HTML).send(html);
    });
    mountFigureCards(app, { figures, mode, thread, letters, now, onError }, missing);
    app.get('/app/*', missing);
    app.setNotFoundHandler((request, reply) => {
      const isPage = request.method === 'GET' || request.method === 'HEAD';
      return isPage && !request.url.startsWith('/api/')
        ? write(request, reply, models.notFound, 404)
        : unknownCall(reply);
    });
  }

  return { rebuild, drawStatus, origin, mount };
}
