import {
  Bell,
  BellRing,
  Braces,
  Bug,
  ChartColumn,
  CreditCard,
  Download,
  FileDown,
  Mail,
  Shield,
  User,
} from 'lucide-react';

import { accountPlan, includesPlan } from '#features/accounts/web/subscriptions/access.ts';
import type { Account } from '#features/accounts/web/subscriptions/use-subscription.ts';
import type { Access } from '#shared/contract.ts';

import type { PageLink } from './pages.ts';

/** In the order of the sidebar; the first group continues the main pages. */
export const GROUPS = ['Main', 'Pro tools', 'Account', 'Admin'] as const;

type AppPage = PageLink & {
  group: (typeof GROUPS)[number];
  /** The lowest plan that may open it; 'free' includes every signed-in user. */
  access: Access;
};

export type Offer = PageLink & {
  group: AppPage['group'];
  /** The plan it requires. */
  lock: 'Pro' | 'Premium+' | null;
};

const tools = { group: 'Pro tools' } as const;
const alerts = { to: '/app/alerts', name: 'Market Alerts', Icon: Bell } as const;
const account = { group: 'Account' } as const;

/** Pages with restricted access, or outside the main list. */
const PAGES: readonly AppPage[] = [
  { ...alerts, group: 'Main', access: 'pro' },
  { ...tools, to: '/app/advanced-analytics', name: 'Advanced Analytics', Icon: ChartColumn, access: 'premium' },
  { ...tools, to: '/app/custom-alerts', name: 'Custom Alerts', Icon: BellRing, access: 'pro' },
  { ...tools, to: '/app/data-export', name: 'Data Export', Icon: Download, access: 'pro' },
  { ...tools, to: '/app/advanced-export', name: 'Advanced Export', Icon: FileDown, access: 'premium' },
  { ...account, to: '/app/profile', name: 'Profile', Icon: User, access: 'free' },
  { ...account, to: '/app/subscription', name: 'Subscription Plans', Icon: CreditCard, access: 'public' },
  { ...account, to: '/app/api', name: 'API Reference', Icon: Braces, access: 'public' },
  { ...account, to: '/app/contact', name: 'Contact', Icon: Mail, access: 'public' },
  { group: 'Admin', to: '/app/admin', name: 'Admin Dashboard', Icon: Shield, access: 'admin' },
  { ...alerts, group: 'Admin', access: 'admin' },
  { group: 'Admin', to: '/app/errors', name: 'Error Logs', Icon: Bug, access: 'admin' },
];

const canOpen = (access: Access, account: Account): boolean => {
  if (access === 'public') return true;
  return access === 'free' ? account.state !== 'anonymous' : includesPlan(accountPlan(account), access);
};

/** The pages offered to this user, each once. Until the user is known, nothing is locked. */
export function pagesFor(account: Account): Offer[] {
  const lock = accountPlan(account) === 'pro' ? 'Premium+' : 'Pro';
  const isAdmin = accountPlan(account) === 'admin';
  return PAGES.flatMap(({ access, ...page }) => {
    if (page.group === 'Main' && isAdmin) return [];
    if (canOpen(access, account)) return { ...page, lock: null };
    return page.group === 'Pro tools' && account.state !== 'unknown' ? { ...page, lock } : [];
  });
}
