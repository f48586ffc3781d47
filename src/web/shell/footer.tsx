import { use } from 'react';
import { BRAND, copyrightYears } from '#shared/brand.ts';
import { Link } from '#web/ui/link.tsx';
import { useNow } from '#web/ui/now.ts';

import { AppInfo } from './app-info.ts';
import { INFO_LINKS } from './info-links.ts';

const HOUR_MS = 3_600_000;

export function Footer({ onSettings }: { onSettings: () => void }) {
  const { version } = use(AppInfo);
  const year = new Date(useNow(HOUR_MS)).getUTCFullYear();
  return (
    <footer className="label flex flex-wrap items-center gap-x-5 gap-y-1 border-t border-line px-4 py-3 sm:px-6">
      <span className="num">
        © {copyrightYears(year)} {BRAND.name} · v{version}
      </span>
      <button
        type="button"
        onClick={onSettings}
        className="-mx-2 inline-flex h-9 cursor-pointer items-center rounded-chip px-2 whitespace-nowrap hover:text-ink sm:ml-auto"
      >
        Settings and shortcuts
      </button>
      <ul className="-mx-2 flex flex-wrap">
        {INFO_LINKS.map(([title, to]) => (
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
