import { use } from 'react';
import { Link } from 'react-router';

import { BRAND, copyrightYears } from '#shared/brand.ts';
import { useNow } from '#web/ui/now.ts';

import { AppInfo } from './app-info.ts';

const LINKS = [
  ['Contact', '/app/contact'],
  ['Privacy Policy', '/app/privacy'],
  ['Terms & Conditions', '/app/terms'],
  ['About', '/app/about'],
] as const;

const HOUR_MS = 3_600_000;

export function Footer() {
  const { version } = use(AppInfo);
  const year = new Date(useNow(HOUR_MS)).getUTCFullYear();
  return (
    <footer className="label flex flex-wrap items-center gap-x-5 gap-y-1 border-t border-line px-4 py-3 sm:px-6">
      <span className="num">
        © {copyrightYears(year)} {BRAND.name} · v{version}
      </span>
      <ul className="-mx-2 flex flex-wrap sm:ml-auto">
        {LINKS.map(([title, to]) => (
          <li key={to}>
            <Link to={to} className="inline-flex h-9 items-center px-2 whitespace-nowrap hover:text-ink">
              {title}
            </Link>
          </li>
        ))}
      </ul>
    </footer>
  );
}
