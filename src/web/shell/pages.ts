import {
  Bell,
  ChartColumn,
  CreditCard,
  Database,
  Download,
  FileDown,
  LayoutDashboard,
  type LucideIcon,
  Mail,
  Shield,
  User,
} from 'lucide-react';

import { planOf, reaches } from '#features/subscriptions/web/access.ts';
import type { Account } from '#features/subscriptions/web/use-subscription.ts';
import type { Access } from '#shared/contract.ts';

type Group = 'Pages' | 'Pro tools' | 'Account' | 'Admin';

type AppPage = {
  to: string;
  name: string;
  Icon: LucideIcon;
  group: Group;
  /** The lowest plan that may open it; 'free' is everyone who is signed in. */
  access: Access;
  /** What is not built yet is absent, but a Pro tool shows locked to those who lack the plan. */
  built: boolean;
};

const page = (group: Group, to: string, name: string, Icon: LucideIcon, access: Access, built = true): AppPage => ({
  to,
  name,
  Icon,
  group,
  access,
  built,
});

/** Every page that the sidebar and the palette offer, in their order. */
const PAGES = [
  page('Pages', '/app', 'Dashboard', LayoutDashboard, 'public'),
  page('Pages', '/app/sources', 'Data sources', Database, 'public'),
  page('Pro tools', '/app/advanced-analytics', 'Advanced Analytics', ChartColumn, 'premium', false),
  page('Pro tools', '/app/custom-alerts', 'Custom Alerts', Bell, 'pro', false),
  page('Pro tools', '/app/data-export', 'Data Export', Download, 'pro', false),
  page('Pro tools', '/app/advanced-export', 'Advanced Export', FileDown, 'premium', false),
  page('Account', '/app/profile', 'Profile', User, 'free'),
  page('Account', '/app/subscription', 'Subscription Plans', CreditCard, 'public'),
  page('Account', '/app/contact', 'Contact', Mail, 'public'),
  page('Admin', '/app/admin', 'Admin Dashboard', Shield, 'admin'),
];

export type Offer = Pick<AppPage, 'to' | 'name' | 'Icon' | 'group'> & {
  /** The plan it waits for: it then leads to the plans. */
  lock: 'Pro' | 'Premium+' | null;
};

const mayOpen = (access: Access, account: Account): boolean => {
  if (access === 'public') return true;
  return access === 'free' ? account.state !== 'anonymous' : reaches(planOf(account), access);
};

/** What this person is offered. Of an account that could not be read nothing is locked. */
export function pagesFor(account: Account): Offer[] {
  const lock = planOf(account) === 'pro' ? 'Premium+' : 'Pro';
  const failed = account.state === 'unknown' && account.failed;
  return PAGES.flatMap(({ access, built, ...page }) => {
    if (mayOpen(access, account)) return built ? { ...page, lock: null } : [];
    return page.group === 'Pro tools' && !failed ? { ...page, to: '/app/subscription', lock } : [];
  });
}
