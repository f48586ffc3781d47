import { PLAN_NAMES } from '#features/accounts/contract/subscriptions.ts';
import type { Pricing } from '#features/payments/contract/billing.ts';
import { plainAnswer, planFaq } from '#features/payments/contract/plan-faq.ts';
import { BRAND } from '#shared/brand.ts';

type Prices = Omit<Pricing, 'methods'>;
type Crumb = readonly [name: string, path: string];

const graph = (...nodes: object[]) => ({ '@context': 'https://schema.org', '@graph': nodes });

const offers = (origin: string, prices: Prices) =>
  (['free', 'pro', 'premium'] as const)
    .filter((plan) => plan === 'free' || !prices.comingSoon)
    .map((plan) => ({
      '@type': 'Offer',
      name: PLAN_NAMES[plan],
      price: prices[plan].originalPrice.toFixed(2),
      priceCurrency: 'USD',
      url: `${origin}/app/subscription`,
      ...(plan === 'free'
        ? {}
        : {
            priceSpecification: {
              '@type': 'UnitPriceSpecification',
              price: prices[plan].originalPrice.toFixed(2),
              priceCurrency: 'USD',
              billingDuration: 'P1M',
            },
          }),
    }));

const organization = (origin: string) => ({
  '@type': 'Organization',
  '@id': `${origin}/#organization`,
  name: BRAND.name,
  url: `${origin}/`,
  logo: `${origin}/icon-512.png`,
  contactPoint: { '@type': 'ContactPoint', contactType: 'customer support', url: `${origin}/app/contact` },
});

/** The organization, the site, and the product with its prices on this installation. */
export const aboutProduct = (origin: string, prices: Prices): object =>
  graph(
    organization(origin),
    {
      '@type': 'WebSite',
      '@id': `${origin}/#website`,
      name: BRAND.name,
      url: `${origin}/`,
      description: BRAND.description,
      inLanguage: 'en',
      publisher: { '@id': `${origin}/#organization` },
    },
    {
      '@type': 'SoftwareApplication',
      name: BRAND.name,
      url: `${origin}/app`,
      description: BRAND.description,
      image: `${origin}/og.png`,
      applicationCategory: 'FinanceApplication',
      operatingSystem: 'Any browser',
      publisher: { '@id': `${origin}/#organization` },
      offers: offers(origin, prices),
    },
  );

const breadcrumbs = (origin: string, crumbs: readonly Crumb[]) => ({
  '@type': 'BreadcrumbList',
  itemListElement: crumbs.map(([name, path], i) => ({
    '@type': 'ListItem',
    position: i + 1,
    name,
    item: origin + path,
  })),
});

const HOME: Crumb = [BRAND.name, '/'];
const DASHBOARD: Crumb = ['Market dashboard', '/app'];

/** Breadcrumbs of a page, and on the plans page its FAQ. */
export function aboutPage(origin: string, path: string, title: string, prices: Prices): object {
  const crumb: Crumb = [title.replace(` · ${BRAND.name}`, ''), path];
  const trail = breadcrumbs(origin, path.startsWith('/app/') ? [HOME, DASHBOARD, crumb] : [HOME, crumb]);
  if (path !== '/app/subscription') return graph(trail);
  const mainEntity = planFaq(prices).map(([name, answer]) => ({
    '@type': 'Question',
    name,
    acceptedAnswer: { '@type': 'Answer', text: plainAnswer(answer) },
  }));
  return graph(trail, { '@type': 'FAQPage', mainEntity });
}
